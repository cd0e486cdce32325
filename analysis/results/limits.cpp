// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/model/findings.hpp"
#include "analysis/model/nets.hpp"
#include "analysis/results/loose_bound.hpp"
#include "analysis/results/net_statistics.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/values/quantity.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/nearest_names.hpp"
#include "support/parallel_arrays.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

constexpr std::string_view kQuantities[] = {"worst", "average", "p50", "p95", "p99", "p99.9"};

/// Worst and average drop and percentiles, by name.
double quantity_of(double worst, double average, const Percentiles& percentiles, std::string_view quantity) {
  if (quantity == "worst") return worst;
  if (quantity == "average") return average;
  if (quantity == "p50") return percentiles.p50;
  if (quantity == "p95") return percentiles.p95;
  if (quantity == "p99") return percentiles.p99;
  return percentiles.p999;
}

double quantity_of(const NetResult& net, std::string_view quantity) {
  return quantity_of(net.worst_drop_v, net.average_drop_v, net.percentiles_v, quantity);
}

double quantity_of(const std::vector<double>& drops, std::string_view quantity) {
  Statistics all;
  for (const double drop : drops) all.add(drop, 0);
  return quantity_of(all.largest.value, all.average(), percentiles_of(drops), quantity);
}

std::vector<double> drops_on(const NodeTable& nodes, int32_t net, int32_t layer) {
  std::vector<double> drops;
  for (size_t n = 0; n < nodes.net.size(); ++n)
    if (nodes.net[n] == net && nodes.layer[n] == layer) drops.push_back(nodes.drop_v[n]);
  return drops;
}

[[noreturn]] void fail(const std::string& text, const std::string& why) {
  throw field_error("limit", "{}: {}", text, why);
}

int32_t layer_of(const IrReport& report, const LimitRequest& limit) {
  if (limit.layer.empty()) return -1;
  for (size_t k = 0; k < report.layer_names.size(); ++k)
    if (same_name(report.layer_names[k], limit.layer)) return static_cast<int32_t>(k);
  fail(limit.net + ":" + limit.layer,
       fmt::format("the netlist has no such layer; it has {}", names_near(limit.layer, report.layer_names)));
}

/// Instances with a pin at a node above the limit.
int64_t count_instances(const IrReport& report, int32_t net, int32_t layer, double limit_v) {
  const NodeTable& nodes = report.nodes;
  const auto is_above = [&](NodeId n) {
    return n != kGround && nodes.net[n] == net && (layer < 0 || nodes.layer[n] == layer) && nodes.drop_v[n] > limit_v;
  };
  return parallel_sum<int64_t>(std::ssize(report.instances), [&](int64_t i) {
    const InstanceResult& instance = report.instances[i];
    return is_above(instance.power) || is_above(instance.ground) ? 1 : 0;
  });
}

}  // namespace

LimitRequest parse_limit(const std::string& text, std::span<const std::string_view> more) {
  LimitRequest limit;
  std::string value = text;
  if (const size_t colon = value.rfind(':'); colon != std::string::npos) {
    limit.net = value.substr(0, colon);
    value = value.substr(colon + 1);
    if (const size_t second = limit.net.find(':'); second != std::string::npos) {
      limit.layer = limit.net.substr(second + 1);
      limit.net.resize(second);
      if (limit.layer.empty()) fail(text, "names no layer; expected NET:LAYER:QUANTITY=LIMIT");
    }
    if (limit.net.empty()) fail(text, "names no net; expected NET:QUANTITY=LIMIT");
  }
  if (const size_t equals = value.find('='); equals != std::string::npos) {
    limit.quantity = value.substr(0, equals);
    value = value.substr(equals + 1);
  }
  std::vector<std::string_view> known(std::begin(kQuantities), std::end(kQuantities));
  append(known, more);
  if (std::ranges::find(known, limit.quantity) == known.end())
    fail(text, fmt::format("unknown quantity '{}'; known are {}{}", limit.quantity, fmt::join(known, ", "),
                           did_you_mean(limit.quantity, known)));
  limit.is_share = value.ends_with('%');
  if (limit.is_share) value.pop_back();
  const auto number = limit.is_share ? quantity(value, Quantity::pure) : quantity_with_unit(value, Quantity::voltage);
  if (!number || !(*number >= 0) || !std::isfinite(*number))
    fail(text, std::ranges::find(more, limit.quantity) == more.end()
                   ? "expected a percentage like 5% or a voltage like 50mV"
                   : fmt::format("expected a percentage like {}=80%", limit.quantity));
  limit.value = limit.is_share ? *number / 100 : *number;
  return limit;
}

std::string text_of(const LimitRequest& limit) {
  std::string text = limit.net;
  for (const std::string& word : {limit.layer, limit.quantity})
    if (!word.empty()) text += (text.empty() ? "" : ":") + word;
  return limit.is_share ? fmt::format("{}={:g}%", text, 100 * limit.value) : fmt::format("{}={:g}V", text, limit.value);
}

std::string no_supply(const std::string& net) {
  return fmt::format(
      "net {} has no supply voltage that a limit in % could refer to; give {} NET=VOLTS of its power net, or the limit "
      "in volts",
      net, field("nominal"));
}

void refuse_second_limit(const std::string& text, const std::string& earlier) {
  fail(text,
       fmt::format("contradicts {} {}, which is of the same quantity; leave one of them out", field("limit"), earlier));
}

int64_t count_above(const NodeTable& nodes, int32_t net, int32_t layer, double limit_v) {
  return parallel_sum<int64_t>(std::ssize(nodes.net), [&](int64_t n) {
    return nodes.net[n] == net && (layer < 0 || nodes.layer[n] == layer) && nodes.drop_v[n] > limit_v ? 1 : 0;
  });
}

std::vector<LimitResult> check_limits(const IrReport& report, const std::vector<LimitRequest>& limits) {
  const Certificate& certificate = report.certificate;
  std::vector<LimitResult> out;
  for (const LimitRequest& limit : limits) {
    const int32_t layer = layer_of(report, limit);
    bool is_known = limit.net.empty();
    for (size_t k = 0; k < report.nets.size(); ++k) {
      const NetResult& net = report.nets[k];
      if (!limit.net.empty() && !same_name(net.name, limit.net)) continue;
      is_known = true;
      if (net.nodes == 0 && !limit.net.empty()) fail(limit.net, "no node belongs to this net");
      if (net.nodes == 0) continue;
      if (limit.is_share && net.supply_v == 0) throw InputError(no_supply(net.name));
      LimitResult r;
      r.quantity = limit.quantity;
      r.net = net.name;
      r.layer = layer < 0 ? "" : report.layer_names[layer];
      r.limit_v = limit.is_share ? limit.value * net.supply_v : limit.value;
      r.bound_v = certificate.is_estimated ? certificate.max_error_v : certificate.bound_v();
      r.is_estimated = certificate.is_estimated;
      r.is_accepted = certificate.is_accepted;
      r.nodes = net.nodes;
      if (layer < 0) {
        r.value_v = quantity_of(net, limit.quantity);
      } else {
        const std::vector<double> drops = drops_on(report.nodes, static_cast<int32_t>(k), layer);
        if (drops.empty()) fail(limit.net + ":" + limit.layer, "the net has no nodes on this layer");
        r.nodes = std::ssize(drops);
        r.value_v = quantity_of(drops, limit.quantity);
      }
      if (limit.quantity != "average" && !report.nodes.drop_v.empty()) {
        r.failed = count_above(report.nodes, static_cast<int32_t>(k), layer, r.limit_v);
        if (!report.instances.empty())
          r.failed_instances = count_instances(report, static_cast<int32_t>(k), layer, r.limit_v);
      }
      r.exceeded = r.value_v > r.limit_v;
      r.undecided = !r.exceeded && !(r.value_v + r.allowed_error_v() <= r.limit_v);
      out.push_back(std::move(r));
    }
    if (!is_known) fail(limit.net, "the netlist has no such net; it has " + nets_near(limit.net, report.nets));
  }
  return out;
}

std::vector<std::string> find_unjudged_nets(const std::vector<std::string>& left_out_nets,
                                            const std::vector<LimitRequest>& limits, bool has_limits_on_metal) {
  const bool are_on_all =
      has_limits_on_metal || std::ranges::any_of(limits, [](const LimitRequest& limit) { return limit.net.empty(); });
  return are_on_all ? left_out_nets : std::vector<std::string>();
}

Finding net_not_judged(std::string_view subject, const std::vector<std::string>& nets, bool can_name_net) {
  return {Finding::Severity::warning, kNetNotJudged,
          fmt::format("{} {}, which {} leaves out; {}leave {} out", subject, first_names(nets), field("net"),
                      can_name_net ? "name the net that they are for, as in NET:5%, or " : "", field("net")),
          ""};
}

std::vector<Finding> check_reach_of_limits(const IrReport& report, bool can_name_net) {
  std::vector<Finding> findings;
  const auto warn = [&](const char* code, std::string message) {
    findings.push_back({Finding::Severity::warning, code, std::move(message), ""});
  };
  if (!report.unjudged_nets.empty())
    findings.push_back(net_not_judged("limits on all nets do not judge", report.unjudged_nets, can_name_net));
  for (const LimitResult& limit : report.limits) {
    const auto net = std::ranges::find(report.nets, limit.net, &NetResult::name);
    if (net == report.nets.end() || net->supply_v == 0 || limit.limit_v < net->supply_v) continue;
    warn("wide-limit",
         fmt::format(
             "the limit {}={:.4g}V of net {} is not below its supply of {:.4g} V, so that hardly anything exceeds "
             "it; is its unit right?",
             limit.quantity, limit.limit_v, shown(limit.net), net->supply_v));
  }
  return findings;
}

std::vector<Finding> check_left_out(const LeftOut& left_out, const std::vector<LimitRequest>& limits,
                                    bool has_limits_on_metal, const std::string& net, std::string_view subject) {
  const bool concerns =
      (has_limits_on_metal && left_out.concerns(net)) || std::ranges::any_of(limits, [&](const LimitRequest& limit) {
        return left_out.concerns(limit.net.empty() ? net : limit.net);
      });
  if (!concerns) return {};
  std::vector<std::string> nets;
  for (const std::string& own : left_out.nets) nets.push_back(own.empty() ? "no known net" : "net " + shown(own));
  const bool is_one = left_out.parts.size() == 1;
  return {
      {Finding::Severity::warning, kLimitLeftOut,
       fmt::format("{} are not judged in {}, of {}, that {} left out; connect {}, or {}", subject,
                   counted(std::ssize(left_out.parts), "island"), first_names(nets), is_one ? "is" : "are",
                   is_one ? "it" : "them",
                   has_limits_on_metal ? fmt::format("name another net by {}", field("net")) : "limit other nets only"),
       ""}};
}

std::string describe(const LimitResult& limit) {
  const std::string where = fmt::format("net {}{}{}", limit.net, limit.layer.empty() ? "" : " layer ", limit.layer);
  const size_t at = limit.quantity.find('@');  // before a window of time
  const std::string value =
      fmt::format("{}{}{} of {:.4g} mV", limit.quantity.substr(0, at), limit.quantity == "overshoot" ? "" : " drop",
                  at == std::string::npos ? "" : " in " + limit.quantity.substr(at + 1), 1e3 * limit.value_v);
  if (limit.exceeded)
    return fmt::format(
        "{}: {} exceeds {:.4g} mV{}{}", where, value, 1e3 * limit.limit_v,
        limit.value_v - limit.limit_v <= limit.time_error_v
            ? by_less_than(limit.value_v - limit.limit_v, limit.time_error_v, "V", "estimated error in time")
            : by_less_than(limit.value_v - limit.limit_v, limit.bound_v, "V",
                           limit.is_estimated ? "estimated error" : "certified error"),
        limit.failed > 1 ? fmt::format(", one of {} nodes that do", limit.failed) : "");
  if (limit.is_open)
    return fmt::format("{}: {} is within {:.4g} mV, but steps pass by some of what sources do", where, value,
                       1e3 * limit.limit_v);
  if (limit.undecided && limit.is_estimated && !(limit.value_v + limit.bound_v <= limit.limit_v))
    return fmt::format("{}: {} is within {:.4g} mV, but its error of {:.2g} V, an estimate, leaves it open", where,
                       value, 1e3 * limit.limit_v, limit.bound_v);
  if (limit.undecided && limit.is_estimated && !limit.is_accepted)
    return fmt::format("{}: {} is within {:.4g} mV, but its error of {:.2g} V is an estimate; accept it by {}", where,
                       value, 1e3 * limit.limit_v, limit.bound_v, field("accept_estimate"));
  if (limit.undecided && limit.value_v + limit.bound_v <= limit.limit_v)
    return fmt::format("{}: {} is within {:.4g} mV, but the error in time is estimated at {:.2g} V", where, value,
                       1e3 * limit.limit_v, limit.time_error_v);
  if (limit.undecided)
    return fmt::format("{}: {} is within {:.4g} mV, but {}", where, value, 1e3 * limit.limit_v,
                       certified_only_to(limit.bound_v, "V"));
  return fmt::format("{}: {} is within {:.4g} mV", where, value, 1e3 * limit.limit_v);
}

}  // namespace gridiron
