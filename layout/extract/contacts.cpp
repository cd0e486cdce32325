// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/contacts.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "layout/extract/box_tree.hpp"
#include "support/parallel_arrays.hpp"
#include "support/union_find.hpp"

namespace gridiron::layout {
namespace {

using PieceList = std::vector<int32_t>;

Point along_u(const Box& box, Axes axes) {
  const Box b = axes(box);
  return {b.x0, b.x1};
}
Point along_v(const Box& box, Axes axes) {
  const Box b = axes(box);
  return {b.y0, b.y1};
}

struct Reach {
  int64_t low, high;
};
Reach common(Reach a, Reach b) { return {std::max(a.low, b.low), std::min(a.high, b.high)}; }

/// How far a direction is from the origin to a corner, times the length of that direction.
int64_t projected(Point corner, Point origin, Point direction) {
  return (int64_t{corner.x} - origin.x) * direction.x + (int64_t{corner.y} - origin.y) * direction.y;
}

Reach projected(const std::vector<Point>& corners, Point origin, Point direction) {
  Reach out{projected(corners[0], origin, direction), projected(corners[0], origin, direction)};
  for (const Point p : corners) {
    const int64_t at = projected(p, origin, direction);
    out = {std::min(out.low, at), std::max(out.high, at)};
  }
  return out;
}

/// Of the corners on a line across `normal`, along it.
Reach on_line(const std::vector<Point>& corners, Point origin, Point normal, int64_t line) {
  std::vector<Point> face;
  for (const Point p : corners)
    if (projected(p, origin, normal) == line) face.push_back(p);
  return projected(face, origin, {-normal.y, normal.x});
}

std::vector<Point> outline_of(const LayerMetal& metal, int64_t piece) {
  if (const std::vector<Point>* corners = metal.corners(piece)) return *corners;
  const Box& b = metal.box(piece);
  return {{b.x0, b.y0}, {b.x1, b.y0}, {b.x1, b.y1}, {b.x0, b.y1}};
}

bool conduct(const LayerMetal& a, int64_t in_a, const LayerMetal& b, int64_t in_b) {
  if (a.corners(in_a) || b.corners(in_b)) return conduct(outline_of(a, in_a), outline_of(b, in_b));
  const Box both = common(a.box(in_a), b.box(in_b));
  return both.x0 < both.x1 || both.y0 < both.y1;
}

/// Those of some pieces whose extent along one axis meets what others cover there.
template <class ExtentOf>
PieceList beside(const PieceList& pieces, const Intervals& others, ExtentOf&& extent_of) {
  return parallel_list<int32_t>(std::ssize(pieces), [&](int64_t i, auto& list) {
    if (others.meets(extent_of(pieces[i]))) list.push_back(pieces[i]);
  });
}

template <class ExtentOf>
Intervals covered(const PieceList& pieces, ExtentOf&& extent_of) {
  return Intervals(std::ssize(pieces), [&](int64_t i) { return extent_of(pieces[i]); });
}

}  // namespace

LayerMetal::LayerMetal(const Network& network, int32_t layer, Axes axes) {
  const auto [begin, end] = std::equal_range(network.piece_layer.begin(), network.piece_layer.end(), layer);
  first_ = begin - network.piece_layer.begin();
  boxes_ = std::span(network.piece_box).subspan(static_cast<size_t>(first_), static_cast<size_t>(end - begin));
  const auto at = [&](int64_t piece) {
    return std::lower_bound(network.trapezoids.begin(), network.trapezoids.end(), piece,
                            [](const Trapezoid& t, int64_t p) { return t.piece < p; });
  };
  trapezoids_ = std::span(at(first_), at(first_ + size()));
  rows_ = Intervals(size(), [&](int64_t i) { return along_v(boxes_[i], axes); });
}

const std::vector<Point>* LayerMetal::corners(int64_t piece) const {
  if (trapezoids_.empty()) return nullptr;
  const auto at = std::lower_bound(trapezoids_.begin(), trapezoids_.end(), first_ + piece,
                                   [](const Trapezoid& t, int64_t p) { return t.piece < p; });
  return at != trapezoids_.end() && at->piece == first_ + piece ? &at->corners : nullptr;
}

/// Convex shapes are apart if they are along the normal of one of their edges. Where they only touch there, what they
/// have in common is on one line, across that normal.
bool conduct(const std::vector<Point>& a, const std::vector<Point>& b) {
  for (const auto* shape : {&a, &b})
    for (size_t i = 0; i < shape->size(); ++i) {
      const Point from = (*shape)[i], to = (*shape)[(i + 1) % shape->size()];
      const Point normal{to.y - from.y, from.x - to.x};
      if (normal == Point{}) continue;
      const Reach both = common(projected(a, from, normal), projected(b, from, normal));
      if (both.low > both.high) return false;
      if (both.low < both.high) continue;
      const Reach edge = common(on_line(a, from, normal, both.low), on_line(b, from, normal, both.low));
      return edge.low < edge.high;
    }
  return true;
}

/// Rails, straps and pins of different nets mostly lie in rows of their own, so that few pieces are left to be looked
/// at by place: those in rows of the other net, then those between which the other's are along these rows.
std::vector<Box> contacts(const LayerMetal& a, const LayerMetal& b, Axes axes) {
  if (!a.rows().meets(b.rows())) return {};
  const auto all = [](const LayerMetal& metal) {
    PieceList list(static_cast<size_t>(metal.size()));
    std::iota(list.begin(), list.end(), 0);
    return list;
  };
  const auto u_of_a = [&](int32_t i) { return along_u(a.box(i), axes); };
  const auto u_of_b = [&](int32_t i) { return along_u(b.box(i), axes); };
  const auto v_of_a = [&](int32_t i) { return along_v(a.box(i), axes); };
  const auto v_of_b = [&](int32_t i) { return along_v(b.box(i), axes); };
  PieceList from_a = beside(all(a), b.rows(), v_of_a);
  PieceList from_b = beside(all(b), covered(from_a, v_of_a), v_of_b);
  from_a = beside(from_a, covered(from_b, u_of_b), u_of_a);
  from_b = beside(from_b, covered(from_a, u_of_a), u_of_b);

  const bool has_fewer = from_a.size() < from_b.size();
  const PieceList &few = has_fewer ? from_a : from_b, &many = has_fewer ? from_b : from_a;
  const LayerMetal &of_few = has_fewer ? a : b, &of_many = has_fewer ? b : a;
  std::vector<Box> boxes;
  for (const int32_t piece : few) boxes.push_back(of_few.box(piece));
  const BoxTree tree(std::move(boxes));
  constexpr int64_t kGrain = 1 << 10;
  return parallel_list<Box>(
      std::ssize(many),
      [&](int64_t i, auto& list) {
        const Box& box = of_many.box(many[i]);
        for (const int32_t k : tree.meeting(box))
          if (conduct(of_few, few[k], of_many, many[i])) list.push_back(common(of_few.box(few[k]), box));
      },
      kGrain);
}

std::vector<Box> joined(std::vector<Box> boxes) {
  const auto key = [](const Box& b) { return std::tie(b.x0, b.y0, b.x1, b.y1); };
  const auto less = [&](const Box& a, const Box& b) { return key(a) < key(b); };
  std::sort(boxes.begin(), boxes.end(), less);
  UnionFind groups(std::ssize(boxes));
  const BoxTree tree(boxes);
  for (int32_t i = 0; i < std::ssize(boxes); ++i)
    for (const int32_t other : tree.meeting(boxes[i])) groups.join(i, other);
  std::vector<Box> bounding = boxes, out;
  for (int32_t i = 0; i < std::ssize(boxes); ++i) {
    Box& all = bounding[groups.find(i)];
    const Box& b = boxes[i];
    all = {std::min(all.x0, b.x0), std::min(all.y0, b.y0), std::max(all.x1, b.x1), std::max(all.y1, b.y1)};
  }
  for (int32_t i = 0; i < std::ssize(boxes); ++i)
    if (groups.find(i) == i) out.push_back(bounding[i]);
  std::sort(out.begin(), out.end(), less);
  return out;
}

}  // namespace gridiron::layout
