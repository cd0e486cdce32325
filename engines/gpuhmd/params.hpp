// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "engines/hybrid/params.hpp"
#include "engines/params.hpp"

namespace gridiron {

inline constexpr const char* kAboutSmoother =
    "of the tables: sweeps over cells, or tiles that are relaxed in red-black order, as in the paper; where there are "
    "layers, sweeps over columns in either case";

inline constexpr const char* kAboutPrecision =
    "of tables and smoothing: single, double, or half: single except for conductances between cells in 16 bits, which "
    "saves memory; true residuals are always double";

/// Parameters of the hybrid iteration with geometric multigrid on the regular grids.
struct GpuHmdParams {
  std::string preset = "default";
  HybridParams hybrid;
  int coarse_size = 200;
  std::string coarsening = "series";
  double gmin = 0;
  std::string smoother = "sweeps";
  std::string precision = "single";

  /// The method of Feng and Li, ICCAD 2008.
  static std::vector<Preset> presets() {
    return {{"paper",
             {{"plane", "single"},
              {"line_length", "1"},
              {"stars", "keep"},
              {"cycle", "stationary"},
              {"hybrid", "paper"},
              {"coarsening", "average"},
              {"gmin", "1e-6"},
              {"smoother", "tiles"}}}};
  }

  void visit(auto& v) {
    v("preset", preset, "",
      "default, or paper: tiles on one plane, point smoothing of the original grid on the host, no acceleration");
    hybrid.visit(v);
    v("coarse_size", coarse_size, "cells", "per regular grid, at or below which it is solved directly");
    v("coarsening", coarsening, "",
      "series: wires of a coarse grid from fine ones in series and in parallel; average: of four, as in the paper");
    v("gmin", gmin, "",
      "least conductance between neighbouring cells, as a fraction of the largest (1e-6 in the paper)");
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

  void visit(auto& v) {
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
