// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/diff_tran_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "reports/text/numbers.hpp"

namespace gridiron {

const std::vector<std::string> kNotComparedOfTran = {"pads and segments over time", "instances", "windows", "waveforms",
                                                     "averages over time",          "overshoots"};

namespace {

std::string at(const RunData::Moment& moment) { return std::isnan(moment.time_s) ? "" : seconds(moment.time_s); }

/// "0 s to 10.00 ns, 20 steps of 500.0 ps, trapezoidal, 2 scenarios".
std::string course(const RunData::Simulation& run) {
  return fmt::format("{} to {}, {} of {}, {}, {}", seconds(run.start_s), seconds(run.stop_s),
                     count_of(run.steps, "step"), seconds(run.largest_step_s), run.method,
                     count_of(run.scenarios, "scenario"));
}

}  // namespace

std::vector<std::string> diff_tran_facts(const RunDiff& diff) {
  if (!diff.simulation) return {};
  const auto& [before, after, do_step_alike] = *diff.simulation;
  std::vector<std::string> facts;
  const std::string course_before = course(before), course_after = course(after);
  facts.push_back("Drops are those of every node at its worst moment" +
                  (course_before == course_after
                       ? fmt::format(": {}.", course_after)
                       : fmt::format("; before: {}; after: {}.", course_before, course_after)));
  if (before.start_s != after.start_s || before.stop_s != after.stop_s)
    facts.emplace_back(
        "Attention: the results are of different times: a worst moment of one may be outside of the other.");
  if (before.scenarios != after.scenarios)
    facts.emplace_back("Attention: the runs have different numbers of scenarios, over which drops are the worst.");
  facts.push_back(fmt::format("Errors of stepping in time, estimated: {} before, {} after; {}.",
                              volts(before.time_error_v), volts(after.time_error_v),
                              do_step_alike ? "both runs step alike, so that bounds on changes leave them out"
                                            : "the runs step differently, so that bounds on changes have both"));
  facts.push_back(fmt::format("Not compared: {}.", fmt::join(kNotComparedOfTran, ", ")));
  return facts;
}

DiffTable diff_moments(const RunDiff& diff) {
  DiffTable table{"Worst moments", {"net", "worst before>", "at>", "after>", "at>"}, {}, ""};
  const bool has_scenarios =
      diff.simulation && std::max(diff.simulation->before.scenarios, diff.simulation->after.scenarios) > 1;
  if (has_scenarios) table.headers = {"net", "worst before>", "at>", "in", "after>", "at>", "in"};
  for (const NetChange& net : diff.nets) {
    if (!net.moment) continue;
    std::vector<std::string>& row = table.rows.emplace_back(std::vector{net.name});
    const auto add = [&](bool is_there, double drop, const RunData::Moment& moment) {
      row.push_back(is_there ? volts(drop) : "");
      row.push_back(at(moment));
      if (has_scenarios) row.push_back(moment.scenario);
    };
    add(net.is_in_before, net.whole.worst.before_v, net.moment->before);
    add(net.is_in_after, net.whole.worst.after_v, net.moment->after);
  }
  return table;
}

}  // namespace gridiron
