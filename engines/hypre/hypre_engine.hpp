// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engines/engine.hpp"

namespace gridiron {

/// Conjugate gradients preconditioned by BoomerAMG, the classical algebraic multigrid of hypre (Henson, Yang, Appl.
/// Numer. Math. 41, 2002). By default with the settings that hypre's authors recommend for large machines: HMIS
/// coarsening and extended+i interpolation (De Sterck, Falgout, Nolting, Yang, Numer. Linear Algebra Appl. 15, 2008).
struct HypreParams {
  std::string coarsening = "hmis";
  std::string interpolation = "extended+i";
  int max_elements = 4;
  double truncation = 0;
  double strength = 0.25;
  double max_row_sum = 0.9;
  int aggressive_levels = 0;
  std::string smoother = "l1-symmetric-gauss-seidel";
  int sweeps = 1;
  double relax_weight = 1;
  std::string cycle = "v";
  int max_levels = 25;
  int coarse_size = 9;
  std::string krylov = "auto";
  int restart = 30;
  std::string ordering = "auto";

  void visit(auto& v) {
    v("coarsening", coarsening, "", "hmis, pmis, falgout, cljp or ruge-stueben");
    v("interpolation", interpolation, "", "extended+i, extended, standard, classical, direct or multipass");
    v("max_elements", max_elements, "entries", "of a row of the interpolation at most; 0: no limit");
    v("truncation", truncation, "", "drops entries of the interpolation below this fraction of the row's largest");
    v("strength", strength, "", "a coupling counts as strong above this fraction of the row's largest");
    v("max_row_sum", max_row_sum, "",
      "rows whose sum exceeds this fraction of their diagonal count as weakly coupled; 1: none does");
    v("aggressive_levels", aggressive_levels, "levels", "finest levels that are coarsened aggressively");
    v("smoother", smoother, "",
      "l1-symmetric-gauss-seidel, symmetric-gauss-seidel, l1-gauss-seidel (forward down, backward up), chebyshev, "
      "l1-jacobi or jacobi");
    v("sweeps", sweeps, "sweeps", "of the smoother before and after the coarse correction");
    v("relax_weight", relax_weight, "", "damping of the smoother; jacobi needs less than 1");
    v("cycle", cycle, "", "v or w");
    v("max_levels", max_levels, "levels", "at most");
    v("coarse_size", coarse_size, "unknowns", "coarsening stops here; the rest is solved directly");
    v("krylov", krylov, "", "outer method: cg, gmres (flexible), or auto by symmetry");
    v("restart", restart, "vectors", "of the gmres basis before a restart");
    v("ordering", ordering, "",
      "of rows: morton (along a space-filling curve through the places of nodes), given, or auto (morton where places "
      "are known)");
  }
};

std::optional<std::string> hypre_declines(const Problem& problem);
std::unique_ptr<Engine> make_hypre(const Settings& settings);
/// As EngineInfo::make_shared().
std::unique_ptr<Engine> make_shared_hypre(const Settings& settings, std::shared_ptr<const Shares> shares);
ParamList hypre_defaults();

}  // namespace gridiron
