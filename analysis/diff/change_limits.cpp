// SPDX-License-Identifier: Apache-2.0
#include "analysis/diff/change_limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/ir/limits.hpp"
#include "analysis/ir/loose_bound.hpp"
#include "netlist/name_table.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

[[noreturn]] void fail(const std::string& text, const std::string& why) {
  throw InputError(fmt::format("{} {}: {}", field("limit"), text, why));
}

/// None where the limit does not apply to this net.
std::optional<Change> quantity_of(const NetChange& net, const ChangeLimit& limit) {
  if (limit.layer.empty()) {
    if (limit.quantity == "node") return net.highest;
    if (limit.quantity == "p50") return net.p50;
    if (limit.quantity == "p95") return net.p95;
    if (limit.quantity == "p99") return net.p99;
    if (limit.quantity == "p99.9") return net.p999;
    return limit.quantity == "worst" ? net.whole.worst : net.whole.average;
  }
  for (const LayerChange& layer : net.layers)
    if (same_name(layer.layer, limit.layer)) return limit.quantity == "worst" ? layer.worst : layer.average;
  return std::nullopt;
}

/// Value ± bound against the limit. Where no rise at all is allowed, a change that the bounds cannot tell from none
/// counts as none if both runs are as exact as was asked for; nothing could ever be decided there otherwise.
ChangeLimitResult judged(const NetChange& net, const ChangeLimit& limit, const Change& change, bool meet_tolerance) {
  ChangeLimitResult result;
  result.quantity = limit.quantity;
  result.net = net.name;
  result.layer = limit.layer;
  result.limit_v = limit.is_share ? limit.value * net.supply_v : limit.value;
  result.value_v = change.change_v();
  result.bound_v = change.bound_v;
  if (result.limit_v == 0 && meet_tolerance && std::isfinite(change.bound_v) && !change.is_change()) return result;
  result.exceeded = result.value_v - change.bound_v > result.limit_v;
  result.undecided = !result.exceeded && !(result.value_v + change.bound_v <= result.limit_v);
  return result;
}

}  // namespace

ChangeLimit parse_change_limit(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == text.npos || equals + 1 == text.size() || (text[equals + 1] != '+' && text[equals + 1] != '-'))
    fail(text, "expected QUANTITY and a change with its sign, like worst=+5mV or average=-1%");
  const bool is_fall = text[equals + 1] == '-';
  std::string unsigned_text = text.substr(0, equals + 1) + text.substr(equals + 2);
  ChangeLimit limit;
  const std::size_t colon = unsigned_text.rfind(':', equals);
  const std::size_t begin = colon == unsigned_text.npos ? 0 : colon + 1;
  const bool is_of_node = unsigned_text.substr(begin, equals - begin) == "node";
  if (is_of_node) unsigned_text.replace(begin, equals - begin, "worst");
  LimitRequest request;
  try {
    request = parse_limit(unsigned_text);
  } catch (const InputError& e) {
    const std::string why = e.message().substr(e.message().find(unsigned_text) + unsigned_text.size() + 2);
    fail(text, why);
  }
  limit.net = request.net;
  limit.layer = request.layer;
  limit.quantity = is_of_node ? "node" : request.quantity;
  limit.value = is_fall ? -request.value : request.value;
  limit.is_share = request.is_share;
  if (!limit.layer.empty() && limit.quantity != "worst" && limit.quantity != "average")
    fail(text, "of a layer only worst and average are compared");
  return limit;
}

std::vector<ChangeLimitResult> check_change_limits(const RunDiff& diff, const std::vector<ChangeLimit>& limits) {
  std::vector<ChangeLimitResult> results;
  for (const ChangeLimit& limit : limits) {
    std::vector<std::string> known;
    bool applies = false;
    for (const NetChange& net : diff.nets) {
      if (!net.is_in_before || !net.is_in_after) continue;
      known.push_back(net.name);
      if (!limit.net.empty() && !same_name(net.name, limit.net)) continue;
      const std::optional<Change> change = quantity_of(net, limit);
      if (!change) continue;
      applies = true;
      if (limit.is_share && net.supply_v == 0)
        fail(net.name, "the net has no supply voltage that a limit in % could refer to; give it in volts");
      results.push_back(judged(net, limit, *change, diff.meet_tolerance));
    }
    if (applies) continue;
    if (limit.layer.empty() || std::none_of(known.begin(), known.end(), [&](const std::string& name) {
          return limit.net.empty() || same_name(name, limit.net);
        }))
      fail(limit.net, fmt::format("both runs must have the net; they share {}",
                                  known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    const bool has_layers = std::ranges::any_of(
        diff.nets, [](const NetChange& net) { return !net.layers.empty() && !net.layers[0].layer.empty(); });
    fail(limit.net + ":" + limit.layer,
         has_layers ? "both runs must have nodes of the net on this layer"
                    : fmt::format("both runs must tell the layers of their nodes, which *.solution does not; run again "
                                  "with csv among {}",
                                  field("formats")));
  }
  return results;
}

std::string describe(const ChangeLimitResult& limit) {
  const std::string change = limit.value_v == 0 ? "stays the same"
                                                : fmt::format("{} by {:.4g} mV", limit.value_v < 0 ? "falls" : "rises",
                                                              1e3 * std::abs(limit.value_v));
  const std::string what =
      fmt::format("net {}{}{}: {} {}", limit.net, limit.layer.empty() ? "" : " layer ", limit.layer,
                  limit.quantity == "node" ? "the drop of a node" : limit.quantity + " drop", change);
  const std::string allowed = limit.limit_v < 0 ? fmt::format("a fall of {:.4g} mV", -1e3 * limit.limit_v)
                                                : fmt::format("a rise of {:.4g} mV", 1e3 * limit.limit_v);
  const std::string verb = limit.limit_v < 0 ? "asked for" : "allowed";
  if (limit.exceeded) return fmt::format("{}, {} was {}", what, allowed, verb);
  if (limit.undecided)
    return fmt::format("{}, {}; {} was {}", what, certified_only_to(limit.bound_v, "V"), allowed, verb);
  return fmt::format("{}, within {}", what, allowed);
}

}  // namespace gridiron
