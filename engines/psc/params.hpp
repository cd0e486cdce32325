// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "engines/params.hpp"

namespace gridiron {

/// Parameters of PSC on finite elements.
struct PscParams {
  std::string method = "m1";
  std::string precision = "single";
  std::string form = "stored";
  std::string h0 = "auto";
  std::string refine = "yes";
  double inner_rtol = 0;
  std::string condition = "yes";

  template <class V>
  void visit(V& v) {
    v("method", method, "",
      "m1: inverse of the Schur complement Pi on the edges; m2: inverses of Lambda and Theta; m3: conjugate gradients "
      "for "
      "corners and edges, which stores no large inverse");
    v("precision", precision, "",
      "of stored matrices and operands, formed in fp64: double, single, tf32, half (fp16) or bfloat; all but double "
      "sum up "
      "in fp32");
    v("form", form, "",
      "stored: G = C^-1 D^T beside C^-1, which is applied once; paper: C^-1 twice and sparse products with D");
    v("h0", h0, "",
      "width of the cells: 1/8, 1/16 … of the unit square, or of the side of a coarse cell; auto: fewest operations "
      "for "
      "4096 right-hand sides, setup included, within memory");
    v("refine", refine, "", "yes or no: repeat for the residual, formed in fp64, until the tolerance is reached");
    v("inner_rtol", inner_rtol, "", "relative residual of m3's conjugate gradients; 0: what the precision allows");
    v("condition", condition, "", "yes or no: compute the condition numbers for the report");
  }
};

namespace psc {
/// Errors: InputError for an unknown parameter or an invalid value.
PscParams read_psc(const Settings& settings);
}  // namespace psc

}  // namespace gridiron
