// SPDX-License-Identifier: Apache-2.0
#include "netlist/generator/ibm_floorplan.hpp"

#include <algorithm>
#include <iterator>

namespace gridiron::generator {
namespace {

constexpr int64_t kColumnPitch = 48, kRowPitch = 72;  // a fifth of the pitches vary between 0.5 and 1.5 times that
constexpr Point kOrigin{32, 66};
constexpr int64_t kTileWidth = 16 * kColumnPitch, kTileHeight = 16 * kRowPitch;
constexpr int64_t kMarginX = 3 * kColumnPitch, kMarginY = 3 * kRowPitch;  // more than the widest pitch
constexpr int64_t kTilesPerMacro = 6;

/// Keys that separate the random streams.
enum FloorplanStream : int64_t { kPitch, kStrap, kMacro };
static_assert(kMacro < kFloorplanStreams);

Tracks irregular_tracks(int64_t count, int64_t pitch, int64_t start, const Random& random) {
  Tracks tracks;
  for (int64_t i = 0, at = start; i < count; ++i) {
    tracks.push_back(at);
    const bool regular = random.below(5, {kPitch, pitch, i}) != 0;
    at += regular ? pitch : pitch * (2 + random.below(5, {kPitch, pitch, i, 1})) / 4;
  }
  return tracks;
}

Tracks halfway(const Tracks& tracks, int64_t last_pitch) {
  Tracks halfway;
  for (size_t i = 0; i < tracks.size(); ++i) {
    const int64_t pitch = i + 1 < tracks.size() ? tracks[i + 1] - tracks[i] : last_pitch;
    halfway.push_back(tracks[i] + pitch / 2);
  }
  return halfway;
}

/// The i-th of n nearly equal parts of `count` tracks.
TrackRange part(int64_t i, int64_t n, int64_t count) { return {i * count / n, (i + 1) * count / n}; }

struct Arrangement {
  int64_t across, down;
};

/// Rows and columns of `count` rectangles, as square as its divisors allow.
Arrangement arrangement(int64_t count) {
  int64_t down = 1;
  for (int64_t d = 2; d * d <= count; ++d) {
    if (count % d == 0) down = d;
  }
  return {count / down, down};
}

/// The number of rows among `side` tracks for which the die is about square.
int64_t row_count(int64_t side) { return side * kColumnPitch / (kColumnPitch + kRowPitch); }

Tracks slice(const Tracks& tracks, TrackRange range) {
  return {tracks.begin() + range.first, tracks.begin() + range.last};
}

}  // namespace

Macros::Macros(Point high) : across_(high.x / kTileWidth + 1) { tiles_.resize(across_ * (high.y / kTileHeight + 1)); }

void Macros::place(Point low, Point high, const Random& random) {
  for (int64_t v = low.y / kTileHeight + 1; (v + 1) * kTileHeight <= high.y; ++v) {
    for (int64_t u = low.x / kTileWidth + 1; (u + 1) * kTileWidth <= high.x; ++u) {
      tiles_[v * across_ + u] = random.below(kTilesPerMacro, {kMacro, u, v}) == 0;
    }
  }
}

bool Macros::covers(Point p) const {
  const int64_t x = p.x % kTileWidth, y = p.y % kTileHeight;
  if (x < kMarginX || x >= kTileWidth - kMarginX || y < kMarginY || y >= kTileHeight - kMarginY) return false;
  return tiles_[p.y / kTileHeight * across_ + p.x / kTileWidth];
}

IbmFloorplan::IbmFloorplan(int64_t side, int64_t islands, const Random& random) {
  columns_[kVdd] = irregular_tracks(side - row_count(side), kColumnPitch, kOrigin.x, random);
  rows_[kVdd] = irregular_tracks(row_count(side), kRowPitch, kOrigin.y, random);
  columns_[kGnd] = halfway(columns_[kVdd], kColumnPitch);
  rows_[kGnd] = halfway(rows_[kVdd], kRowPitch);
  macros_ = Macros({columns_[kGnd].back(), rows_[kGnd].back()});

  const auto [across, down] = arrangement(islands);
  for (int64_t v = 0; v < down; ++v) {
    for (int64_t u = 0; u < across; ++u) {
      const TrackRange columns = part(u, across, die().columns.size()), rows = part(v, down, die().rows.size());
      islands_.push_back({columns, rows});
      macros_.place(cell(kVdd, columns.first, rows.first), cell(kVdd, columns.last - 1, rows.last - 1), random);
    }
  }
}

int64_t IbmFloorplan::smallest_side(int64_t islands) {
  constexpr int64_t kFewestTracks = 2;  // per island and direction
  const auto [across, down] = arrangement(islands);
  int64_t side = 1;
  while (side - row_count(side) < kFewestTracks * across || row_count(side) < kFewestTracks * down) ++side;
  return side;
}

Block IbmFloorplan::die() const { return {{0, std::ssize(columns_[kVdd])}, {0, std::ssize(rows_[kVdd])}}; }

Tracks IbmFloorplan::columns(Net net, const Block& block) const { return slice(columns_[net], block.columns); }

Tracks IbmFloorplan::rows(Net net, const Block& block) const { return slice(rows_[net], block.rows); }

Tracks straps(const Tracks& tracks, int64_t spacing, const Random& random, StrapKey key) {
  const int64_t size = std::ssize(tracks), count = std::max<int64_t>(1, size / spacing);
  Tracks straps;
  for (int64_t k = 0; k < count; ++k) {
    const auto i = static_cast<size_t>((2 * k + 1) * size / (2 * count));
    const int64_t gap = i + 1 < tracks.size() ? tracks[i + 1] - tracks[i] : 1;
    straps.push_back(tracks[i] + random.below(gap, {kStrap, key.layer, key.net, key.island, k}));
  }
  return straps;
}

}  // namespace gridiron::generator
