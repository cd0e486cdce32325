// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "analysis/ir/ir_report.hpp"

namespace gridiron {

/// What people read lengths in: µm, or database units where nobody told how many make a µm.
struct LengthUnit {
  std::string_view name = "µm";
  double per_um = 1;
  int decimals = 3;
};

inline LengthUnit length_unit(const IrReport& result) {
  return result.dbu_is_guess ? LengthUnit{"dbu", result.dbu_per_um, 0} : LengthUnit{};
}

}  // namespace gridiron
