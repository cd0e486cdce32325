// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "analysis/plan/means.hpp"
#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// Wires of one net and layer in a straight line, each of which ends where the next begins: what is widened as one. A
/// wire whose ends have no places is a strap of its own. Where widths are known, a strap is all that has one width in a
/// whole row of its layer. Wires that are one card of a subcircuit are widened as one, too.
struct Strap {
  int32_t net = -1, layer = -1;  ///< indices into IrReport::nets and layer_names
  std::vector<int64_t> resistors;
  double x0_um = 0, y0_um = 0, x1_um = 0, y1_um = 0;  ///< its ends; NaN: unknown
  double width_um = 0;                                ///< 0: not known
  double widened = 1;                                 ///< what edits have multiplied the width by that was read
  double unit_cost = 0;                               ///< of the first doubling of its width
  double most = 1;                                    ///< times its width; 1: it stays as it is
  bool is_wire = true;                                ///< PlanMeans::on_wires
};

/// The straps of the layers that may be widened, in the order of their first resistors, without links to terminals;
/// behind them what PlanMeans::on_wires says is none. Such metal is left out where it lies on a wire, which costs as
/// much as it would without. `widened` tells how many times as well as it was read a resistor conducts: so much wider
/// is its wire, and a strap as wide as its widest one. The factors of PlanMeans::widen are of widths as they were read.
/// Errors: InputError for a layer that there is not, that has no wires, or where there is a grid of widths and a width
/// is not known.
std::vector<Strap> find_straps(const IrReport& report, const PlanMeans& means,
                               const std::function<double(int64_t resistor)>& widened);

}  // namespace gridiron
