// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/tran_limits.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "analysis/ir/statistics.hpp"

namespace gridiron {
namespace {

constexpr std::array<std::string_view, 3> kOverTime = {"time-average", "rms", "overshoot"};

const std::vector<double>& column_of(const TranReport& report, std::string_view quantity) {
  if (quantity == kOverTime[0]) return report.average_drop_v;
  return quantity == kOverTime[1] ? report.rms_drop_v : report.overshoot_v;
}

/// As if the column were drops.
IrReport report_on(const TranReport& report, std::string_view quantity) {
  const IrReport& worst = report.worst;
  IrReport other;
  other.layer_names = worst.layer_names;
  other.certificate = worst.certificate;
  other.nodes = worst.nodes;
  other.nodes.drop_v = column_of(report, quantity);
  other.nets = worst.nets;
  for (NetResult& net : other.nets) net.layers.clear();
  add_statistics(other.nodes, other.nets);
  return other;
}

}  // namespace

LimitRequest parse_tran_limit(const std::string& text) { return parse_limit(text, kOverTime); }

std::vector<LimitResult> check_tran_limits(const TranReport& report, const std::vector<LimitRequest>& limits) {
  std::vector<LimitResult> results;
  for (LimitRequest limit : limits) {
    const std::string quantity = limit.quantity;
    const bool is_over_time = std::find(kOverTime.begin(), kOverTime.end(), quantity) != kOverTime.end();
    if (is_over_time) limit.quantity = "worst";
    for (LimitResult& result : check_limits(is_over_time ? report_on(report, quantity) : report.worst, {limit})) {
      result.quantity = quantity;
      results.push_back(std::move(result));
    }
  }
  return results;
}

}  // namespace gridiron
