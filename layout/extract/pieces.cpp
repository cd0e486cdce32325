// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/pieces.hpp"

#include <algorithm>
#include <boost/polygon/polygon.hpp>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <tuple>

#include "layout/extract/cut_sweep.hpp"

namespace gridiron::layout {
namespace {

namespace bp = boost::polygon;

bool before(const Box& a, const Box& b) { return std::tie(a.x0, a.y0) < std::tie(b.x0, b.y0); }

void sort_by_end(Pieces& pieces) {
  pieces.by_end.resize(pieces.box.size());
  std::iota(pieces.by_end.begin(), pieces.by_end.end(), 0);
  std::sort(pieces.by_end.begin(), pieces.by_end.end(), [&](int32_t a, int32_t b) {
    return std::tie(pieces.box[a].x1, pieces.box[a].y0, a) < std::tie(pieces.box[b].x1, pieces.box[b].y0, b);
  });
}

/// Unites boxes of one extent in v, or boxes that lie within one of them: those of a rail or a strap. False if there
/// are others, and if none has an extent.
bool unite_row(std::span<const Box> boxes, std::pmr::memory_resource* memory, Pieces& out) {
  const auto has_extent = [](const Box& b) { return b.x0 < b.x1 && b.y0 < b.y1; };
  const auto first = std::find_if(boxes.begin(), boxes.end(), has_extent);
  if (first == boxes.end()) return false;
  Box all = *first;
  bool is_even = true, covers_all = true;  // whether their extents in v are the same, and `all` is one of them
  size_t n = 0;
  for (const Box& b : boxes) {
    if (!has_extent(b)) continue;
    ++n;
    is_even = is_even && b.y0 == all.y0 && b.y1 == all.y1;
    const Box more = {std::min(all.x0, b.x0), std::min(all.y0, b.y0), std::max(all.x1, b.x1), std::max(all.y1, b.y1)};
    if (more == b)
      covers_all = true;
    else if (more != all)
      covers_all = false;
    all = more;
  }
  if (covers_all) {
    out.box.push_back(all);
    out.by_end.push_back(0);
    return true;
  }
  if (!is_even) return false;
  std::pmr::vector<Point> along(memory);
  along.reserve(n);
  for (const Box& b : boxes)
    if (has_extent(b)) along.push_back({b.x0, b.x1});
  if (!std::is_sorted(along.begin(), along.end())) std::sort(along.begin(), along.end());
  for (const Point p : along)
    if (out.box.empty() || p.x > out.box.back().x1)
      out.box.push_back({p.x, all.y0, p.y, all.y1});
    else
      out.box.back().x1 = std::max(out.box.back().x1, p.y);
  out.by_end.resize(out.box.size());
  std::iota(out.by_end.begin(), out.by_end.end(), 0);
  return true;
}

double area(const std::vector<Point>& corners) {
  double twice = 0;
  for (size_t i = 0; i < corners.size(); ++i) {
    const Point a = corners[i], b = corners[(i + 1) % corners.size()];
    twice += static_cast<double>(a.x) * b.y - static_cast<double>(b.x) * a.y;
  }
  return std::abs(twice) / 2;
}

Dbu mean_width(const std::vector<Point>& corners, Dbu extent) {
  return static_cast<Dbu>(std::max<int64_t>(1, std::llround(area(corners) / extent)));
}

bool has_45_degrees(const std::vector<Point>& corners) {
  for (size_t i = 0; i < corners.size(); ++i) {
    const Point a = corners[i], b = corners[(i + 1) % corners.size()];
    const int64_t dx = int64_t{a.x} - b.x, dy = int64_t{a.y} - b.y;
    if (dx != 0 && dy != 0 && std::abs(dx) != std::abs(dy)) return false;
  }
  return true;
}

Box bounds(const std::vector<Point>& corners) {
  Box box{corners[0].x, corners[0].y, corners[0].x, corners[0].y};
  for (const Point p : corners)
    box = {std::min(box.x0, p.x), std::min(box.y0, p.y), std::max(box.x1, p.x), std::max(box.y1, p.y)};
  return box;
}

bool is_box(const std::vector<Point>& corners) {
  const Box box = bounds(corners);
  return corners.size() == 4 && std::all_of(corners.begin(), corners.end(), [&](Point p) {
           return (p.x == box.x0 || p.x == box.x1) && (p.y == box.y0 || p.y == box.y1);
         });
}

/// Corners without repetition and without those in the middle of a straight edge.
std::vector<Point> corners_of(const bp::polygon_45_data<Dbu>& polygon) {
  std::vector<Point> all, out;
  for (const auto& p : polygon)
    if (const Point at{p.x(), p.y()}; all.empty() || all.back() != at) all.push_back(at);
  while (all.size() > 1 && all.front() == all.back()) all.pop_back();
  for (size_t i = 0; i < all.size(); ++i) {
    const Point a = all[(i + all.size() - 1) % all.size()], b = all[i], c = all[(i + 1) % all.size()];
    const int64_t turn = (int64_t{b.x} - a.x) * (int64_t{c.y} - b.y) - (int64_t{b.y} - a.y) * (int64_t{c.x} - b.x);
    if (turn != 0) out.push_back(b);
  }
  return out;
}

}  // namespace

bool Pieces::holds(int64_t piece, Point p) const {
  if (!layout::holds(box[piece], p)) return false;
  if (!is_trapezoid(piece)) return true;
  bool left = true, right = true;  // of every edge: a trapezoid is convex
  const std::vector<Point>& c = corners[piece];
  for (size_t i = 0; i < c.size(); ++i) {
    const Point a = c[i], b = c[(i + 1) % c.size()];
    const int64_t side = (int64_t{b.x} - a.x) * (int64_t{p.y} - a.y) - (int64_t{b.y} - a.y) * (int64_t{p.x} - a.x);
    left = left && side >= 0;
    right = right && side <= 0;
  }
  return left || right;
}

Dbu Pieces::width_along_u(int64_t piece) const {
  return is_trapezoid(piece) ? mean_width(corners[piece], box[piece].width()) : box[piece].height();
}

Dbu Pieces::width_along_v(int64_t piece) const {
  return is_trapezoid(piece) ? mean_width(corners[piece], box[piece].height()) : box[piece].width();
}

Pieces cut(std::span<const Box> boxes, std::pmr::memory_resource* memory) {
  Pieces out(memory);
  if (unite_row(boxes, memory, out) || CutSweep(boxes, memory).run(out)) return out;
  bp::polygon_90_set_data<Dbu> all(bp::VERTICAL);
  for (const Box& b : boxes) all.insert(bp::rectangle_data<Dbu>(b.x0, b.y0, b.x1, b.y1));
  std::vector<bp::rectangle_data<Dbu>> rectangles;
  all.get_rectangles(rectangles, bp::VERTICAL);
  out.box.clear();
  out.box.reserve(rectangles.size());
  for (const auto& r : rectangles) out.box.push_back({bp::xl(r), bp::yl(r), bp::xh(r), bp::yh(r)});
  std::sort(out.box.begin(), out.box.end(), before);
  sort_by_end(out);
  return out;
}

Pieces cut(std::span<const Box> boxes, std::span<const std::vector<Point>> polygons,
           std::pmr::memory_resource* memory) {
  bp::polygon_45_set_data<Dbu> all;
  for (const Box& b : boxes) all.insert(bp::rectangle_data<Dbu>(b.x0, b.y0, b.x1, b.y1));
  for (const std::vector<Point>& polygon : polygons) {
    if (!has_45_degrees(polygon)) {
      const Box b = bounds(polygon);
      all.insert(bp::rectangle_data<Dbu>(b.x0, b.y0, b.x1, b.y1));
      continue;
    }
    std::vector<bp::point_data<Dbu>> points;
    for (const Point p : polygon) points.emplace_back(p.x, p.y);
    all.insert(bp::polygon_45_data<Dbu>(points.begin(), points.end()));
  }
  std::vector<bp::polygon_45_data<Dbu>> trapezoids;
  all.get_trapezoids(trapezoids, bp::VERTICAL);

  struct Shape {
    Box box;
    std::vector<Point> corners;
  };
  std::vector<Shape> shapes;
  for (const auto& trapezoid : trapezoids) {
    std::vector<Point> corners = corners_of(trapezoid);
    if (corners.size() < 3) continue;
    const Box box = bounds(corners);
    shapes.push_back({box, is_box(corners) ? std::vector<Point>() : std::move(corners)});
  }
  std::sort(shapes.begin(), shapes.end(), [](const Shape& a, const Shape& b) {
    return std::tie(a.box.x0, a.box.y0, a.box.x1, a.box.y1, a.corners) <
           std::tie(b.box.x0, b.box.y0, b.box.x1, b.box.y1, b.corners);
  });
  Pieces out(memory);
  for (Shape& shape : shapes) {
    out.box.push_back(shape.box);
    out.corners.push_back(std::move(shape.corners));
  }
  sort_by_end(out);
  return out;
}

}  // namespace gridiron::layout
