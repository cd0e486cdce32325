// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "engines/hybrid/params.hpp"
#include "engines/params.hpp"

namespace gridiron {

/// Parameters of PSC on any problem.
struct PscMethodParams {
  std::string method = "auto";
  std::string precision = "single";
  double inner_rtol = 0;

  void visit_method(auto& v) {
    v("method", method, "",
      "m1: inverse of the Schur complement on the edges of cells; m2, finite elements only: inverses of Lambda and "
      "Theta; m3: an iteration there, which stores no large inverse; auto: m1, on power grids only where it is small");
    v("precision", precision, "",
      "of stored matrices and operands, formed in fp64: double, single, tf32, half (fp16) or bfloat; all but double "
      "sum up in fp32");
    v("inner_rtol", inner_rtol, "", "to which m3 iterates; 0: what the precision allows, on power grids 0.1");
  }
};

/// Parameters of PSC on finite elements.
struct PscParams : PscMethodParams {
  std::string form = "stored";
  std::string h0 = "auto";
  std::string refine = "yes";
  std::string condition = "yes";

  void visit_elements(auto& v) {
    v("form", form, "",
      "stored: G = C^-1 D^T beside C^-1, which is applied once; paper: C^-1 twice, and products with D");
    v("h0", h0, "",
      "width of the cells: 1/8, 1/16 … of the unit square, or of the side of a coarse cell; auto: fewest operations "
      "for 4096 right-hand sides, setup included, within memory");
    v("refine", refine, "", "yes or no: repeat for the residual, formed in fp64, until the tolerance is reached");
    v("condition", condition, "", "yes or no: compute the condition numbers for the report");
  }
  void visit(auto& v) {
    visit_method(v);
    visit_elements(v);
  }
};

/// Parameters of PSC on the regular tables of a power grid.
struct PscTablesParams : PscMethodParams {
  int block = 0;
  double group_tolerance = 0;

  void visit_tables(auto& v) {
    v("block", block, "cells", "side of a block of the regular grids, a power of two; 0: 16, or more on large grids");
    v("group_tolerance", group_tolerance, "",
      "blocks whose conductances differ by this share at most have one inverse together; -1: each has its own");
  }
};

/// On power grids one solution of the tables is part of the hybrid iteration.
struct PscHybridParams {
  PscTablesParams tables;
  HybridParams hybrid;

  void visit(auto& v) {
    tables.visit_method(v);
    tables.visit_tables(v);
    hybrid.visit(v);
  }
};

/// All parameters the engine accepts before it knows the problem.
struct PscEngineParams {
  PscParams elements;
  PscHybridParams grids;

  void visit(auto& v) {
    elements.visit(v);
    grids.tables.visit_tables(v);
    grids.hybrid.visit(v);
  }
};

namespace psc {
/// Errors: InputError for an unknown parameter or an invalid value.
PscParams read_psc(const Settings& settings);
PscHybridParams read_psc_on_power_grids(const Settings& settings);
}  // namespace psc

}  // namespace gridiron
