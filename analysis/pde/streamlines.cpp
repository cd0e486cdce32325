// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/streamlines.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gridiron {
namespace {

/// Which line has been in each square of a lattice.
class Occupancy {
 public:
  static constexpr int kFree = -1;

  Occupancy(double width, double height, double side)
      : side_(side),
        columns_(static_cast<std::int64_t>(std::ceil(width / side))),
        rows_(static_cast<std::int64_t>(std::ceil(height / side))),
        line_(columns_ * rows_, kFree) {}

  std::int64_t squares() const { return columns_ * rows_; }
  Point middle(std::int64_t square) const {
    return {(static_cast<double>(square % columns_) + 0.5) * side_,
            (static_cast<double>(square / columns_) + 0.5) * side_, 0};
  }
  std::int64_t square_of(const Point& p) const {
    const auto index = [this](double x, std::int64_t n) {
      return std::clamp<std::int64_t>(static_cast<std::int64_t>(x / side_), 0, n - 1);
    };
    return index(p[1], rows_) * columns_ + index(p[0], columns_);
  }
  int& operator[](std::int64_t square) { return line_[square]; }

 private:
  double side_;
  std::int64_t columns_, rows_;
  std::vector<int> line_;
};

}  // namespace

std::vector<Line> spaced_streamlines(const VectorGrid& field, double separation) {
  const RegularGrid& grid = field.grid();
  const auto side = [&](int axis) { return static_cast<double>(grid.size[axis] - 1) * grid.spacing[axis]; };
  const double step = separation / 8, length = 4 * (side(0) + side(1));
  double fastest = 0;
  for (const Point& v : field.vectors()) fastest = std::max(fastest, std::hypot(v[0], v[1]));
  Occupancy taken(side(0), side(1), separation);
  std::vector<Line> lines;
  for (std::int64_t square = 0; square < taken.squares(); ++square) {
    if (taken[square] != Occupancy::kFree) continue;
    const Line whole = field_line(field, taken.middle(square), step, length);
    const int number = static_cast<int>(lines.size());
    Line line;
    bool has_left = false;
    for (std::size_t k = 0; k < whole.points.size(); ++k) {
      const std::int64_t here = taken.square_of(whole.points[k]);
      if (taken[here] != Occupancy::kFree && taken[here] != number) break;
      if (whole.value[k] < 1e-6 * fastest) break;
      taken[here] = number;
      line.points.push_back(whole.points[k]);
      line.value.push_back(whole.value[k]);
      const double away = std::hypot(whole.points[k][0] - whole.points[0][0], whole.points[k][1] - whole.points[0][1]);
      has_left = has_left || away > 2 * step;
      if (has_left && away < step) break;  // closed
    }
    if (line.points.size() > 8) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace gridiron
