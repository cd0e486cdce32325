// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/model/grid.hpp"
#include "netlist/circuit.hpp"

namespace gridiron {

/// The current sources with an end in a part that floats, ascending.
std::vector<int64_t> sources_at_floating(const Circuit& circuit, const Parts& parts);

/// A node that floats and what sources inject into it. That is an error unless it cancels: no report would show the
/// drop that it causes.
struct FloatingLoad {
  NodeId node = kGround;
  int64_t source = -1;  ///< the first that carries current there
  double amperes = 0;
  bool cancels = false;  ///< up to rounding the sources add up to nothing, so that no current flows
};

/// The nodes at which one of `sources`, out of sources_at_floating(), carries current, ascending. Source i draws
/// amperes[i].
std::vector<FloatingLoad> floating_loads(const Circuit& circuit, const Parts& parts, std::span<const int64_t> sources,
                                         std::span<const double> amperes);

}  // namespace gridiron
