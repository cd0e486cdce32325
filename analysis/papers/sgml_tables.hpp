// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "analysis/papers/paper.hpp"
#include "analysis/pde/problems.hpp"
#include "engines/params.hpp"

namespace gridiron {

/// Repeated cycles of the engine on a model.
struct SgmlCycles {
  std::vector<double> residual, l1_error;  ///< after each cycle; errors where the solution is known
  std::vector<double> solution;
  double seconds_per_cycle = 0, bytes_per_cycle = 0;
};

/// The cycle of the paper and the engine's own, both without acceleration.
extern const Settings kPaperCycle, kOurCycle;

/// Cycles, each on what the one before has left, until the residual in the maximum norm over that of the sources is at
/// most `enough`: it is accumulated, r - A c for every correction c, as in the paper. That of the sum, b - A x, would
/// end at the rounding of x. Each c is shown to `see`.
SgmlCycles run_sgml_cycles(
    const std::shared_ptr<const PdeModel>& model, int cycles, const Settings& settings, double enough = 0,
    const std::function<void(const std::vector<double>&)>& see = [](const std::vector<double>&) {});

/// The L1 errors (9) in which cycles on grids of `sizes` end, 257 and 1025 among them, beside those of a prototype.
PaperTable sgml_discretisation_errors(const std::vector<int64_t>& sizes);

/// Corrections of the paper's cycle, from the engine and from PlainSgml, on 257 x 257 points.
PaperTable sgml_against_plain(int cycles);

/// Figs. 3 and 4.
std::vector<PaperTable> sgml_convergence(const PaperOptions& options);

/// Sections 3.2 to 3.4, Figs. 5 to 7.
std::vector<PaperTable> sgml_applications(const PaperOptions& options);

}  // namespace gridiron
