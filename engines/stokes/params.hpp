// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "engines/params.hpp"

namespace gridiron {

struct StokesParams {
  std::string preconditioner = "multigrid";
  std::string relaxation = "auto";
  int pre = 1, post = 2;
  int restart = 30;
  std::string precision = "single";
  std::string vanka = "auto";
  double vanka_weight = 0.8;
  int schur_sweeps = 3;
  double schur_scale = 1.13, schur_weight = 1.05, schur_jacobi = 0.93;
  double uzawa_scale = 1, uzawa_weight = 0.4;
  double velocity_jacobi = 0.8;

  void visit(auto& v) {
    v("preconditioner", preconditioner, "",
      "multigrid (monolithic), or block-triangular: multigrid for velocities, Jacobi for the pressure's mass matrix");
    v("relaxation", relaxation, "",
      "of the monolithic multigrid: braess-sarazin, vanka or schur-uzawa; auto: vanka where the viscosity varies, else "
      "braess-sarazin");
    v("pre", pre, "sweeps", "of the relaxation before each coarse grid correction");
    v("post", post, "sweeps", "of the relaxation after each coarse grid correction");
    v("restart", restart, "iterations", "after which flexible GMRES starts again");
    v("precision", precision, "", "of the cycle: single or double");
    v("vanka", vanka, "",
      "tuned (25 shared patch inverses), simple (one per patch), stencil (what all patches give to a node, in one "
      "pass), or tensor (the same in bf16 on Tensor Cores); auto: tuned on a CPU, tensor on a GPU, stencil there in "
      "double precision");
    v("vanka_weight", vanka_weight, "", "omega of Vanka relaxation");
    v("schur_sweeps", schur_sweeps, "sweeps", "of Jacobi for the pressure in a Braess-Sarazin relaxation");
    v("schur_scale", schur_scale, "", "t of Braess-Sarazin relaxation, for square elements");
    v("schur_weight", schur_weight, "", "omega of Braess-Sarazin relaxation");
    v("schur_jacobi", schur_jacobi, "", "weight of those Jacobi sweeps, for square elements");
    v("uzawa_scale", uzawa_scale, "", "t of Schur-Uzawa relaxation");
    v("uzawa_weight", uzawa_weight, "", "weight of its Jacobi sweep for the pressure");
    v("velocity_jacobi", velocity_jacobi, "", "weight of the Jacobi sweeps of block-triangular");
  }
};

namespace stokes {

/// Errors: InputError for an unknown parameter or a value out of range.
StokesParams read(const Settings& settings);

}  // namespace stokes
}  // namespace gridiron
