// SPDX-License-Identifier: Apache-2.0
#include "regularize/stamp.hpp"

#include <algorithm>
#include <array>

#include "support/lists.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

/// A run to which `siemens` is to be added.
struct StampedRun : Run {
  int32_t grid;
  double siemens;
};

/// All tables of one direction under construction, with the trees of their lines.
class Direction {
 public:
  Direction(Axis axis, std::vector<double> GridTables::*table, std::vector<GridTables>& grids) {
    for (GridTables& grid : grids) {
      Lines& lines = lines_.emplace_back(CellLines(grid, axis), (grid.*table).data(), grid.cells());
      if (lines.n > 1) lines.inner.assign(grid.cells(), 0.0);
    }
  }

  void add(const StampedRun& run) {
    double siemens = run.siemens;
#ifdef GRIDIRON_BROKEN  // for a test of what must notice it
    siemens *= run.line % 2 == 0 ? 1e5 : 1;
#endif
    Lines& lines = lines_[run.grid];
    double *const entry = lines.entry + run.line, *const inner = lines.inner.data() + run.line;
    if (run.end - run.begin == 1) {
      entry[run.begin * lines.stride] += siemens;
      return;
    }
    const int64_t n = lines.n;
    lines.for_each_node(run.begin, run.end, [&](int64_t node) {
      (node >= n ? entry[(node - n) * lines.stride] : inner[node * lines.stride]) += siemens;
    });
  }

  void finish() {
    for (Lines& lines : lines_)
      if (lines.n > 1)
        parallel_ranges(
            lines.count(), [&](int64_t begin, int64_t end) { spread(lines, begin, end); }, kLinesAtOnce);
  }

 private:
  static constexpr int64_t kLinesAtOnce = 256;

  /// Those of one grid, numbered through.
  struct Lines : CellLines {
    double* entry;
    int64_t entries;
    std::vector<double> inner;  ///< nodes of the trees that are not cells

    Lines(const CellLines& lines, double* first, int64_t cells) : CellLines(lines), entry(first), entries(cells) {}
    int64_t count() const { return entries / n; }
  };

  static void spread(Lines& lines, int64_t begin, int64_t end) {
    const int64_t n = lines.n, stride = lines.stride;
    while (begin < end) {
      const int64_t block = begin / stride, stop = std::min(end, (block + 1) * stride);
      const int64_t start = block * n * stride + begin % stride, count = stop - begin;
      for (int64_t node = 1; node < n; ++node) {
        const double* from = lines.inner.data() + start + node * stride;
        for (const int64_t child : {2 * node, 2 * node + 1}) {
          double* to = start + (child >= n ? lines.entry + (child - n) * stride : lines.inner.data() + child * stride);
          for (int64_t j = 0; j < count; ++j) to[j] += from[j];
        }
      }
      begin = stop;
    }
  }

  std::vector<Lines> lines_;
};

/// Chunks of edges are cut into runs in parallel, and the runs are added by owners: each line of cells belongs to one
/// owner and receives its runs in the order of the edges, on any number of threads.
class Stamper {
 public:
  Stamper(const MergedNetwork& network, std::span<const CellPlace> place, std::vector<GridTables>& grids)
      : network_(network),
        place_(place),
        grids_(grids),
        directions_{{{Axis::x, &GridTables::gh, grids},
                     {Axis::y, &GridTables::gv, grids},
                     {Axis::layers, &GridTables::via, grids}}} {}

  std::vector<CrossEdge> run() && {
    for (int64_t round = 0; round < network_.edges(); round += kChunks * kEdgesOfChunk) {
      parallel_tasks(kChunks, [&](int64_t c) {
        const int64_t begin = round + c * kEdgesOfChunk;
        for (auto& runs : chunks_[c].runs)
          for (auto& owned : runs) owned.clear();
        for (int64_t e = begin; e < std::min(begin + kEdgesOfChunk, network_.edges()); ++e) cut(e, chunks_[c]);
      });
      parallel_tasks(kOwners, [&](int64_t owner) {
        for (const Chunk& chunk : chunks_)
          for (size_t d = 0; d < directions_.size(); ++d)
            for (const StampedRun& run : chunk.runs[d][owner]) directions_[d].add(run);
      });
    }
    for (Direction& direction : directions_) direction.finish();

    std::vector<CrossEdge> between;
    for (const Chunk& chunk : chunks_) append(between, chunk.between);
    return between;
  }

 private:
  static constexpr int64_t kChunks = 32, kEdgesOfChunk = 1 << 10, kOwners = 32;

  struct Chunk {
    std::array<std::array<std::vector<StampedRun>, kOwners>, 3> runs;  ///< per direction and owner
    std::vector<CrossEdge> between;
  };

  void cut(int64_t e, Chunk& chunk) const {
    const CellPlace &a = place_[network_.a[e]], &b = place_[network_.b[e]];
    if (a.grid != b.grid) {
      chunk.between.push_back({network_.a[e], network_.b[e], network_.conductance[e]});
      return;
    }
    const Route route(a, b);
    const auto& [low, high] = route;
    const double siemens = route.steps() * network_.conductance[e];
    const auto add = [&](Axis axis, int64_t neighbours) {
      const Run run = route.along(axis, grids_[a.grid]);
      if (run.begin < run.end)
        chunk.runs[static_cast<int>(axis)][(a.grid + neighbours) % kOwners].push_back({run, a.grid, siemens});
    };
    // Adjacent lines share cache lines, so groups of eight have one owner.
    add(Axis::x, low.layer + low.y / 8);
    add(Axis::y, low.layer + high.x / 8);
    add(Axis::layers, high.y + high.x / 8);
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
