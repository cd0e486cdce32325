// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/merge_nodes.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace gridiron::layout {
namespace {

/// The nodes of a piece that may be taken up and have not been yet, for look-ups in square windows: in rows across v,
/// sorted by u within each.
class Free {
 public:
  Free(std::span<const Point> places, Dbu radius, std::pmr::memory_resource* memory)
      : places_(places), radius_(radius), nodes_(memory), next_(memory), first_(memory) {}

  void reset(Dbu low_v, Dbu high_v) {
    low_v_ = low_v;
    const int64_t height = 2 * int64_t{radius_} + 1, extent = int64_t{high_v} - low_v + 1;
    rows_ = std::min<int64_t>(kMostRows, (extent + height - 1) / height);
    height_ = (extent + rows_ - 1) / rows_;
    nodes_.clear();
  }
  void add(int32_t node) { nodes_.push_back({row_of(places_[node].y), places_[node].x, node}); }
  void sort() {
    const auto less = [](const Entry& a, const Entry& b) {
      return std::tie(a.row, a.u, a.node) < std::tie(b.row, b.u, b.node);
    };
    if (!std::is_sorted(nodes_.begin(), nodes_.end(), less)) std::sort(nodes_.begin(), nodes_.end(), less);
    next_.resize(nodes_.size() + 1);
    std::iota(next_.begin(), next_.end(), 0);
    first_.assign(static_cast<size_t>(rows_) + 1, 0);
    for (const Entry& e : nodes_) ++first_[e.row + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
  }

  /// Takes all in the window around `node` but itself, f(taken).
  template <class F>
  void take_around(int32_t node, F&& f) {
    const Point p = places_[node];
    const int64_t v0 = int64_t{p.y} - radius_, v1 = int64_t{p.y} + radius_;
    const int64_t u0 = int64_t{p.x} - radius_, u1 = int64_t{p.x} + radius_;
    for (int64_t row = row_of(v0); row <= row_of(v1); ++row) {
      const auto last = nodes_.begin() + first_[row + 1];
      const auto begin =
          std::lower_bound(nodes_.begin() + first_[row], last, u0, [](const Entry& e, int64_t u) { return e.u < u; });
      for (int32_t i = free_from(static_cast<int32_t>(begin - nodes_.begin()));
           i < first_[row + 1] && nodes_[i].u <= u1; i = free_from(i + 1)) {
        const int32_t other = nodes_[i].node;
        if (other == node || places_[other].y < v0 || places_[other].y > v1) continue;
        next_[i] = i + 1;
        f(other);
      }
    }
  }

 private:
  static constexpr int64_t kMostRows = 1 << 16;
  struct Entry {
    int32_t row;
    Dbu u;
    int32_t node;
  };

  int32_t row_of(int64_t v) const {
    return static_cast<int32_t>(std::clamp<int64_t>((v - low_v_) / height_, 0, rows_ - 1));
  }
  int32_t free_from(int32_t i) {
    while (next_[i] != i) {
      next_[i] = next_[next_[i]];
      i = next_[i];
    }
    return i;
  }

  std::span<const Point> places_;
  int64_t radius_;
  int64_t low_v_ = 0, rows_ = 1, height_ = 1;
  std::pmr::vector<Entry> nodes_;
  std::pmr::vector<int32_t> next_;   ///< the first free entry from here on, or one on the way there
  std::pmr::vector<int32_t> first_;  ///< entry of each row
};

int32_t last_of(std::span<int32_t> became, int32_t node) {
  while (became[node] != node) {
    became[node] = became[became[node]];
    node = became[node];
  }
  return node;
}

}  // namespace

std::pmr::vector<int32_t> merge_nodes(const Pieces& pieces, const NodesOnPieces& nodes, std::span<const Point> places,
                                      Dbu pitch, std::pmr::memory_resource* memory) {
  std::pmr::vector<int32_t> became(places.size(), memory);
  std::iota(became.begin(), became.end(), 0);
  Free free(places, pitch / 2, memory);
  for (int64_t piece = 0; piece < pieces.size(); ++piece) {
    const std::span<const int32_t> on_piece = nodes.of(piece);
    if (on_piece.size() < 2) continue;
    const Box& box = pieces.box[piece];
    free.reset(box.y0, box.y1);
    for (const int32_t node : on_piece)
      if (!nodes.is_shared(node)) free.add(node);
    free.sort();
    const Point middle = centre(box);
    enum Turn { shared, on_centre_lines, others };
    for (const Turn turn : {shared, on_centre_lines, others})
      for (const int32_t node : on_piece) {
        const Point p = places[node];
        const Turn its_turn = nodes.is_shared(node)                ? shared
                              : p.x == middle.x || p.y == middle.y ? on_centre_lines
                                                                   : others;
        if (its_turn != turn || became[node] != node) continue;
        free.take_around(node, [&](int32_t taken) { became[taken] = node; });
      }
  }
  for (size_t node = 0; node < became.size(); ++node) became[node] = last_of(became, static_cast<int32_t>(node));
  return became;
}

}  // namespace gridiron::layout
