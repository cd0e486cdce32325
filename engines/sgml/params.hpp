// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "engines/hybrid/params.hpp"

namespace gridiron {

/// Parameters of the saw cycle. The paper has as many sweeps on coarse levels as on the finest; doubling them from
/// level to level up to 8 costs a fifth of a cycle and leaves half as much of the residual, in 3-D a third.
struct SgmlParams {
  int relaxations = 2;
  int coarse_relaxations = 8;
  std::string schedule = "compact";
  std::string precision = "single";

  template <class V>
  void visit(V& v) {
    v("relaxations", relaxations, "sweeps", "per visit of the finest level, n_r of the paper");
    v("coarse_relaxations", coarse_relaxations, "sweeps",
      "on coarse levels at most; they double from level to level. The paper has n_r there too");
    v("schedule", schedule, "",
      "compact: a level's sweeps touch its own points; faithful: the paper's sweeps over the whole grid");
    v("precision", precision, "", "of the cycle: single or double; residuals are always double");
  }
};

/// Those of the engine: on power grids the cycle stands in the hybrid iteration.
struct SgmlEngineParams {
  SgmlParams cycle;
  HybridParams hybrid;

  template <class V>
  void visit(V& v) {
    cycle.visit(v);
    hybrid.visit(v);
  }
};

}  // namespace gridiron
