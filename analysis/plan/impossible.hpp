// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "analysis/plan/plan_grid.hpp"

namespace gridiron {

/// That no plan keeps a limit on a worst drop. For loads i ≥ 0 of a net whose sources all hold its nominal voltage, and
/// R = G⁻¹, which no conductance and no pad can but lower (Rayleigh's monotonicity; Doyle and Snell, Random Walks and
/// Electric Networks, 1984), R_exhausted ≼ R ≼ R_today for every plan, and for weights w ≥ 0 with Σw = Σi
///
///     Σi · worst drop ≥ wᵀRi ≥ ¼ [(w + i)ᵀ R_exhausted (w + i) − (w − i)ᵀ R_today (w − i)].
struct Impossibility {
  int32_t limit = -1;  ///< index into IrReport::limits
  int32_t vector = 0;
  double least_v = 0, bound_v = 0;  ///< the right side / Σi, and its certified error
  double at_sources_v = 0;          ///< of that, what falls in resistors at sources, for w = i
  bool has_weights = false;         ///< w other than i
};

/// The first limit on a worst drop that is proved to be out of reach, `exhausted` being the trial of all straps at
/// their most and pads at all candidates; none if none is. Where `sharpens`, weights are sought by the method of Frank
/// and Wolfe (Naval Res. Logist. Q. 3, 1956), as the right side is concave in w. `today` must be a solver of the design
/// as it is, `grid`'s solver of the exhausted setting. Errors: the solvers'.
std::optional<Impossibility> prove_impossible(PlanGrid& grid, const Trial& exhausted, Solver& today, bool sharpens);

}  // namespace gridiron
