// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/diff_em_tables.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/results/stress/lifetime_report.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

std::string time_of(const RunData::EmTime& time, double horizon_s, bool is_failure) {
  if (time.is_known()) return diff_time(time.time_s);
  if (time.is_open) return is_failure ? "not in so many stages" : "undecided";
  return "none until " + diff_time(horizon_s);
}

std::string error_of(const RunData::EmTime& time) {
  return time.is_known() && std::isfinite(time.error_s) ? diff_time(time.error_s) : "";
}

std::vector<std::string> row(const char* what, const LifetimeChange& change, bool is_failure) {
  const bool is_earlier = change.after.is_known() && !(change.after.time_s >= change.before.time_s);
  return {what,
          time_of(change.before, change.before_horizon_s, is_failure),
          error_of(change.before),
          time_of(change.after, change.after_horizon_s, is_failure),
          error_of(change.after),
          !change.is_change() ? "="
          : is_earlier        ? "earlier"
                              : "later"};
}

}  // namespace

std::string diff_time(double s) {
  return s < 86400 ? fmt::format("{:.4g} s", s) : fmt::format("{:.4g} y", s / kSecondsPerYear);
}

std::vector<std::string> diff_em_facts(const RunDiff& diff) {
  std::vector<std::string> facts;
  for (const OneSided& one : diff.one_sided)
    facts.push_back(
        fmt::format("Only the run {} has {}, which is not compared.", one.is_in_before ? "before" : "after", one.what));
  if (!diff.em_parameters.empty())
    facts.push_back(
        fmt::format("{} of electromigration differ{}: what has changed of stress, times and ratios may be "
                    "due to that.",
                    counted(std::ssize(diff.em_parameters), "parameter"), diff.em_parameters.size() == 1 ? "s" : ""));
  return facts;
}

DiffTable diff_lifetimes(const RunDiff& diff) {
  DiffTable table{"Times of electromigration", {"until", "before>", "error>", "after>", "error>", "change"}, {}, ""};
  if (!diff.lifetimes) return table;
  table.rows.push_back(row("first void", diff.lifetimes->first_void, false));
  if (const std::optional<LifetimeChange>& failure = diff.lifetimes->failure) {
    const bool has_limit = failure->before.has_limit || failure->after.has_limit;
    table.rows.push_back(row(has_limit ? "IR-drop failure" : "loads are cut off", *failure, true));
  }
  return table;
}

DiffTable diff_em_parameters(const RunDiff& diff) {
  DiffTable table{"Changed parameters of electromigration", {"parameter", "before>", "after>"}, {}, ""};
  for (const EmParameterChange& change : diff.em_parameters)
    table.rows.push_back({change.name, change.before, change.after});
  return table;
}

}  // namespace gridiron
