// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// What people read lengths in: µm, or database units where nobody told how many make a µm.
struct LengthUnit {
  std::string_view name = "µm", ascii = "um";
  double per_um = 1;
  int decimals = 3;
};

inline LengthUnit length_unit(const IrReport& result) {
  return result.dbu_is_guess ? LengthUnit{"dbu", "dbu", result.dbu_per_um, 0} : LengthUnit{};
}

/// A length in this unit; "-" if it is not known.
inline std::string coordinate(const LengthUnit& unit, double um) {
  return std::isfinite(um) ? fmt::format("{:.{}f}", um * unit.per_um, unit.decimals) : "-";
}

}  // namespace gridiron
