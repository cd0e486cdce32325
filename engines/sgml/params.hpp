// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "engines/hybrid/params.hpp"
#include "engines/params.hpp"

namespace gridiron {

/// Parameters of the sawtooth cycle and of its iteration on regular grids. The paper has as many sweeps on coarse
/// levels as on the finest; doubling them from level to level up to 8 costs a fifth of a cycle and halves the remaining
/// residual; in 3-D it leaves a third.
struct SgmlParams {
  std::string preset = "default";
  int relaxations = 2;
  int coarse_relaxations = 8;
  std::string steps = "chebyshev";
  std::string coarsest = "inverse";
  std::string precision = "single";
  std::string schedule = "compact";
  std::string cycle = "cg";

  static std::vector<Preset> presets() {
    return {{"paper",
             {{"coarse_relaxations", "1"},
              {"steps", "euler"},
              {"coarsest", "relaxed"},
              {"schedule", "faithful"},
              {"cycle", "stationary"}}}};
  }

  void visit(auto& v) {
    visit_cycle(v);
    visit_schedule(v);
    v("cycle", cycle, "",
      "stationary: repeated on residuals, as in the paper; cg: the same until a cycle reduces the residual less than "
      "sixfold, as with a rough sigma, then flexible conjugate gradients around it");
  }
  /// The parameters that also apply to power grids.
  void visit_cycle(auto& v) {
    v("preset", preset, "",
      "default, or paper: as many sweeps on all levels, fixed steps, no direct solution, no acceleration");
    v("relaxations", relaxations, "sweeps", "per visit of the finest level, n_r of the paper");
    v("coarse_relaxations", coarse_relaxations, "sweeps",
      "upper limit on coarse levels; sweeps double from level to level (the paper uses n_r on all levels)");
    v("steps", steps, "",
      "of the sweeps of a visit: chebyshev (their polynomial is least over high frequencies) or euler (all alike, as "
      "in "
      "the paper)");
    v("coarsest", coarsest, "", "level: inverse (solved directly) or relaxed like the others, as in the paper");
    v("precision", precision, "", "of the cycle: single or double; true residuals are always double");
  }
  void visit_schedule(auto& v) {
    v("schedule", schedule, "",
      "compact: a level's sweeps touch its own points; faithful: the paper's sweeps over the whole grid; not on power "
      "grids");
  }
};

/// On power grids the cycle is part of the hybrid iteration.
struct SgmlHybridParams {
  SgmlParams cycle;
  HybridParams hybrid;

  static std::vector<Preset> presets() {
    return {{"paper",
             {{"coarse_relaxations", "1"},
              {"steps", "euler"},
              {"coarsest", "relaxed"},
              {"plane", "single"},
              {"cycle", "stationary"}}}};
  }

  void visit(auto& v) {
    cycle.visit_cycle(v);
    hybrid.visit(v);
  }
};

/// All parameters the engine accepts before it knows the problem.
struct SgmlEngineParams {
  SgmlHybridParams all;

  static std::vector<Preset> presets() { return SgmlHybridParams::presets(); }

  void visit(auto& v) {
    all.cycle.visit_schedule(v);
    all.visit(v);
  }
};

}  // namespace gridiron
