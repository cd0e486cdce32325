// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "analysis/plan/means.hpp"
#include "analysis/plan/straps.hpp"
#include "layout/chip.hpp"
#include "layout/def/edited_def.hpp"
#include "layout/library.hpp"

namespace gridiron {

/// What the wires on each layer of a library may become, times their width, at most.
std::vector<double> widest_factors(const layout::Library& library, const PlanMeans& means);

/// The wires of DEF that straps of a plan are.
class LayoutWires {
 public:
  /// Errors: those of layout::read_def().
  LayoutWires(std::shared_ptr<const layout::Library> library, std::shared_ptr<const layout::Chip> chip);

  const layout::Library& library() const { return *library_; }
  const layout::Chip& chip() const { return *chip_; }
  const layout::WirePlaces& places() const { return places_; }

  struct Along {
    int32_t net = -1;           ///< index into Chip::nets
    std::vector<size_t> boxes;  ///< indices into SpecialNet::boxes, ascending
  };
  /// Wires of the strap's layer, and of the width that it was read with, whose middle is that of the strap.
  Along along(const Strap& strap, const IrReport& report) const;
  /// Of each resistor of a strap whether it lies on one of these wires.
  std::vector<bool> cover(const Strap& strap, const IrReport& report) const;
  /// With all others whose widths are theirs, too, as wires of DEF have one width around corners.
  Along with_same_width(const Along& along) const;

 private:
  /// Net, layer, whether along x, twice the middle.
  using Row = std::tuple<int32_t, int32_t, bool, int64_t>;

  std::shared_ptr<const layout::Library> library_;
  std::shared_ptr<const layout::Chip> chip_;
  layout::WirePlaces places_;
  std::map<Row, std::vector<size_t>> rows_;
};

/// Has widened straps keep the SPACING of their layers, and their edges on the manufacturing grid. Errors: InputError
/// for a grid of widths that are not on that one.
void keep_rules_of_layout(const std::shared_ptr<const LayoutWires>& wires, PlanMeans& means);

}  // namespace gridiron
