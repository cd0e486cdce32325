// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/model/branches.hpp"
#include "analysis/model/deck/islands.hpp"
#include "analysis/model/finding.hpp"
#include "analysis/model/grid.hpp"
#include "analysis/model/matrices/matrix_findings.hpp"
#include "analysis/model/nets.hpp"
#include "netlist/circuit.hpp"
#include "netlist/names/node_place.hpp"
#include "regularize/merge.hpp"

namespace gridiron {

/// A grid, what its ties and resistors join, its supply nets, and what is wrong with them. Immutable once made.
struct Topology {
  Grid grid;
  Merge merge;
  Parts parts;
  Branches branches;
  std::vector<AddedPad> added_pads;
  Nets nets;
  LeftOut left_out;
  std::vector<Finding> findings;  ///< of ties, parts and nets
};

/// Errors: InputError when `overrides` name a net that does not exist.
Topology make_topology(const Circuit& circuit, const NodePlaces& places, const std::map<std::string, double>& overrides,
                       const IslandRule& islands = {}, Matrices allowed = Matrices::m_matrix);

/// That of a deck with other sources and pads. Nets that have a source in the deck keep name and nominal voltage; those
/// that only added pads feed are named after these. `grid` has the nodes and edges of the deck's. Errors: GridError
/// where an island that the deck's topology leaves out is fed, as its loads are gone.
Topology with_other_pads(const Circuit& circuit, const NodePlaces& places,
                         const std::map<std::string, double>& overrides, const Topology& deck, Grid grid,
                         std::vector<AddedPad> pads);

}  // namespace gridiron
