// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "layout/chip.hpp"
#include "layout/def/edited_def.hpp"
#include "layout/extract/strap_layers.hpp"
#include "layout/library.hpp"
#include "layout/network.hpp"
#include "layout/straps/strap_metal.hpp"
#include "layout/straps/strap_vias.hpp"

namespace gridiron::layout {

/// Straps that nets may get: of this width along the direction of their layer, the middles of two of the layer at least
/// a pitch apart.
struct StrapKind {
  int32_t layer;
  Dbu width, pitch;
  bool is_along_x;

  /// To all other metal of the layer.
  Dbu clearance() const { return pitch - width; }
};

/// Errors: InputError for what no strap can be of: an unknown layer or one of cuts, without DIRECTION or resistance, a
/// width that is too small or off the grid, a pitch that is too small for it.
StrapKind strap_kind(const Library& library, const Chip& chip, const LayerResistances& resistances,
                     const std::string& layer, double width_um, double pitch_um);

/// Where vias join a strap to a wire of its net.
struct StrapContact {
  Point place;
  int32_t layer;  ///< of the wire
  size_t piece;   ///< of the strap
};

/// A strap that a net may get, in pieces where something is in its way.
struct StrapSite {
  int32_t net;   ///< index into Chip::nets
  int32_t kind;  ///< index into what StrapSites is of
  Dbu at;        ///< of its middle, across its direction
  std::vector<NewStrap> pieces;
  std::vector<StrapContact> contacts;  ///< along each piece
};

/// The places of a chip that have room for straps.
class StrapSites {
 public:
  /// `chip`: after add_library_vias(). `factor`: of StrapMetal. All must stay alive.
  StrapSites(const Library& library, const Chip& chip, std::span<const StrapKind> kinds,
             const std::vector<double>& factor);

  /// Kind by kind and along the die: of every net at each place one, if it can be joined to wires of the net at two
  /// places or more. Places are a pitch apart, and more where something is in the way.
  std::vector<StrapSite> find(std::span<const int32_t> nets) const;

  /// Errors: InputError where no via leads from straps of a kind to any wire of a net that they may cross.
  void require_reach(int32_t net) const;

  /// Whether only one of two may be there.
  bool conflict(const StrapSite& a, const StrapSite& b) const;

  /// The straps of sites, with vias also where some cross others of their net.
  std::vector<NewStrap> straps(std::span<const StrapSite* const> sites) const;

  /// The middles of straps of a net that are on the layer of a kind today, ascending.
  std::vector<Dbu> straps_today(int32_t net, int32_t kind) const;

 private:
  class OfNet;
  class OfKind;
  std::vector<LayerBox> shapes(const StrapSite& site) const;
  bool is_clear(const PlacedVia& via, int32_t net, int32_t from, int32_t to) const;

  const Library& library_;
  const Chip& chip_;
  std::vector<StrapKind> kinds_;
  StrapMetal metal_;
  StrapVias vias_;
};

/// The box of a strap.
Box box_of(const NewStrap& strap);
/// A chip with straps behind the wires of their nets, as read_def() reads what write_edited_def() writes.
Chip with_straps(const Chip& chip, std::span<const NewStrap> straps);

}  // namespace gridiron::layout
