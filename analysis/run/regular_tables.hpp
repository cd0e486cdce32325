// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/run/ir_drop.hpp"
#include "engines/params.hpp"
#include "netlist/circuit.hpp"
#include "regularize/tables.hpp"

namespace gridiron {

/// Parameters of `gridiron regularize`.
struct RegularizeParams {
  double grid_scale = 1;
  std::string plane = "layered";

  void visit(auto& v) {
    v("grid_scale", grid_scale, "", "cells per node of a layer, or per node location on a single plane");
    v("plane", plane, "", "layered: tables per metal layer with vias between; single: all layers on one plane");
  }
};

/// The regular tables of one net, and sums over the network and the tables.
struct RegularNet {
  std::string name;
  std::vector<std::string> layers;  ///< per layer of the tables
  GridTables tables;

  struct Network {
    int64_t nodes = 0, edges = 0;
    int64_t edges_inside_cells = 0;  ///< these vanish
    int64_t edges_to_other_nets = 0;
    double wires_s = 0, vias_s = 0;  ///< conductance of the edges within a layer and between layers
    double pads_s = 0;               ///< edges to other nets included
    double injection_a = 0;          ///< loads, plus what pads drive into a grid at its reference potential
    void visit(auto& v) const {
      v("nodes", nodes)("edges", edges)("edges_inside_cells", edges_inside_cells);
      v("edges_to_other_nets", edges_to_other_nets)("wire_conductance_s", wires_s)("via_conductance_s", vias_s);
      v("pad_conductance_s", pads_s)("injection_a", injection_a);
    }
  } network;

  int64_t cells_with_nodes = 0;
  double gh_s = 0, gv_s = 0, via_s = 0, gz_s = 0, iz_a = 0;  ///< sums over the tables

  int64_t used_cells() const { return int64_t{tables.layers} * tables.used_nx * tables.used_ny; }
};

struct RegularTables {
  ParamList parameters;
  int64_t nodes = 0;     ///< of the netlist, ground included
  int64_t unknowns = 0;  ///< after the reduction
  std::vector<RegularNet> nets;
  std::vector<Finding> findings;  ///< of islands that are left out
  struct {
    double reduce = 0, regularize = 0;
  } timings_s;
};

/// The nets of a circuit on regular grids; of `options`, only those of the checks and the reduction, the net name and,
/// as settings, those of RegularizeParams apply. Floating parts are excluded. Errors: those of System; InputError if
/// nodes have no coordinates, if --net names no net, or if the reduction leaves nothing.
RegularTables regularize_netlist(const Circuit& circuit, const IrOptions& options);

}  // namespace gridiron
