// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/fields/streamlines.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace gridiron {
namespace {

/// Which squares of a lattice a line has crossed.
class Crossed {
 public:
  Crossed(double width, double height, double side)
      : side_(side),
        columns_(static_cast<int64_t>(std::ceil(width / side))),
        rows_(static_cast<int64_t>(std::ceil(height / side))),
        crossed_(columns_ * rows_, false) {}

  int64_t squares() const { return columns_ * rows_; }
  Point middle(int64_t square) const {
    return {(square % columns_ + 0.5) * side_, (square / columns_ + 0.5) * side_, 0};
  }
  bool is_crossed(int64_t square) const { return crossed_[square]; }
  bool is_crossed(const Point& p) const { return crossed_[square_of(p)]; }
  void cross(const Point& p) { crossed_[square_of(p)] = true; }

 private:
  int64_t square_of(const Point& p) const {
    const auto index = [this](double x, int64_t n) {
      return std::clamp<int64_t>(static_cast<int64_t>(x / side_), 0, n - 1);
    };
    return index(p[1], rows_) * columns_ + index(p[0], columns_);
  }

  double side_;
  int64_t columns_, rows_;
  std::vector<bool> crossed_;
};

/// Ends the line where it closes; false if it does not.
bool close(Line& line, double step) {
  bool has_left = false;
  for (size_t k = 0; k < line.points.size(); ++k) {
    const double away = std::hypot(line.points[k][0] - line.points[0][0], line.points[k][1] - line.points[0][1]);
    has_left = has_left || away > 2 * step;
    if (!has_left || away >= step) continue;
    line.points.resize(k + 1);
    line.value.resize(k + 1);
    return true;
  }
  return false;
}

VectorGrid reversed(const VectorGrid& field) {
  const GridField values = field.named("");
  std::vector<Point> vectors(values.values.size() / 3);
  for (size_t i = 0; i < vectors.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) vectors[i][axis] = -values.values[3 * i + axis];
  return {field.grid(), std::move(vectors)};
}

/// The closed line through a point, or else all of it before and behind.
Line line_through(const VectorGrid& field, const VectorGrid& backward, const Point& start, double step, double length) {
  constexpr double kTolerance = 1e-4;
  Line ahead = field_line(field, start, step, length, kTolerance * step);
  if (close(ahead, step) || ahead.points.empty()) return ahead;
  Line line = field_line(backward, start, step, length, kTolerance * step);
  std::ranges::reverse(line.points);
  std::ranges::reverse(line.value);
  line.points.insert(line.points.end(), ahead.points.begin() + 1, ahead.points.end());
  line.value.insert(line.value.end(), ahead.value.begin() + 1, ahead.value.end());
  return line;
}

}  // namespace

std::vector<Line> spaced_streamlines(const VectorGrid& field, double separation) {
  const RegularGrid& grid = field.grid();
  const auto side = [&](int axis) { return static_cast<double>(grid.size[axis] - 1) * grid.spacing[axis]; };
  const VectorGrid backward = reversed(field);
  const double step = separation / 8, length = 6 * (side(0) + side(1));
  Crossed squares(side(0), side(1), separation);
  std::vector<Line> lines;
  for (int64_t square = 0; square < squares.squares(); ++square) {
    if (squares.is_crossed(square)) continue;
    Line line = line_through(field, backward, squares.middle(square), step, length);
    const auto near_others = std::ranges::count_if(line.points, [&](const Point& p) { return squares.is_crossed(p); });
    const auto points = std::ssize(line.points);
    if (points < 2 || 2 * near_others > points) continue;
    for (const Point& p : line.points) squares.cross(p);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace gridiron
