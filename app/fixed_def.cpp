// SPDX-License-Identifier: Apache-2.0
#include "app/fixed_def.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "layout/def/edited_def.hpp"
#include "layout/library.hpp"
#include "netlist/names/name_table.hpp"

namespace gridiron {
namespace {

/// The wires of a chip along straps, each with the widest of what straps ask for.
class WiresOfStraps {
 public:
  WiresOfStraps(const Plan& plan, const layout::Chip& chip, const layout::Library& library)
      : plan_(plan), chip_(chip), library_(library), places_(layout::find_wire_places(chip, library)) {}

  void widen(const Strap& strap, double factor) {
    const IrReport& report = plan_.after.report;
    const auto net = std::ranges::find_if(
        chip_.nets, [&](const layout::SpecialNet& n) { return same_name(n.name, report.nets[strap.net].name); });
    if (net == chip_.nets.end()) return;
    const std::vector<uint64_t>& width_at = places_.nets[net - chip_.nets.begin()].width_at;
    const bool is_along_x = strap.x1_um - strap.x0_um >= strap.y1_um - strap.y0_um;
    const double dbu = chip_.dbu_per_um;
    const auto width = static_cast<layout::Dbu>(2 * std::ceil(strap.width_um * factor * dbu / 2 - 1e-6));
    for (size_t b = 0; b < net->boxes.size(); ++b) {
      const layout::LayerBox& box = net->boxes[b];
      if (width_at[b] == layout::kNoWidth ||
          !same_name(library_.layers[box.layer].name, report.layer_names[strap.layer]))
        continue;
      const layout::Dbu across = is_along_x ? box.box.height() : box.box.width();
      if (across != std::llround(strap.width_um * dbu)) continue;
      const double middle = is_along_x ? 0.5 * (box.box.y0 + box.box.y1) : 0.5 * (box.box.x0 + box.box.x1);
      const double of_strap = dbu * (is_along_x ? strap.y0_um : strap.x0_um);
      const double from = dbu * (is_along_x ? strap.x0_um : strap.y0_um);
      const double to = dbu * (is_along_x ? strap.x1_um : strap.y1_um);
      const double low = is_along_x ? box.box.x0 : box.box.y0, high = is_along_x ? box.box.x1 : box.box.y1;
      if (std::abs(middle - of_strap) > 0.5 || high < from || low > to) continue;
      layout::Dbu& widest = width_[width_at[b]];
      widest = std::max(widest, width);
    }
  }

  void write(std::span<const layout::NewStrap> straps, const OutputPath& path) const {
    std::vector<layout::WireWidth> widths;
    for (const auto& [offset, width] : width_) widths.push_back({offset, width});
    layout::write_edited_def(chip_, library_, places_, widths, straps, path);
  }

 private:
  const Plan& plan_;
  const layout::Chip& chip_;
  const layout::Library& library_;
  const layout::WirePlaces places_;
  std::map<uint64_t, layout::Dbu> width_;  ///< by offset
};

}  // namespace

void write_fixed_def(const Plan& plan, const layout::LayoutFiles& files, const LayoutStraps* straps,
                     const OutputPath& path) {
  const auto write = [&](const layout::Library& library, const layout::Chip& chip,
                         std::span<const layout::NewStrap> new_straps) {
    WiresOfStraps wires(plan, chip, library);
    for (const PlanEdit& edit : plan.edits)
      if (edit.strap >= 0) wires.widen(plan.straps[edit.strap], edit.to);
    wires.write(new_straps, path);
  };
  if (straps) {
    std::vector<int32_t> places;
    for (const StrapPlace& place : plan.new_straps) places.push_back(place.index);
    std::ranges::sort(places);
    write(straps->library(), straps->chip(), straps->straps(places));
    return;
  }
  const layout::Library library = layout::read_lef(files.lefs);
  write(library, layout::read_def(files.def, library), {});
}

}  // namespace gridiron
