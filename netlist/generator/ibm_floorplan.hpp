// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "netlist/generator/deck_writer.hpp"
#include "netlist/generator/random.hpp"

namespace gridiron::generator {

using Tracks = std::vector<int64_t>;

enum Net { kGnd, kVdd };

struct TrackRange {
  int64_t first, last;  ///< half open
  int64_t size() const { return last - first; }
};

/// A rectangle of the die, counted in base tracks.
struct Block {
  TrackRange columns, rows;
  int64_t cells() const { return columns.size() * rows.size(); }
};

/// Blocks without lower metals, in tiles aligned to the die. The margin of a tile is always free, so that some tracks
/// avoid all macros.
class Macros {
 public:
  Macros() = default;
  /// For a die from (0, 0) to `high`, without macros yet.
  explicit Macros(Point high);

  /// Places a macro in some of the tiles inside the rectangle.
  void place(Point low, Point high, const Random& random);

  bool covers(Point p) const;

 private:
  int64_t across_ = 0;
  std::vector<bool> tiles_;
};

/// The base tracks of both nets, the islands of VDD and the macros. Cell (i, j) is where column i crosses row j; the
/// GND tracks are midway between those of VDD. Lengths are in the units of ibmpg2.
class IbmFloorplan {
 public:
  /// `side` is the total number of columns and rows; VDD is cut into `islands` rectangles.
  IbmFloorplan(int64_t side, int64_t islands, const Random& random);
  static int64_t smallest_side(int64_t islands);

  Block die() const;
  const std::vector<Block>& islands() const { return islands_; }
  bool is_macro(Point p) const { return macros_.covers(p); }

  Tracks columns(Net net, const Block& block) const;
  Tracks rows(Net net, const Block& block) const;
  Point cell(Net net, int64_t column, int64_t row) const { return {columns_[net][column], rows_[net][row]}; }

 private:
  Tracks columns_[2], rows_[2];
  std::vector<Block> islands_;
  Macros macros_;
};

/// Identifies the straps of one layer of one island.
struct StrapKey {
  int64_t layer, net, island;
};

/// About one strap per `spacing` tracks (at least one), each at a random position in the gap after its track.
Tracks straps(const Tracks& tracks, int64_t spacing, const Random& random, StrapKey key);

/// Random streams with lower keys are used by the floorplan.
inline constexpr int64_t kFloorplanStreams = 3;

}  // namespace gridiron::generator
