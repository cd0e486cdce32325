// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/plan/impossible.hpp"
#include "analysis/plan/new_straps.hpp"
#include "analysis/plan/plan_grid.hpp"
#include "netlist/edit/deck_edits.hpp"
#include "support/context.hpp"

namespace gridiron {

enum class PlanOutcome : uint8_t {
  kept_today,  ///< all limits are; nothing is to be done
  found,       ///< a plan keeps all limits, certified
  impossible,  ///< no plan by these means keeps one of them: that is proved
  none_found,  ///< none was found; whether there is one is not proved
};

/// One change of a plan.
struct PlanEdit {
  int64_t strap = -1, pad = -1;  ///< index into Plan::straps, or into the pads of its setting; −1: another
  int64_t new_strap = -1;        ///< index into Plan::new_straps
  int32_t net = -1;              ///< index into IrReport::nets, of `after`
  double from = 1, to = 1;       ///< factors of a strap's width
  double cost = 0;
  double gain_alone = 0, gain_in_order = 0;  ///< see find_edits()
  const char* gain_unit = "V";               ///< "A" where the net exceeds a limit on currents most
};

/// Straps of a layer that may not become as wide as their means allow, as they would be too near to something, or have
/// no width in the layout that could be another one.
struct CappedStraps {
  std::string layer;
  std::string in_the_way;  ///< empty: they have no width
  int64_t straps = 0;
  int64_t stay = 0;  ///< of these, straps that may not be widened at all
  double most = 1;   ///< times its width, of that strap which may become widest
};

/// What a grid has that was not read, where it was edited before a plan of it was made.
struct EarlierEdits {
  std::vector<ResistorFactor> resistors;
  std::vector<AddPad> pads;
  std::vector<std::string> dropped;  ///< sources of the netlist
};

struct Plan {
  PlanOutcome outcome = PlanOutcome::none_found;
  bool is_interrupted = false;         ///< `found` is the best so far then
  std::vector<Strap> straps;           ///< that may be widened; their resistors are those of `after`
  std::vector<CappedStraps> capped;    ///< by layer and what is in the way
  std::vector<StrapPlace> new_straps;  ///< of a plan that was found
  Trial today, after;  ///< `after`: of the plan; where there is none, of all means exhausted. Each of its own grid
                       ///< where straps may be added
  std::string why_no_straps = {};  ///< where straps may be added, and there is room for none
  std::vector<PlanEdit> edits;     ///< of a plan that was found
  EarlierEdits earlier;            ///< beside them
  std::optional<Impossibility> proof;
  std::optional<double> uniform_cost;  ///< of the same factor for all straps that keeps all limits, if one does
  double uniform_factor = 0;
  int rounds = 0;
  int64_t trials = 0;  ///< solves of the grid with certificate

  /// Of a plan that was found without new straps, to the grid of today.
  std::vector<Edit> changes() const;
};

/// How a plan is looked for.
struct PlanSearch {
  double spare_v = 0;  ///< kept free below limits on drops where a trial is certified better than later runs will be
  Progress progress = [](std::string_view) {};  ///< told what the search is at: "round 3: 12 above, cost 34.2 µm²"
};

/// The cheapest change by `means` that keeps all limits of `summary` under all `loads`, by a sequence of linear
/// programs over what exceeds its limit or nearly does (Adjoint, PlanModel), each checked by a certified solve; pads
/// are added as long as they save more than they cost. The cheapest that is found, not the cheapest there is: drops are
/// not convex in widths. The solver is of the design as it is today, and goes back to it. A stop request ends the
/// search with what is found so far. Errors: InputError for means that are none, and for limits on electromigration
/// other than currents, which no plan keeps; GridError, the solver's.
Plan find_plan(Solver& solver, const Loads& loads, const SummaryOptions& summary, const PlanMeans& means,
               const PlanSearch& search = {});

/// The same where straps may be added at these places, too: each trial is of the grid that the layout has with them.
/// Straps are added where they gain most for their cost by adjoints, then left out, or exchanged for fewer, one by one;
/// with other means, these are sought beside the straps of each round, and the cheapest of all counts. That there is no
/// plan is never proved.
Plan find_plan(Solver& solver, const Loads& loads, const SummaryOptions& summary, const PlanMeans& means,
               StrapPlaces& places, const PlanSearch& search = {});

}  // namespace gridiron
