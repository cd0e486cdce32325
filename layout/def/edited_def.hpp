// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "layout/chip.hpp"
#include "support/output_path.hpp"

namespace gridiron::layout {

/// Of a shape that is no wire with a width: a RECT, or what a STYLE makes of a wire.
inline constexpr uint64_t kNoWidth = std::numeric_limits<uint64_t>::max();

/// Where the special wires of a chip stand in the text of its DEF file.
struct WirePlaces {
  struct Net {
    std::vector<uint64_t> width_at;  ///< by SpecialNet::boxes: offset of the width, which segments of one wire share
    uint64_t end_at = 0;             ///< of the semicolon
  };
  std::vector<Net> nets;  ///< by Chip::nets
};

/// Reads the text once more, which read_def() does not keep this of. Errors: those of read_def().
WirePlaces find_wire_places(const Chip& chip, const Library& library);

/// A width that stands at `offset`, of WirePlaces.
struct WireWidth {
  uint64_t offset;
  Dbu width;
};

/// A straight wire of SHAPE STRIPE that a net does not have, and the vias to others.
struct NewStrap {
  int32_t net;    ///< index into Chip::nets
  int32_t layer;  ///< index into Library::layers
  Dbu width;
  Point from, to;
  std::vector<PlacedVia> vias = {};
};

/// Writes the DEF file of a chip with these widths, each given at most once, and with straps behind the wires of their
/// nets; all else of its text stays as it is. Compressed as the name of the file says, see DeckFile. Errors:
/// ResourceError.
void write_edited_def(const Chip& chip, const Library& library, const WirePlaces& places,
                      std::span<const WireWidth> widths, std::span<const NewStrap> straps, const OutputPath& path);

}  // namespace gridiron::layout
