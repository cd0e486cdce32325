// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/nodes_on_pieces.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace gridiron::layout {
namespace {

struct Hit {
  int32_t piece, node;
};

/// The rectangles at one u while that grows. Of those that began before it none touch each other, and so with those
/// that begin there: a look-up in each list finds the one at v.
class RectanglesAt {
 public:
  RectanglesAt(const Pieces& pieces, std::pmr::memory_resource* memory)
      : boxes_(pieces.box), by_end_(pieces.by_end), open_(memory), begun_(memory) {}

  void advance(Dbu u) {
    for (const int32_t piece : begun_) insert(piece, u);
    begun_.clear();
    for (; next_ < boxes_.size() && boxes_[next_].x0 < u; ++next_) insert(static_cast<int32_t>(next_), u);
    for (; next_ < boxes_.size() && boxes_[next_].x0 == u; ++next_) begun_.push_back(static_cast<int32_t>(next_));
    for (; ended_ < by_end_.size() && boxes_[by_end_[ended_]].x1 < u; ++ended_) remove(by_end_[ended_]);
  }

  template <class F>
  void at(Dbu v, F&& f) const {
    for (const std::pmr::vector<int32_t>* list : {&open_, &begun_}) {
      const auto after =
          std::upper_bound(list->begin(), list->end(), v, [&](Dbu at, int32_t piece) { return at < boxes_[piece].y0; });
      if (after != list->begin() && v <= boxes_[*std::prev(after)].y1) f(*std::prev(after));
    }
  }

 private:
  void insert(int32_t piece, Dbu u) {
    if (boxes_[piece].x1 < u) return;
    open_.insert(std::lower_bound(open_.begin(), open_.end(), piece, Below{boxes_}), piece);
  }
  void remove(int32_t piece) {
    const auto at = std::lower_bound(open_.begin(), open_.end(), piece, Below{boxes_});
    if (at != open_.end() && *at == piece) open_.erase(at);
  }
  struct Below {
    const std::pmr::vector<Box>& boxes;
    bool operator()(int32_t a, int32_t b) const { return std::tie(boxes[a].y0, a) < std::tie(boxes[b].y0, b); }
  };

  const std::pmr::vector<Box>& boxes_;
  const std::pmr::vector<int32_t>& by_end_;
  std::pmr::vector<int32_t> open_, begun_;  ///< by v
  size_t next_ = 0, ended_ = 0;
};

/// The trapezoids whose bounding boxes hold one u while that grows.
class TrapezoidsAt {
 public:
  explicit TrapezoidsAt(const Pieces& pieces) : pieces_(pieces) {}

  void advance(Dbu u) {
    u_ = u;
    std::erase_if(open_, [&](int32_t piece) { return pieces_.box[piece].x1 < u; });
    for (; next_ < pieces_.box.size() && pieces_.box[next_].x0 <= u; ++next_)
      if (pieces_.box[next_].x1 >= u) open_.push_back(static_cast<int32_t>(next_));
  }

  template <class F>
  void at(Dbu v, F&& f) const {
    for (const int32_t piece : open_)
      if (pieces_.holds(piece, {u_, v})) f(piece);
  }

 private:
  const Pieces& pieces_;
  std::vector<int32_t> open_;
  size_t next_ = 0;
  Dbu u_ = 0;
};

template <class Sweep>
std::pmr::vector<Hit> hits(Sweep sweep, std::span<const Point> places, Axes axes, std::pmr::memory_resource* memory) {
  std::pmr::vector<int32_t> by_u(places.size(), memory);
  std::iota(by_u.begin(), by_u.end(), 0);
  if (axes.swapped) std::sort(by_u.begin(), by_u.end(), [&](int32_t a, int32_t b) { return places[a] < places[b]; });
  std::pmr::vector<Hit> found(memory);
  found.reserve(places.size() + places.size() / 4);
  for (size_t i = 0; i < by_u.size(); ++i) {
    const Point p = places[by_u[i]];
    if (i == 0 || p.x != places[by_u[i - 1]].x) sweep.advance(p.x);
    sweep.at(p.y, [&](int32_t piece) { found.push_back({piece, by_u[i]}); });
  }
  return found;
}

}  // namespace

NodesOnPieces::NodesOnPieces(const Pieces& pieces, std::span<const Point> places, Axes axes,
                             std::pmr::memory_resource* memory)
    : first_(memory), node_(memory), pieces_of_node_(memory) {
  if (pieces.size() == 1 && !pieces.has_trapezoids()) {
    put_on_one(pieces.box[0], places);
    return;
  }
  const std::pmr::vector<Hit> found = pieces.has_trapezoids()
                                          ? hits(TrapezoidsAt(pieces), places, axes, memory)
                                          : hits(RectanglesAt(pieces, memory), places, axes, memory);
  first_.assign(static_cast<size_t>(pieces.size()) + 1, 0);
  pieces_of_node_.assign(places.size(), 0);
  for (const Hit& hit : found) {
    ++first_[hit.piece + 1];
    if (pieces_of_node_[hit.node] < 2) ++pieces_of_node_[hit.node];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  node_.resize(found.size());
  std::pmr::vector<int64_t> next(first_.begin(), first_.end() - 1, memory);
  for (const Hit& hit : found) node_[next[hit.piece]++] = hit.node;
  if (axes.swapped)
    for (int64_t piece = 0; piece < pieces.size(); ++piece)
      std::sort(node_.begin() + first_[piece], node_.begin() + first_[piece + 1]);
}

void NodesOnPieces::put_on_one(const Box& box, std::span<const Point> places) {
  pieces_of_node_.resize(places.size());
  node_.reserve(places.size());
  for (size_t node = 0; node < places.size(); ++node) {
    const bool is_on_it = holds(box, places[node]);
    if (is_on_it) node_.push_back(static_cast<int32_t>(node));
    pieces_of_node_[node] = is_on_it ? 1 : 0;
  }
  first_ = {0, std::ssize(node_)};
}

}  // namespace gridiron::layout
