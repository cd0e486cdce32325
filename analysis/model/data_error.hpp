// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace gridiron {

/// What the numbers of the network are uncertain by, which no solution of it can show.
struct DataError {
  double volts = 0;                        ///< bound on its effect on any voltage
  std::span<const double> given_currents;  ///< per node: the part of injections that `volts` covers, A; empty: none
};

}  // namespace gridiron
