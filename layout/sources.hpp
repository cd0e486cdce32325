// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/chip.hpp"
#include "layout/library.hpp"
#include "layout/network.hpp"

namespace gridiron::layout {

/// Sources where neither a file nor the design tells any: C4 bumps over the die, straps over the highest layer from one
/// end of the core to the other, or all nodes of that.
enum class SourcePattern : uint8_t { bumps, straps, full };

/// "bumps", "straps" or "full" in any case. Errors: InputError.
SourcePattern source_pattern_named(std::string_view name);

/// OpenROAD's set_pdnsim_source_settings and its defaults.
struct SourceSettings {
  std::optional<SourcePattern> pattern;  ///< none: the pins of the block, or bumps if the net has none
  bool pins_first = false;               ///< the pins of the block even if a pattern is given, as OpenROAD does
  double bump_dx_um = 140, bump_dy_um = 140, bump_size_um = 70;
  int32_t bump_interval = 3;  ///< every how many bumps are of this net
  int32_t strap_track_pitch = 10;
  double ohm = 0;  ///< in series with every source, Ω
  bool operator==(const SourceSettings&) const = default;
};

/// Squares that touch the highest layer, in database units.
struct SourceFile {
  std::vector<Box> boxes;  ///< sorted, each once
  double volts = 0;
  bool operator==(const SourceFile&) const = default;
};

/// Reads OpenROAD's file of sources: lines x, y, edge, volts in µm and V. Errors: InputError with file:line:column
/// (other than four numbers, voltages that differ, no source).
SourceFile read_source_file(const std::string& path, double dbu_per_um);

/// The nodes that sources hold.
struct SourceSites {
  enum class Kind : uint8_t { file, pins, bumps, straps, full };
  Kind kind = Kind::file;
  std::vector<int32_t> node;  ///< of the network, by layer, x and y
  /// Of a mesh: how many nodes the source of each node holds. A resistance in series with the source is shared by all
  /// of them, so that the number of cells makes no difference. Otherwise 1: each node has the whole, as in OpenROAD.
  std::vector<int32_t> sharing;
  /// A source that meets no metal of the highest layer, and the node it has been moved to.
  struct Moved {
    Box box;
    int32_t node;
  };
  std::vector<Moved> moved;
};

/// A source in a file holds the nodes that lie where its square meets metal of the highest layer, or else the node
/// nearest to its centre; a pin of the block holds the nodes on its shapes. `file` may be null. Empty if the net has no
/// metal. Errors: InputError (settings out of range).
SourceSites place_sources(const Library& library, const Chip& chip, const Network& network, const SourceFile* file,
                          const SourceSettings& settings);

}  // namespace gridiron::layout
