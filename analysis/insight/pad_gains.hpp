// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "analysis/solve/solver.hpp"

namespace gridiron {

struct PadGainOptions {
  int places = 5;                  ///< of each net
  std::string layer = {};          ///< where the pad may be; empty: on those where the net has pads
  std::optional<double> ohm = {};  ///< of the pad, finite and not negative; none: the median of the net's pads
  int64_t most_tried = 200;        ///< candidates of each net to solve for
};

/// Errors: InputError for a resistance out of range.
void require_possible(const PadGainOptions& options);

/// Where one more pad, at the nominal voltage of its net, lowers the worst drop of a net most. With x = G⁻¹ e_m, a pad
/// of resistance R at node m changes the voltages v exactly to
///
///     v + x (V − v_m) / (R + x_m)    (Sherman and Morrison, Ann. Math. Stat. 21, 1950).
///
/// Which candidates to solve for is decided by bounds on what each may gain at the nodes that are worst or became so,
/// whose responses are rows of G⁻¹, so that places are the best of all candidates unless PadGains::is_best tells
/// otherwise. `nets` are indices into report.nets; `report` is that of `loads`, and of several vectors each net is
/// looked at under the one with its worst drop. Errors: InputError for a report of another design, an unknown layer and
/// a resistance out of range; the solver's.
std::vector<PadGains> find_pad_gains(Solver& solver, const Loads& loads, const IrReport& report,
                                     std::span<const int32_t> nets, const PadGainOptions& options = {});

/// The nets that exceed a limit on drops; all nets if none does.
std::vector<int32_t> nets_short_of_pads(const IrReport& report);

}  // namespace gridiron
