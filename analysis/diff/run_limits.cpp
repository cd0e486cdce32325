// SPDX-License-Identifier: Apache-2.0
#include "analysis/diff/run_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gridiron {
namespace {

const RunLimit* same_limit(const std::vector<RunLimit>& limits, const RunLimit& wanted) {
  const auto found = std::ranges::find_if(limits, [&](const RunLimit& limit) { return limit.is_on_the_same(wanted); });
  return found == limits.end() ? nullptr : &*found;
}

}  // namespace

std::string lifetime_name(std::string_view of, const std::optional<double>& percent) {
  const std::string some = percent ? fmt::format(" of {:g} % of the samples", *percent) : "";
  if (of == kLifetimesOf[static_cast<size_t>(LifetimeOf::failure)]) return "lifetime to the IR-drop failure" + some;
  return "lifetime" + (some.empty() ? " to the first void" : some);
}

void add_limit(std::vector<RunLimit>& limits, RunLimit limit) {
  for (RunLimit& other : limits)
    if (other.is_on_the_same(limit)) {
      if (other.is_looser_than(limit)) other.value = limit.value;
      return;
    }
  limits.push_back(std::move(limit));
}

std::vector<RunLimit> limits_of(const IrReport& report) {
  using Unit = RunLimit::Unit;
  std::vector<RunLimit> limits;
  for (const LimitResult& limit : report.limits)
    add_limit(limits, {limit.quantity, limit.net, limit.layer, Unit::volts, limit.limit_v});
  for (const EmLimitResult& limit : report.em_limits)
    add_limit(limits, {current_name(limit.quantity), limit.net, limit.layer, Unit::amperes, limit.limit_a});
  if (report.em && report.em->limit) add_limit(limits, {"em", "", "", Unit::share, report.em->limit->limit});
  if (!report.stress) return limits;
  if (report.stress->limit) add_limit(limits, {"stress", "", "", Unit::pascals, report.stress->limit->limit_pa});
  for (const LifetimeLimit& limit : report.stress->lifetime_limits)
    add_limit(limits, {lifetime_name(kLifetimesOf[static_cast<size_t>(limit.of)], limit.percent), "", "", Unit::seconds,
                       limit.limit_s});
  return limits;
}

std::vector<RunLimitChange> limit_changes(const std::vector<RunLimit>& before, const std::vector<RunLimit>& after) {
  using Kind = RunLimitChange::Kind;
  std::vector<RunLimitChange> changes;
  for (const RunLimit& limit : after) {
    const RunLimit* const earlier = same_limit(before, limit);
    if (!earlier)
      changes.push_back({limit, {}, limit.value, Kind::added});
    else if (earlier->value != limit.value)
      changes.push_back(
          {limit, earlier->value, limit.value, limit.is_looser_than(*earlier) ? Kind::looser : Kind::tighter});
  }
  for (const RunLimit& limit : before)
    if (!same_limit(after, limit)) changes.push_back({limit, limit.value, {}, Kind::gone});
  std::stable_partition(changes.begin(), changes.end(), [](const RunLimitChange& c) { return c.allows_more(); });
  return changes;
}

}  // namespace gridiron
