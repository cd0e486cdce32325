// SPDX-License-Identifier: Apache-2.0
#include "app/fixed_def.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "layout/def/edited_def.hpp"

namespace gridiron {
namespace {

/// In database units: as it is on the manufacturing grid, otherwise the next even number.
layout::Dbu width_of(double width, const layout::Library& library) {
  constexpr double kSame = 1e-4;
  if (library.grid_um > 0 && std::abs(width - std::round(width)) < kSame) return std::lround(width);
  return static_cast<layout::Dbu>(2 * std::ceil(width / 2 - kSame));
}

/// Each the widest of what straps ask for.
std::vector<layout::WireWidth> widths_of(const Plan& plan, const LayoutWires& wires) {
  std::map<uint64_t, layout::Dbu> widest;  // by offset
  for (const PlanEdit& edit : plan.edits) {
    if (edit.strap < 0) continue;
    const Strap& strap = plan.straps[edit.strap];
    const LayoutWires::Along along = wires.along(strap, plan.after.report);
    const layout::Dbu width = width_of(strap.width_um * edit.to * wires.chip().dbu_per_um, wires.library());
    for (const size_t b : along.boxes) {
      layout::Dbu& of_wire = widest[wires.places().nets[along.net].width_at[b]];
      of_wire = std::max(of_wire, width);
    }
  }
  std::vector<layout::WireWidth> widths;
  for (const auto& [offset, width] : widest) widths.push_back({offset, width});
  return widths;
}

}  // namespace

void write_fixed_def(const Plan& plan, const LayoutWires& wires, const LayoutStraps* straps, const OutputPath& path) {
  std::vector<layout::NewStrap> new_straps;
  if (straps) {
    std::vector<int32_t> places;
    for (const StrapPlace& place : plan.new_straps) places.push_back(place.index);
    std::ranges::sort(places);
    new_straps = straps->straps(places);
  }
  // Vias of straps are of the chip that these are of, which has those of the library, too.
  const layout::Chip& chip = straps ? straps->chip() : wires.chip();
  layout::write_edited_def(chip, wires.library(), wires.places(), widths_of(plan, wires), new_straps, path);
}

}  // namespace gridiron
