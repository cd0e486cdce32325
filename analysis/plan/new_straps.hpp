// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analysis/model/design.hpp"

namespace gridiron {

/// A strap that a net of a layout may get.
struct StrapPlace {
  int32_t index = -1;  ///< into StrapPlaces::places()
  std::string net;
  size_t offer = 0;   ///< index into PlanMeans::straps
  std::string layer;  ///< of that offer
  double at_um = 0;   ///< of its middle, across its direction
  double width_um = 0, area_um2 = 0;

  /// Metal from end to end, which has several where something is in its way.
  struct Piece {
    double x0_um, y0_um, x1_um, y1_um;
  };
  std::vector<Piece> pieces;

  /// Where vias join it to a wire of its net, along each piece.
  struct Joint {
    size_t piece;
    std::string layer;  ///< of the wire
    double x_um, y_um;
    double ohm;  ///< of the vias
  };
  std::vector<Joint> joints;
  double ohm_per_um = 0;
};

/// The straps that a layout has room for, and the grids that it has with some of them.
class StrapPlaces {
 public:
  virtual ~StrapPlaces() = default;

  /// Looks for straps of these nets; places() has them then.
  virtual void find(const std::vector<std::string>& nets) = 0;
  virtual const std::vector<StrapPlace>& places() const = 0;
  /// Whether only one of two places may have its strap.
  virtual bool conflict(int32_t a, int32_t b) const = 0;
  /// The middles of straps that a net has on the layer of an offer today, ascending, um.
  virtual std::vector<double> straps_today(const std::string& net, size_t offer) const = 0;
  /// The design with straps at these places. Its loads are in the order of the others'.
  virtual std::shared_ptr<const Design> design_with(std::span<const int32_t> places) = 0;
};

/// What to tell users who ask a session, or a solver of their own, for new straps.
inline constexpr const char* kNoStrapsInSession =
    "new straps change the layout, not the grid that was extracted from it; plan them by gridiron fix --add-straps, "
    "and "
    "read the DEF file that it writes";

inline constexpr const char* kStrapsNeedLayout =
    "new straps need a layout, which says where there is room for them: give a DEF file with its LEF files";

}  // namespace gridiron
