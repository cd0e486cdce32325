// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/diff_limit_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/results/stress/lifetime_limit.hpp"
#include "reports/text/numbers.hpp"

namespace gridiron {
namespace {

std::string value_text(const RunLimit& limit, const std::optional<double>& value, std::string_view micro) {
  if (!value) return "none";
  if (limit.unit == RunLimit::Unit::share) return fmt::format("{:.4g} %", 100 * *value);
  if (limit.unit == RunLimit::Unit::seconds) return lifetime_text(*value);
  return with_unit(*value, name_of(limit.unit), micro);
}

std::string kind_text(RunLimitChange::Kind kind) {
  switch (kind) {
    case RunLimitChange::Kind::looser:
      return "LOOSER";
    case RunLimitChange::Kind::tighter:
      return "tighter";
    case RunLimitChange::Kind::added:
      return "new";
    default:
      return "GONE";
  }
}

std::string place_text(const RunLimit& limit) {
  return (limit.net.empty() ? "" : " of net " + limit.net) + (limit.layer.empty() ? "" : ", layer " + limit.layer);
}

}  // namespace

std::string looser_limits_text(const RunDiff& diff) {
  const auto more = std::ranges::count_if(diff.run_limits, &RunLimitChange::allows_more);
  if (more == 0) return "";
  const RunLimitChange& first = diff.run_limits.front();
  const std::string others = more > 1 ? fmt::format("; {} more, see the table", more - 1) : "";
  return fmt::format("Attention: the second run was judged less strictly: its limit on {}{} {}{}.", first.of.quantity,
                     place_text(first.of),
                     first.after ? fmt::format("is {}, and was {}", value_text(first.of, first.after, "u"),
                                               value_text(first.of, first.before, "u"))
                                 : fmt::format("of {} is gone", value_text(first.of, first.before, "u")),
                     others);
}

DiffTable diff_run_limits(const RunDiff& diff, std::string_view micro) {
  DiffTable table{"Limits of the runs", {"quantity", "net", "layer", "before>", "after>", ""}, {}, ""};
  for (const RunLimitChange& change : diff.run_limits)
    table.rows.push_back({change.of.quantity, change.of.net, change.of.layer,
                          value_text(change.of, change.before, micro), value_text(change.of, change.after, micro),
                          kind_text(change.kind)});
  return table;
}

}  // namespace gridiron
