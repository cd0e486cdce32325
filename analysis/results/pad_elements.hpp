// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "analysis/results/currents.hpp"

namespace gridiron {

/// The elements of the netlist that pads are; index −1 for added ones.
std::vector<Grid::TieElement> elements_of(const Circuit& circuit, const Topology& topology,
                                          std::span<const PadCurrent> pads);

}  // namespace gridiron
