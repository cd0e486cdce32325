// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/params.hpp"

namespace gridiron {

/// Parameters of aggregation AMG. Three K-levels instead of the paper's two: the anisotropic problem at 1000² takes 24
/// iterations to 1e-6 instead of 34.
struct AggAmgParams {
  std::string preset = "default";
  double strength = 0.25;
  int coarse_size = 200;
  int k_levels = 3;
  std::string k_cycle = "fixed";
  double k_threshold = 0.25;
  int degree = 2;
  std::string krylov = "auto";
  int restart = 30;
  std::string precision = "single";
  /// Entries from which half precision pays, as a GPU's cache holds matrices of fewer; not a setting.
  int64_t fewest_short = 1 << 21;

  /// On a GPU a kernel for a small grid takes as long as one for a large grid, and the cycle visits grids below the
  /// K-levels often: inverses of 2,000 rows take their place. poisson2d 1000² on an H200: 12.6 instead of 18.2 ms. With
  /// one K-level instead of two, openroad 1 M takes 5.8 instead of 7.6 ms in as many iterations, but poisson2d 1400² 30
  /// instead of 19 ms; with three, porous3d 508³ 108 instead of 131 ms.
  static AggAmgParams on_gpu() {
    AggAmgParams params;
    params.coarse_size = 2000;
    params.k_cycle = "adaptive";
    params.precision = "half";
    return params;
  }
  /// GAMPACK's own settings.
  static std::vector<Preset> presets() {
    return {
        {"paper",
         {{"coarse_size", "600"}, {"k_levels", "2"}, {"k_cycle", "fixed"}, {"degree", "1"}, {"precision", "single"}}}};
  }

  template <class V>
  void visit(V& v) {
    v("preset", preset, "", "default, or paper: K-cycles on two levels, one Jacobi sweep, coarsest grids of 600");
    v("strength", strength, "",
      "a coupling counts as strong above this fraction of the row's largest (0.25 in 2-D, 0.5 in 3-D)");
    v("coarse_size", coarse_size, "unknowns", "coarsening stops here, on a GPU at 2000; the rest is solved directly");
    v("k_levels", k_levels, "levels",
      "finest levels whose coarse problem gets Krylov iterations (K-cycle); 0 is a V-cycle");
    v("k_cycle", k_cycle, "",
      "fixed, or adaptive, as on a GPU: fewer K-levels at first, another where CG converges slowly");
    v("k_threshold", k_threshold, "",
      "a second inner iteration only if the first leaves more than this fraction of the residual");
    v("degree", degree, "sweeps",
      "of the Chebyshev smoother before and after the coarse correction; 1 is damped Jacobi");
    v("krylov", krylov, "", "outer method: cg (flexible), gmres (flexible), or auto by symmetry");
    v("restart", restart, "vectors", "of the gmres basis before a restart");
    v("precision", precision, "",
      "of the hierarchy: single or double; half, as on a GPU: large matrices of the cycle in half the space");
  }
};

namespace aggamg {
/// The parameters with defaults for the CPU or a GPU. Errors: InputError for an unknown parameter or an invalid value.
AggAmgParams read(const Settings& settings, bool on_gpu);
}  // namespace aggamg

}  // namespace gridiron
