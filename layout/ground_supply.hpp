// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "layout/chip.hpp"
#include "layout/library.hpp"
#include "layout/net_voltages.hpp"
#include "layout/powers.hpp"

namespace gridiron::layout {

/// By which voltages watts become amperes on a ground net.
struct GroundSupply {
  double volts = 0;                       ///< the lowest of them; 0: not known, and there are no watts
  std::vector<double> of_component = {};  ///< by component of the chip where they differ; else empty
};

/// A component draws from the power net that its pins are on, from the one of the lowest voltage if they are on
/// several. Power nets of unknown voltage count as the one that NetVoltages::of_power() chooses. Errors: InputError
/// where nothing tells the voltage for a component that draws watts.
GroundSupply ground_supply(const Library& library, const Chip& chip, const NetVoltages& voltages, int32_t ground,
                           const Powers& powers);

}  // namespace gridiron::layout
