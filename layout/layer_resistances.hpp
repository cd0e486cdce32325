// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "layout/library.hpp"
#include "layout/network.hpp"

namespace gridiron::layout {

/// What LEF says: RESISTANCE RPERSQ of routing layers, RESISTANCE of cut layers.
LayerResistances lef_resistances(const Library& library);

/// How the numbers of set_layer_rc are meant.
struct LayerRcOptions {
  double ohm_per_unit = 1e3;  ///< OpenSTA's unit of resistance, kΩ where no Liberty file says otherwise
  std::string corner;         ///< lines of other corners are passed over; empty: the file must not have several
};

/// One command set_layer_rc.
struct LayerRc {
  std::string layer;
  bool is_via = false;    ///< -via instead of -layer
  double resistance = 0;  ///< in LayerRcOptions::ohm_per_unit, per µm of a wire of the layer's default width or per cut
  bool operator==(const LayerRc&) const = default;
};

/// Puts its resistance in the place of LEF's unless it is zero. Errors: InputError that begins with field "layer" or
/// "via" (no such layer, a layer without a width), or "resistance".
void set_layer_rc(const LayerRc& rc, const Library& library, LayerResistances& resistances,
                  const LayerRcOptions& options = {});

/// Puts the resistances of a file in the place of those of LEF where they are not zero. The file has lines of
/// OpenROAD's set_layer_rc, -layer with a resistance per µm of a wire of the layer's default width or -via with one per
/// cut, and other commands of Tcl, which are passed over; or it is CSV, `layer,ohm_per_square` or `via,ohm_per_cut`, in
/// Ω. Errors: InputError with file:line:column.
void read_layer_rc(const std::string& path, const Library& library, LayerResistances& resistances,
                   const LayerRcOptions& options = {});

}  // namespace gridiron::layout
