// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/results/limits.hpp"
#include "support/error.hpp"

namespace gridiron {

struct IrReport;
struct Strap;

/// A layer whose wires may be widened.
struct Widening {
  std::string layer;
  double most = 1;  ///< times their width, above 1
};

/// Pads that may be added: ideal sources at the net's nominal voltage behind a resistance.
struct PadOffer {
  int count = 0;      ///< at most
  std::string layer;  ///< at nodes of this layer
  double ohm = 0;     ///< above 0
};

/// Straps that a layout may get on a layer: of one width, their middles at least a pitch apart, also from straps that
/// are there. From the outermost new strap of a net to the other one, neighbouring straps of the net, new ones and
/// those that are there, are no farther apart than another, where there is room.
struct StrapOffer {
  std::string layer;
  double width_um = 0;
  double least_pitch_um = 0, most_pitch_um = 0;
};

struct PlanCosts {
  double area = 1;   ///< of a µm² of metal; of a siemens of conductance where widths are not known
  double pad = 100;  ///< of a pad
};

inline constexpr double kMostCost = 1e9;  ///< beyond which linear programs lose their digits

/// What is beside a strap.
struct StrapRoom {
  double most = std::numeric_limits<double>::infinity();  ///< times its width; 1: it cannot be widened
  std::string in_the_way = {};                            ///< what it would be too near to, beyond that
};

/// What a plan may do, and what that costs.
struct PlanMeans {
  std::vector<Widening> widen;
  std::optional<PadOffer> pads;
  std::vector<StrapOffer> straps;
  PlanCosts costs;
  double grid_um = 0;           ///< widths are multiples of it, or as they are; 0: any
  double manufacturing_um = 0;  ///< the edges of wires stay on this grid, too; 0: there is none
  /// Which resistors of a strap lie on wires of the layout of its width, which may become wider, unlike pins and shapes
  /// without a width; empty: all.
  std::function<std::vector<bool>(const Strap&, const IrReport&)> on_wires = {};
  std::function<bool(const Strap&)> may_widen = {};  ///< of straps of the layers; empty: all
  /// What each strap has room for beside the others; empty: not known. The report is of the grid that they are of.
  std::function<std::vector<StrapRoom>(std::span<const Strap>, const IrReport&)> room = {};
};

/// What to tell users who ask for a plan that keeps other limits on electromigration than those on currents.
inline const std::string kNoPlanForEm =
    "a plan keeps limits on drops and currents, not on rules of electromigration, stress or lifetimes; give " +
    field("em_limit") + " LAYER=CURRENT, or a file layer,a_per_um,width_um";

/// Limits as parse_limits() reads them. Errors: InputError, also for one that no plan keeps.
std::vector<LimitRequest> parse_plan_limits(std::span<const std::string> texts);

/// "M5=3". Errors: InputError of the field widen.
Widening parse_widening(const std::string& text);

/// "M4:0.48:5.6:56": layer, width, least and largest pitch, um. Errors: InputError of the field add_straps.
StrapOffer parse_strap_offer(const std::string& text);

/// "area=1,pad=100", or one of them. Errors: InputError of the field cost.
PlanCosts parse_costs(const std::string& text);

/// Whether new widths are some out of many.
inline bool has_widths(const PlanMeans& means) {
  return !means.widen.empty() && (means.grid_um > 0 || means.manufacturing_um > 0);
}

/// Errors: InputError without means, or for two factors or kinds of straps of one layer.
void require_means(const PlanMeans& means);

}  // namespace gridiron
