// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gridiron {

struct SgmlParams {
  int relaxations = 2;
  std::string schedule = "compact";
  std::string precision = "single";

  template <class V>
  void visit(V& v) {
    v("relaxations", relaxations, "sweeps", "per level and visit, n_r of the paper");
    v("schedule", schedule, "",
      "compact: a level's sweeps touch its own points; faithful: the paper's sweeps over the whole grid");
    v("precision", precision, "", "of the cycle: single or double; residuals are always double");
  }
};

}  // namespace gridiron
