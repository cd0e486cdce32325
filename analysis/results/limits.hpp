// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "netlist/names/name_table.hpp"

namespace gridiron {

/// A limit as given by the user.
struct LimitRequest {
  std::string net, layer;          ///< empty: every net, the whole net
  std::string quantity = "worst";  ///< worst, average, p50, p95, p99, p99.9
  double value = 0;                ///< volts, or a fraction of the supply if `is_share`
  bool is_share = false;
};

/// Reads [NET:[LAYER:]][QUANTITY=]VALUE, where VALUE is a percentage or a voltage with its unit: "5%", "p99=40mV",
/// "VDD:5%", "VDD:M1:average=1%". `more`: quantities known besides those of LimitRequest. Errors: InputError.
LimitRequest parse_limit(const std::string& text, std::span<const std::string_view> more = {});

/// "VDD:M1:average=1%", "worst=0.05V".
std::string text_of(const LimitRequest& limit);

/// "net VSS has no supply voltage that a limit in % could refer to; …".
std::string no_supply(const std::string& net);

/// Errors: InputError, for a limit that `text` gives a second value.
[[noreturn]] void refuse_second_limit(const std::string& text, const std::string& earlier);

/// Several limits, each read by `parse`. What is said twice counts once; a share of the supply and a voltage may stand
/// beside each other, as may a limit on all nets and one on a net: each is judged. Errors: those of `parse`; InputError
/// for two values of one limit.
auto parse_limits(std::span<const std::string> texts, auto parse) {
  std::vector<decltype(parse(texts[0]))> limits;
  std::vector<std::string> text_of;
  for (const std::string& text : texts) {
    auto limit = parse(text);
    const auto same = std::ranges::find_if(limits, [&](const auto& other) {
      return same_name(limit.net, other.net) && same_name(limit.layer, other.layer) &&
             limit.quantity == other.quantity && limit.is_share == other.is_share;
    });
    if (same == limits.end()) {
      limits.push_back(std::move(limit));
      text_of.push_back(text);
    } else if (same->value != limit.value) {
      refuse_second_limit(text, text_of[same - limits.begin()]);
    }
  }
  return limits;
}
inline std::vector<LimitRequest> parse_limits(std::span<const std::string> texts) {
  return parse_limits(texts, [](const std::string& text) { return parse_limit(text); });
}

/// Checks nodes and nets against the limits, allowing for the certified bound. Errors: InputError for nets and layers
/// that do not exist, and for a relative limit on a net whose supply is unknown.
std::vector<LimitResult> check_limits(const IrReport& report, const std::vector<LimitRequest>& limits);

/// How many of these nodes are on a net, on a layer of it where that is not −1, and above a limit, V.
int64_t count_above(const NodeTable& nodes, int32_t net, int32_t layer, double limit_v);

/// The nets that are left out, if one of these limits is on all nets; limits on currents are.
std::vector<std::string> find_unjudged_nets(const std::vector<std::string>& left_out_nets,
                                            const std::vector<LimitRequest>& limits, bool has_limits_on_metal);

/// Warnings of nets that limits on all nets do not judge, and of limits that hardly any drop can exceed, as they are
/// not below the supply. `can_name_net`: none of these limits is always on all nets, as those on currents are.
std::vector<Finding> check_reach_of_limits(const IrReport& report, bool can_name_net);

/// A warning of nets that are left out of a report, which `subject` concerns as well.
Finding net_not_judged(std::string_view subject, const std::vector<std::string>& nets, bool can_name_net);
inline constexpr const char* kNetNotJudged = "net-not-judged";  ///< the code of that

/// A warning where one of the limits is on a net of which islands are left out, or may be: neither kept nor exceeded.
/// `net`: the only one that is reported; empty: all. Limits on metal are on all nets. `subject`: what the limits are.
std::vector<Finding> check_left_out(const LeftOut& left_out, const std::vector<LimitRequest>& limits,
                                    bool has_limits_on_metal, const std::string& net = {},
                                    std::string_view subject = "limits");
inline constexpr const char* kLimitLeftOut = "limit-left-out";  ///< the code of that

/// "net VDD layer M1: worst drop of 120.6 mV exceeds 90 mV, one of 12 nodes that do".
std::string describe(const LimitResult& limit);

}  // namespace gridiron
