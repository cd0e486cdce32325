// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gridiron {

/// Voltages of the nodes of a netlist, V, as deviations from the operating point: those of merged nodes, and what
/// sources move others by. Views of a state that is kept elsewhere.
struct Potentials {
  std::span<const double> merged;  ///< per merged node
  std::span<const int32_t> group;  ///< per node: its merged node, or beyond the last of these where sources hold it
  std::span<const double> held =
      {};  ///< per node: what sources move it by, against its group or ground; empty: nothing

  size_t size() const { return group.size(); }
  double of_group(int32_t g) const { return static_cast<size_t>(g) < merged.size() ? merged[g] : 0.0; }
  double operator[](size_t n) const { return of_group(group[n]) + (held.empty() ? 0.0 : held[n]); }
};

}  // namespace gridiron
