// SPDX-License-Identifier: Apache-2.0
#include "analysis/diff/change_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/model/findings.hpp"
#include "analysis/model/nets.hpp"
#include "analysis/results/limits.hpp"
#include "analysis/results/loose_bound.hpp"
#include "netlist/names/name_table.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

[[noreturn]] void fail(const std::string& text, const std::string& why) {
  throw field_error("limit", "{}: {}", text, why);
}

/// What a limit is on.
struct Subject {
  Change change;
  bool is_gone = false;
};

/// None where the limit does not apply to this net.
std::optional<Subject> subject_of(const NetChange& net, const ChangeLimit& limit) {
  if (limit.layer.empty()) {
    const auto with = [&](const Change& change) { return Subject{change, !net.is_in_after}; };
    if (limit.quantity == "node") return with(net.is_in_before ? net.highest : net.whole.worst);
    if (limit.quantity == "p50") return with(net.p50);
    if (limit.quantity == "p95") return with(net.p95);
    if (limit.quantity == "p99") return with(net.p99);
    if (limit.quantity == "p99.9") return with(net.p999);
    return with(limit.quantity == "worst" ? net.whole.worst : net.whole.average);
  }
  for (const LayerChange& layer : net.layers)
    if (same_name(layer.layer, limit.layer))
      return Subject{limit.quantity == "worst" ? layer.worst : layer.average, layer.nodes_after == 0};
  return std::nullopt;
}

/// Value ± bound against the limit. Where no rise at all is allowed, a change that the bounds cannot tell from none
/// counts as none if both runs are as exact as was asked for; nothing could ever be decided there otherwise.
ChangeLimitResult judged(const NetChange& net, const ChangeLimit& limit, const Subject& subject, const RunDiff& diff) {
  const Change& change = subject.change;
  ChangeLimitResult result;
  result.quantity = limit.quantity;
  result.net = net.name;
  result.layer = limit.layer;
  result.limit_v = limit.is_share ? limit.value * net.supply_v : limit.value;
  result.value_v = change.change_v();
  result.bound_v = change.bound_v;
  result.time_error_v = diff.errors_in_time_v;
  if (subject.is_gone) {
    result.undecided = true;
    result.open = "only the first run has it";
    return result;
  }
  if (result.limit_v == 0 && diff.meet_tolerance && std::isfinite(change.bound_v) && !change.is_change()) return result;
  result.exceeded = result.value_v - change.bound_v > result.limit_v;
  result.undecided = !result.exceeded && !(result.value_v + change.bound_v <= result.limit_v);
  return result;
}

/// A node that only the second run has may have risen by all that it drops, or from what a node beside it dropped.
void leave_open_new_nodes(const RunData& after, const NetChange& net, ChangeLimitResult& result) {
  if (result.quantity != "node" || !net.is_in_before || net.worst_new < 0 || result.exceeded) return;
  const double drop = after.drop_v[net.worst_new];
  if (drop + after.bound_v <= result.limit_v) return;
  result.undecided = true;
  result.open = fmt::format("{} new, {} with a drop of {:.4g} mV most, and did not drop by anything before",
                            net.only_after == 1 ? "1 node is" : fmt::format("{} nodes are", net.only_after),
                            shown(after.names[net.worst_new]), 1e3 * drop);
}

/// Drops of a power net and bounces of a ground net are no two values of one quantity.
void leave_open_turned_nets(const NetChange& net, ChangeLimitResult& result) {
  if (net.supply.before.is_ground == net.supply.after.is_ground) return;
  result.exceeded = false;
  result.undecided = true;
  result.open = net.supply.after.is_ground ? "it was a power net and is a ground net now"
                                           : "it was a ground net and is a power net now";
}

bool is_called(const NetChange& net, const std::string& name) {
  return same_name(net.name, name) || (!net.name_before.empty() && same_name(net.name_before, name));
}

}  // namespace

std::vector<ChangeLimit> parse_change_limits(std::span<const std::string> texts) {
  return parse_limits(texts, parse_change_limit);
}

constexpr std::string_view kOfChanges[] = {"node"};  // besides the quantities of one run

ChangeLimit parse_change_limit(const std::string& text) {
  const size_t equals = text.rfind('=');
  if (equals == text.npos || equals + 1 == text.size() || (text[equals + 1] != '+' && text[equals + 1] != '-'))
    fail(text, "expected QUANTITY and a change with its sign, like worst=+5mV or average=-1%");
  const bool is_fall = text[equals + 1] == '-';
  const std::string unsigned_text = text.substr(0, equals + 1) + text.substr(equals + 2);
  ChangeLimit limit;
  LimitRequest request;
  try {
    request = parse_limit(unsigned_text, kOfChanges);
  } catch (const InputError& e) {
    const std::string why = e.message().substr(e.message().find(unsigned_text) + unsigned_text.size() + 2);
    fail(text, why);
  }
  limit.net = request.net;
  limit.layer = request.layer;
  limit.quantity = request.quantity;
  limit.value = is_fall ? -request.value : request.value;
  limit.is_share = request.is_share;
  if (!limit.layer.empty() && limit.quantity != "worst" && limit.quantity != "average")
    fail(text, "of a layer only worst and average are compared");
  return limit;
}

std::vector<ChangeLimitResult> check_change_limits(const RunData& after, const RunDiff& diff,
                                                   const std::vector<ChangeLimit>& limits) {
  std::vector<ChangeLimitResult> results;
  for (const ChangeLimit& limit : limits) {
    bool is_known = limit.net.empty(), applies = false;
    for (const NetChange& net : diff.nets) {
      if (!limit.net.empty() && !is_called(net, limit.net)) continue;
      is_known = true;
      const std::optional<Subject> subject = subject_of(net, limit);
      if (!subject) continue;
      applies = true;
      if (limit.is_share && net.supply_v == 0 && !subject->is_gone)
        fail(net.name, "the net has no supply voltage that a limit in % could refer to; give it in volts");
      leave_open_new_nodes(after, net, results.emplace_back(judged(net, limit, *subject, diff)));
      leave_open_turned_nets(net, results.back());
    }
    if (applies) continue;
    if (!is_known || limit.layer.empty())
      fail(limit.net.empty() ? limit.quantity : limit.net,
           "neither run has the net; they have " + nets_near(limit.net, diff.nets));
    const bool has_layers = std::ranges::any_of(
        diff.nets, [](const NetChange& net) { return !net.layers.empty() && !net.layers[0].layer.empty(); });
    fail(limit.net + ":" + limit.layer,
         has_layers ? "neither run has nodes of the net on this layer"
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
  if (!limit.open.empty())
    return fmt::format(
        "net {}{}{}: {}, so that a limit on its {} cannot be judged; name what else the limit is for, as in "
        "NET:{}=+5mV",
        limit.net, limit.layer.empty() ? "" : " layer ", limit.layer, limit.open,
        limit.quantity == "node" ? "nodes" : limit.quantity + " drop", limit.quantity);
  if (limit.undecided && limit.needs_steps())
    return fmt::format(
        "{}, but the errors in time of the two runs, which step differently, are estimated at {:.2g} V; {} "
        "was {}",
        what, limit.time_error_v, allowed, verb);
  if (limit.undecided)
    return fmt::format("{}, {}; {} was {}", what, certified_only_to(limit.bound_v, "V"), allowed, verb);
  return fmt::format("{}, within {}", what, allowed);
}

}  // namespace gridiron
