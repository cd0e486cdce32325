// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/merge_nodes.hpp"

#include <algorithm>
#include <array>
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
      : places_(places), radius_(radius), nodes_(memory), next_(memory), first_(memory), last_seen_(memory) {}

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
    last_seen_.assign(first_.begin(), first_.end());
  }

  /// Takes all in the window around `node` but itself, f(taken).
  template <class F>
  void take_around(int32_t node, F&& f) {
    const Point p = places_[node];
    const int64_t v0 = int64_t{p.y} - radius_, v1 = int64_t{p.y} + radius_;
    const int64_t u0 = int64_t{p.x} - radius_, u1 = int64_t{p.x} + radius_;
    for (int64_t row = row_of(v0); row <= row_of(v1); ++row) {
      for (int32_t i = free_from(first_not_before(row, u0)); i < first_[row + 1] && nodes_[i].u <= u1;
           i = free_from(i + 1)) {
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
    if (rows_ == 1) return 0;
    return static_cast<int32_t>(std::clamp<int64_t>((v - low_v_) / height_, 0, rows_ - 1));
  }
  /// The first entry of a row from u on, mostly a little after the one that was asked for before.
  int32_t first_not_before(int64_t row, int64_t u) {
    constexpr int32_t kNear = 8;
    const int32_t begin = first_[row], end = first_[row + 1];
    int32_t& seen = last_seen_[row];
    if (seen == begin || nodes_[seen - 1].u < u)
      for (const int32_t far = std::min(end, seen + kNear);; ++seen) {
        if (seen == end || nodes_[seen].u >= u) return seen;
        if (seen == far) break;
      }
    const auto found = std::lower_bound(nodes_.begin() + begin, nodes_.begin() + end, u,
                                        [](const Entry& e, int64_t at) { return e.u < at; });
    return seen = static_cast<int32_t>(found - nodes_.begin());
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
  std::pmr::vector<int32_t> next_;       ///< the first free entry from here on, or one on the way there
  std::pmr::vector<int32_t> first_;      ///< entry of each row
  std::pmr::vector<int32_t> last_seen_;  ///< of each row
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
    enum Turn : uint8_t { shared, on_centre_lines, others };
    const auto turn_of = [&](int32_t node) {
      const Point p = places[node];
      return nodes.is_shared(node) ? shared : p.x == middle.x || p.y == middle.y ? on_centre_lines : others;
    };
    std::array<bool, 3> occurs{};
    for (const int32_t node : on_piece) occurs[turn_of(node)] = true;
    for (const Turn turn : {shared, on_centre_lines, others}) {
      if (!occurs[turn]) continue;
      for (const int32_t node : on_piece) {
        if (became[node] != node || turn_of(node) != turn) continue;
        free.take_around(node, [&](int32_t taken) { became[taken] = node; });
      }
    }
  }
  for (size_t node = 0; node < became.size(); ++node) became[node] = last_of(became, static_cast<int32_t>(node));
  return became;
}

}  // namespace gridiron::layout
