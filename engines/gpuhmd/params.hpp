// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "engines/hybrid/params.hpp"

namespace gridiron {

inline constexpr const char* kAboutSmoother =
    "of the tables: sweeps over cells, or tiles that are relaxed in red-black order, as in the paper; where there are "
    "layers, sweeps over columns in either case";

inline constexpr const char* kAboutPrecision =
    "of tables and smoothing: single, double, or half: single except for conductances between cells in 16 bits, which "
    "saves memory; residuals are always double";

/// Parameters of the hybrid iteration with geometric multigrid on the regular grids.
struct GpuHmdParams {
  HybridParams hybrid;
  int coarse_size = 200;
  std::string smoother = "sweeps";
  std::string precision = "single";

  template <class V>
  void visit(V& v) {
    hybrid.visit(v);
    v("coarse_size", coarse_size, "cells", "per regular grid, at or below which it is solved directly");
    v("smoother", smoother, "", kAboutSmoother);
    v("precision", precision, "", kAboutPrecision);
  }
};

/// Parameters of geometric multigrid on its own.
struct GmdParams {
  int coarse_size = 200;
  std::string smoother = "sweeps";
  std::string cycle = "cg";
  std::string precision = "single";

  template <class V>
  void visit(V& v) {
    v("coarse_size", coarse_size, "cells", "at or below which the grid is solved directly");
    v("smoother", smoother, "", kAboutSmoother);
    v("cycle", cycle, "", "cg (flexible, around one multigrid cycle) or stationary");
    v("precision", precision, "", kAboutPrecision);
  }
};

namespace gpuhmd {
/// Errors: InputError for an unknown parameter or an invalid value.
GpuHmdParams read_gpuhmd(const Settings& settings);
GmdParams read_gmd(const Settings& settings);
}  // namespace gpuhmd

}  // namespace gridiron
