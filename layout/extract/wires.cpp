// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/wires.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace gridiron::layout {
namespace {

/// Nodes of a piece by x, then y, in groups of one x.
class Columns {
 public:
  Columns(size_t most, std::pmr::memory_resource* memory) : at_(memory), node_(memory), first_(memory) {
    at_.reserve(most);
    node_.reserve(most);
    first_.reserve(most + 1);
  }
  void reset() {
    at_.clear();
    node_.clear();
    first_.clear();
  }
  /// In order. `p` is in x and y.
  void add(Point p, int32_t node) {
    if (at_.empty() || at_.back().x != p.x) first_.push_back(static_cast<int32_t>(at_.size()));
    at_.push_back(p);
    node_.push_back(node);
  }
  void finish() { first_.push_back(static_cast<int32_t>(at_.size())); }

  /// f(i, j) with j the nearest of those after i, for every i but the last.
  template <class F>
  void for_each_nearest_later(F&& f) const {
    for (int32_t column = 0; column + 1 < static_cast<int32_t>(first_.size()); ++column)
      for (int32_t i = first_[column]; i < first_[column + 1]; ++i) {
        Best best;
        if (i + 1 < first_[column + 1]) try_one(i, i + 1, best);
        for (int32_t other = column + 1; other + 1 < static_cast<int32_t>(first_.size()); ++other) {
          const double dx = static_cast<double>(at_[first_[other]].x) - at_[i].x;
          if (dx * dx >= best.distance) break;
          const auto begin = at_.begin() + first_[other], end = at_.begin() + first_[other + 1];
          const auto above = std::lower_bound(begin, end, at_[i].y, [](Point p, Dbu y) { return p.y < y; });
          if (above != begin) try_one(i, static_cast<int32_t>(above - at_.begin()) - 1, best);
          if (above != end) try_one(i, static_cast<int32_t>(above - at_.begin()), best);
        }
        if (best.j >= 0) f(i, best.j);
      }
  }

  Point at(int32_t i) const { return at_[i]; }
  int32_t node(int32_t i) const { return node_[i]; }

 private:
  struct Best {
    double distance = std::numeric_limits<double>::infinity();  ///< squared
    int32_t j = -1;
  };
  void try_one(int32_t i, int32_t j, Best& best) const {
    const double dx = static_cast<double>(at_[j].x) - at_[i].x, dy = static_cast<double>(at_[j].y) - at_[i].y;
    if (const double distance = dx * dx + dy * dy; distance < best.distance) best = {distance, j};
  }

  std::pmr::vector<Point> at_;
  std::pmr::vector<int32_t> node_;
  std::pmr::vector<int32_t> first_;  ///< of each column
};

}  // namespace

std::vector<Wire> make_wires(const Pieces& pieces, const NodesOnPieces& nodes, std::span<const Point> places,
                             std::span<const int32_t> became, Axes axes, std::pmr::memory_resource* memory) {
  std::vector<Wire> wires;
  size_t joined = 0, most = 0;  // every node of a piece but the last, and the nodes of the largest piece
  for (int64_t piece = 0; piece < pieces.size(); ++piece) {
    const auto left =
        static_cast<size_t>(std::ranges::count_if(nodes.of(piece), [&](int32_t node) { return became[node] == node; }));
    joined += std::max<size_t>(left, 1) - 1;
    most = std::max(most, left);
  }
  wires.reserve(joined);
  Columns columns(most, memory);
  for (int64_t piece = 0; piece < pieces.size(); ++piece) {
    columns.reset();
    for (const int32_t node : nodes.of(piece))
      if (became[node] == node) columns.add(axes(places[node]), node);
    columns.finish();
    const Dbu along_u = pieces.width_along_u(piece), along_v = pieces.width_along_v(piece);
    const Dbu along_x = axes.swapped ? along_v : along_u, along_y = axes.swapped ? along_u : along_v;
    columns.for_each_nearest_later([&](int32_t i, int32_t j) {
      const Point a = columns.at(i), b = columns.at(j);
      const Dbu dx = std::abs(b.x - a.x), dy = std::abs(b.y - a.y);
      wires.push_back({columns.node(i), columns.node(j), std::max(dx, dy), dx > dy ? along_x : along_y});
    });
  }
  return wires;
}

}  // namespace gridiron::layout
