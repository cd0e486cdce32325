// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/ir/ir_report.hpp"

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

/// Checks nodes and nets against the limits, allowing for the certified bound. Errors: InputError for nets and layers
/// that do not exist, and for a relative limit on a net whose supply is unknown.
std::vector<LimitResult> check_limits(const IrReport& report, const std::vector<LimitRequest>& limits);

/// "net VDD layer M1: worst drop of 120.6 mV exceeds 90 mV".
std::string describe(const LimitResult& limit);

}  // namespace gridiron
