// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <utility>

#include "layout/extract/pieces.hpp"
#include "support/union_find.hpp"

namespace gridiron::layout {
namespace {

/// The extent in v of a piece's end at u; false if it has no end there that is longer than a point.
bool end_of(const Pieces& pieces, int32_t piece, Dbu u, Dbu& low, Dbu& high) {
  const Box& box = pieces.box[piece];
  if (!pieces.is_trapezoid(piece)) {
    low = box.y0, high = box.y1;
    return true;
  }
  bool found = false;
  for (const Point p : pieces.corners[piece]) {
    if (p.x != u) continue;
    low = found ? std::min(low, p.y) : p.y;
    high = found ? std::max(high, p.y) : p.y;
    found = true;
  }
  return found && low < high;
}

/// f(e, s) for ends of pieces at u: e ends there, s begins there, and they touch. Those of each list, which are in the
/// order of v, do not touch each other.
template <class F>
void for_touching(const Pieces& pieces, std::span<const int32_t> ending, std::span<const int32_t> beginning, F&& f) {
  for (size_t i = 0, j = 0; i < ending.size() && j < beginning.size();) {
    const Box &e = pieces.box[ending[i]], &s = pieces.box[beginning[j]];
    if (meets(e, s)) f(ending[i], beginning[j]);
    e.y1 < s.y1 ? ++i : ++j;
  }
}

/// The same of trapezoids, whose bounding boxes may overlap.
template <class F>
void for_touching_trapezoids(const Pieces& pieces, std::span<const int32_t> ending, std::span<const int32_t> beginning,
                             F&& f) {
  for (const int32_t e : ending)
    for (const int32_t s : beginning)
      if (meets(pieces.box[e], pieces.box[s])) f(e, s);
}

}  // namespace

std::pmr::vector<Contact> end_contacts(const Pieces& pieces, std::pmr::memory_resource* memory) {
  std::pmr::vector<Contact> found(memory);
  std::pmr::vector<int32_t> beginning(pieces.box.size(), memory);
  std::iota(beginning.begin(), beginning.end(), 0);
  const std::pmr::vector<int32_t>& ending = pieces.by_end;
  for (size_t i = 0, j = 0; i < ending.size();) {
    const Dbu u = pieces.box[ending[i]].x1;
    const size_t first = i;
    while (i < ending.size() && pieces.box[ending[i]].x1 == u) ++i;
    while (j < beginning.size() && pieces.box[beginning[j]].x0 < u) ++j;
    size_t last = j;
    while (last < beginning.size() && pieces.box[beginning[last]].x0 == u) ++last;
    const std::span<const int32_t> ends(ending.data() + first, i - first);
    const std::span<const int32_t> begins(beginning.data() + j, last - j);
    const auto add = [&](int32_t e, int32_t s) {
      Dbu low0, high0, low1, high1;
      if (!end_of(pieces, e, u, low0, high0) || !end_of(pieces, s, u, low1, high1)) return;
      if (const Dbu low = std::max(low0, low1), high = std::min(high0, high1); low <= high)
        found.push_back({e, s, u, low, high});
    };
    if (pieces.has_trapezoids())
      for_touching_trapezoids(pieces, ends, begins, add);
    else
      for_touching(pieces, ends, begins, add);
    j = last;
  }
  return found;
}

std::pmr::vector<Point> meeting_places(const Pieces& pieces, std::pmr::memory_resource* memory) {
  std::pmr::vector<Point> places(memory);
  if (pieces.size() < 2) return places;
  std::pmr::vector<Contact> corners(memory);
  UnionFind polygons(pieces.size());
  for (const Contact& c : end_contacts(pieces, memory)) {
    if (c.low < c.high) {
      places.push_back({c.u, middle(c.low, c.high)});
      polygons.join(c.a, c.b);
    } else if (!pieces.has_trapezoids()) {
      corners.push_back(c);
    }
  }
  for (const Contact& c : corners)
    if (polygons.find(c.a) == polygons.find(c.b)) places.push_back({c.u, c.low});
  return places;
}

}  // namespace gridiron::layout
