// SPDX-License-Identifier: Apache-2.0
#include "app/session/layout_wires.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "layout/straps/widening_room.hpp"
#include "netlist/names/name_table.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

bool is_along_x(const Strap& strap) { return strap.x1_um - strap.x0_um >= strap.y1_um - strap.y0_um; }

std::string thing_in_the_way(const layout::Chip& chip, int32_t by) {
  switch (by) {
    case layout::StrapMetal::kObstruction:
      return "obstructions of macros";
    case layout::StrapMetal::kSignalPin:
      return "pins of signals";
    default:
      return "metal of net " + chip.nets[by].name;
  }
}

StrapRoom room_of(const Strap& strap, const LayoutWires::Along& along, const LayoutWires& wires,
                  const layout::WideningRoom& room) {
  if (along.boxes.empty()) return {};
  const double width = strap.width_um * wires.chip().dbu_per_um;
  const auto as_read = static_cast<layout::Dbu>(std::llround(width / strap.widened));
  const layout::WideningRoom::Room of = room.room(along.net, along.boxes, as_read, is_along_x(strap));
  if (!of.by) return {};
  return {of.width / width, thing_in_the_way(wires.chip(), *of.by)};
}

/// PlanMeans::room.
std::function<std::vector<StrapRoom>(std::span<const Strap>, const IrReport&)> room_in_layout(
    std::shared_ptr<const LayoutWires> wires, const PlanMeans& means) {
  const std::vector<double> factor = widest_factors(wires->library(), means);
  const auto as_read = std::make_shared<const layout::WideningRoom>(wires->library(), wires->chip(), factor);
  return [wires, factor, as_read](std::span<const Strap> straps, const IrReport& report) {
    std::vector<LayoutWires::Along> along;
    layout::WideningRoom::Widened widened;
    for (const Strap& strap : straps) {
      along.push_back(wires->with_same_width(wires->along(strap, report)));
      if (strap.widened == 1) continue;
      for (const size_t box : along.back().boxes) {
        double& of_wire = widened[{along.back().net, box}];
        of_wire = std::max(of_wire, strap.widened);
      }
    }
    std::optional<layout::WideningRoom> as_edited;
    if (!widened.empty()) as_edited.emplace(wires->library(), wires->chip(), factor, widened);
    std::vector<StrapRoom> rooms;
    for (size_t s = 0; s < straps.size(); ++s)
      rooms.push_back(room_of(straps[s], along[s], *wires, as_edited ? *as_edited : *as_read));
    return rooms;
  };
}

}  // namespace

std::vector<double> widest_factors(const layout::Library& library, const PlanMeans& means) {
  std::vector<double> factor(library.layers.size(), 1.0);
  for (const Widening& widening : means.widen)
    for (size_t l = 0; l < factor.size(); ++l)
      if (same_name(library.layers[l].name, widening.layer)) factor[l] = widening.most;
  return factor;
}

LayoutWires::LayoutWires(std::shared_ptr<const layout::Library> library, std::shared_ptr<const layout::Chip> chip)
    : library_(std::move(library)), chip_(std::move(chip)), places_(layout::find_wire_places(*chip_, *library_)) {
  for (int32_t n = 0; n < std::ssize(chip_->nets); ++n) {
    const std::vector<layout::LayerBox>& boxes = chip_->nets[n].boxes;
    for (size_t b = 0; b < boxes.size(); ++b) {
      if (places_.nets[n].width_at[b] == layout::kNoWidth) continue;
      const layout::Box& box = boxes[b].box;
      rows_[{n, boxes[b].layer, true, int64_t{box.y0} + box.y1}].push_back(b);
      rows_[{n, boxes[b].layer, false, int64_t{box.x0} + box.x1}].push_back(b);
    }
  }
}

LayoutWires::Along LayoutWires::along(const Strap& strap, const IrReport& report) const {
  const auto named = std::ranges::find_if(
      chip_->nets, [&](const layout::SpecialNet& n) { return same_name(n.name, report.nets[strap.net].name); });
  const auto layer = std::ranges::find_if(
      library_->layers, [&](const layout::Layer& l) { return same_name(l.name, report.layer_names[strap.layer]); });
  if (named == chip_->nets.end() || layer == library_->layers.end() || std::isnan(strap.x0_um)) return {};
  Along out{static_cast<int32_t>(named - chip_->nets.begin()), {}};
  const bool is_x = is_along_x(strap);
  const double dbu = chip_->dbu_per_um;
  const double twice = 2 * dbu * (is_x ? strap.y0_um : strap.x0_um);
  const double from = dbu * (is_x ? strap.x0_um : strap.y0_um), to = dbu * (is_x ? strap.x1_um : strap.y1_um);
  const auto l = static_cast<int32_t>(layer - library_->layers.begin());
  const auto end = rows_.upper_bound({out.net, l, is_x, static_cast<int64_t>(std::floor(twice + 1))});
  for (auto row = rows_.lower_bound({out.net, l, is_x, static_cast<int64_t>(std::ceil(twice - 1))}); row != end; ++row)
    for (const size_t b : row->second) {
      const layout::Box& box = named->boxes[b].box;
      const layout::Dbu across = is_x ? box.height() : box.width();
      const layout::Dbu low = is_x ? box.x0 : box.y0, high = is_x ? box.x1 : box.y1;
      if (across == std::llround(strap.width_um / strap.widened * dbu) && high >= from && low <= to)
        out.boxes.push_back(b);
    }
  std::ranges::sort(out.boxes);
  return out;
}

std::vector<bool> LayoutWires::cover(const Strap& strap, const IrReport& report) const {
  const Along of_strap = along(strap, report);
  const bool is_x = is_along_x(strap);
  std::vector<std::pair<layout::Dbu, layout::Dbu>> ends;
  for (const size_t b : of_strap.boxes) {
    const layout::Box& box = chip_->nets[of_strap.net].boxes[b].box;
    ends.emplace_back(is_x ? box.x0 : box.y0, is_x ? box.x1 : box.y1);
  }
  std::sort(ends.begin(), ends.end());
  for (size_t i = 1; i < ends.size(); ++i) ends[i].second = std::max(ends[i].second, ends[i - 1].second);
  const Elements& resistors = report.circuit->resistors;
  const std::span<const double> at_um = is_x ? report.nodes.x_um : report.nodes.y_um;
  std::vector<bool> is_covered;
  for (const int64_t r : strap.resistors) {
    const double middle = (at_um[resistors.a[r]] + at_um[resistors.b[r]]) / 2 * chip_->dbu_per_um;
    const auto behind =
        std::upper_bound(ends.begin(), ends.end(), middle, [](double at, const auto& wire) { return at < wire.first; });
    is_covered.push_back(behind != ends.begin() && std::prev(behind)->second >= middle);
  }
  return is_covered;
}

LayoutWires::Along LayoutWires::with_same_width(const Along& along) const {
  if (along.boxes.empty()) return along;
  const std::vector<uint64_t>& width_at = places_.nets[along.net].width_at;
  Along all{along.net, {}};
  for (const size_t b : along.boxes) {
    // Segments of one wire follow one another.
    size_t first = b, last = b;
    while (first > 0 && width_at[first - 1] == width_at[b]) --first;
    while (last + 1 < width_at.size() && width_at[last + 1] == width_at[b]) ++last;
    for (size_t other = first; other <= last; ++other) all.boxes.push_back(other);
  }
  std::ranges::sort(all.boxes);
  all.boxes.erase(std::unique(all.boxes.begin(), all.boxes.end()), all.boxes.end());
  return all;
}

void keep_rules_of_layout(const std::shared_ptr<const LayoutWires>& wires, PlanMeans& means) {
  if (means.widen.empty()) return;
  constexpr double kSameShare = 1e-6;
  const double grid_um = wires->library().grid_um;
  const double steps = grid_um > 0 && means.grid_um > 0 ? means.grid_um / grid_um : 1;
  if (std::abs(steps - std::max(1.0, std::round(steps))) > kSameShare)
    throw field_error("grid", "{}: no multiple of the manufacturing grid, {} um", means.grid_um, grid_um);
  means.manufacturing_um = grid_um;
  means.on_wires = [wires](const Strap& strap, const IrReport& report) { return wires->cover(strap, report); };
  means.room = room_in_layout(wires, means);
}

}  // namespace gridiron
