// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/model/topology.hpp"
#include "linalg/shares.hpp"

namespace gridiron {

/// What voltages are measured from, see System::reference().
struct ReferencePotentials {
  std::vector<double> of_system;  ///< V, per connected system
  double data_error_v = 0;        ///< what potentials and offsets are uncertain by, see DataError
};

/// `system`: of every group of unknown potential, −1 where it floats; the first `own` of these are of this process.
/// `totals`: of the processes that share the grid; null: there is one.
ReferencePotentials reference_potentials(const Topology& topology, std::span<const int32_t> system, int32_t own,
                                         const Shares* totals);

}  // namespace gridiron
