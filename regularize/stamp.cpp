// SPDX-License-Identifier: Apache-2.0
#include "regularize/stamp.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

/// A straight piece of a wire: entries [begin, end) of the line of cells that starts at entry `line` get `siemens`.
struct Run {
  std::int64_t line;
  std::int32_t grid, begin, end;
  double siemens;
};

/// All tables of one direction under construction. A run adds to one entry or, when longer, to O(log) nodes of a binary
/// tree over its line, which finish() then spreads over the entries: nothing is ever subtracted, so entries are as
/// exact as plain sums. Node i of the tree of a line covers nodes 2i and 2i + 1; node n + k is entry k of its n.
class Direction {
 public:
  enum Axis { along_x, along_y, along_layers };

  Direction(Axis axis, std::vector<GridTables>& grids) {
    for (GridTables& g : grids) {
      const std::int64_t row = g.nx, layer = row * g.ny;
      switch (axis) {
        case along_x:
          lines_.push_back({g.gh.data(), {}, g.nx, 1, std::int64_t{g.layers} * g.ny});
          break;
        case along_y:
          lines_.push_back({g.gv.data(), {}, g.ny, row, g.layers});
          break;
        case along_layers:
          lines_.push_back({g.via.data(), {}, g.layers, layer, 1});
          break;
      }
      lines_.back().inner.assign(lines_.back().n > 1 ? g.cells() : 0, 0.0);
    }
  }

  void add(const Run& run) {
    Lines& lines = lines_[run.grid];
    double *const entry = lines.entry + run.line, *const inner = lines.inner.data() + run.line;
    if (run.end - run.begin == 1) {
      entry[run.begin * lines.stride] += run.siemens;
      return;
    }
    const std::int64_t n = lines.n;
    const auto add_to = [&](std::int64_t node) {
      (node >= n ? entry[(node - n) * lines.stride] : inner[node * lines.stride]) += run.siemens;
    };
    for (std::int64_t first = run.begin + n, last = run.end + n; first < last; first /= 2, last /= 2) {
      if (first % 2 == 1) add_to(first++);
      if (last % 2 == 1) add_to(--last);
    }
  }

  void finish() {
    for (Lines& lines : lines_)
      if (lines.n > 1)
        parallel_ranges(
            lines.blocks * lines.stride, [&](std::int64_t begin, std::int64_t end) { spread(lines, begin, end); },
            kLinesAtOnce);
  }

 private:
  static constexpr std::int64_t kLinesAtOnce = 256;

  /// All lines of one grid, numbered through: line j of block i starts at entry i·n·stride + j.
  struct Lines {
    double* entry;
    std::vector<double> inner;  ///< nodes 1 … n − 1 of the trees, laid out like the entries
    std::int64_t n, stride, blocks;
  };

  static void spread(Lines& lines, std::int64_t begin, std::int64_t end) {
    const std::int64_t n = lines.n, stride = lines.stride;
    while (begin < end) {
      const std::int64_t block = begin / stride, stop = std::min(end, (block + 1) * stride);
      const std::int64_t start = block * n * stride + begin % stride, count = stop - begin;
      for (std::int64_t node = 1; node < n; ++node) {
        const double* from = lines.inner.data() + start + node * stride;
        for (const std::int64_t child : {2 * node, 2 * node + 1}) {
          double* to = start + (child >= n ? lines.entry + (child - n) * stride : lines.inner.data() + child * stride);
          for (std::int64_t j = 0; j < count; ++j) to[j] += from[j];
        }
      }
      begin = stop;
    }
  }

  std::vector<Lines> lines_;
};

/// Edges are cut into runs by chunks and the runs added by owners, so that each line of cells belongs to one owner and
/// gets its runs in the order of the edges, on any number of threads.
class Stamper {
 public:
  Stamper(const MergedNetwork& network, std::span<const CellPlace> place, std::vector<GridTables>& grids)
      : network_(network),
        place_(place),
        grids_(grids),
        directions_{{{Direction::along_x, grids}, {Direction::along_y, grids}, {Direction::along_layers, grids}}} {}

  std::vector<CrossEdge> run() && {
    for (std::int64_t round = 0; round < network_.edges(); round += kChunks * kEdgesOfChunk) {
      parallel_tasks(kChunks, [&](std::int64_t c) {
        const std::int64_t begin = round + c * kEdgesOfChunk;
        for (auto& runs : chunks_[c].runs)
          for (auto& owned : runs) owned.clear();
        for (std::int64_t e = begin; e < std::min(begin + kEdgesOfChunk, network_.edges()); ++e) cut(e, chunks_[c]);
      });
      parallel_tasks(kOwners, [&](std::int64_t owner) {
        for (const Chunk& chunk : chunks_)
          for (std::size_t d = 0; d < directions_.size(); ++d)
            for (const Run& run : chunk.runs[d][owner]) directions_[d].add(run);
      });
    }
    for (Direction& direction : directions_) direction.finish();

    std::vector<CrossEdge> between;
    for (const Chunk& chunk : chunks_) between.insert(between.end(), chunk.between.begin(), chunk.between.end());
    return between;
  }

 private:
  static constexpr std::int64_t kChunks = 32, kEdgesOfChunk = 1 << 14, kOwners = 32;

  struct Chunk {
    std::array<std::array<std::vector<Run>, kOwners>, 3> runs;  ///< per direction and owner
    std::vector<CrossEdge> between;
  };

  void cut(std::int64_t e, Chunk& chunk) const {
    CellPlace low = place_[network_.a[e]], high = place_[network_.b[e]];
    if (low.grid != high.grid) {
      chunk.between.push_back({network_.a[e], network_.b[e], network_.conductance[e]});
      return;
    }
    const auto order = [](const CellPlace& p) { return std::tie(p.layer, p.y, p.x); };
    if (order(high) < order(low)) std::swap(low, high);
    const auto [left, right] = std::minmax(low.x, high.x);
    const auto [bottom, top] = std::minmax(low.y, high.y);
    const std::int64_t steps =
        std::int64_t{right} - left + (std::int64_t{top} - bottom) + (std::int64_t{high.layer} - low.layer);
    const double g = static_cast<double>(steps) * network_.conductance[e];

    const GridTables& grid = grids_[low.grid];
    const std::int64_t row = grid.nx, layer = row * grid.ny, plane = low.layer * layer;
    const auto add = [&](Direction::Axis axis, std::int64_t line, std::int32_t begin, std::int32_t end,
                         std::int64_t neighbours) {
      if (begin < end) chunk.runs[axis][(low.grid + neighbours) % kOwners].push_back({line, low.grid, begin, end, g});
    };
    // Lines side by side share cache lines, so eight of them have one owner.
    add(Direction::along_x, plane + low.y * row, left, right, low.layer + low.y / 8);
    add(Direction::along_y, plane + high.x, bottom, top, low.layer + high.x / 8);
    add(Direction::along_layers, high.y * row + high.x, low.layer, high.layer, high.y + high.x / 8);
  }

  const MergedNetwork& network_;
  const std::span<const CellPlace> place_;
  const std::vector<GridTables>& grids_;
  std::array<Direction, 3> directions_;
  std::array<Chunk, kChunks> chunks_;
};

}  // namespace

std::vector<CrossEdge> stamp_edges(const MergedNetwork& network, std::span<const CellPlace> place,
                                   std::vector<GridTables>& grids) {
  return Stamper(network, place, grids).run();
}

}  // namespace gridiron
