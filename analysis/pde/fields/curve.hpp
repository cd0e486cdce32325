// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "analysis/pde/model.hpp"

namespace gridiron {

using PlanePoint = std::array<double, 2>;

/// The corners of a closed curve inside the unit square: one "x,y" per line; blank lines, lines that begin with # and a
/// first line without numbers (a heading) are ignored. A last point equal to the first is dropped. Errors: InputError
/// with the line number.
std::vector<PlanePoint> read_curve(const std::filesystem::path& path);

/// Points of a circle, anticlockwise.
std::vector<PlanePoint> circle(const PlanePoint& middle, double radius, int points);

/// A closed centripetal Catmull-Rom spline through the points (Boost.Math; C. Yuksel et al., "Parameterization and
/// applications of Catmull-Rom curves", 2011), cut into equal lengths of at most `step`. It has neither loops nor cusps
/// between neighbouring points. Errors: InputError if it leaves the unit square.
std::vector<PlanePoint> closed_spline(const std::vector<PlanePoint>& points, double step);

/// Σ amount(i) at place(i), distributed to the corners of its cell by multilinear (hat function) weights and added to
/// one value per grid point.
struct Deposit {
  Point place;
  double amount;
};
void add_deposits(const RegularGrid& grid, const std::vector<Deposit>& deposits, std::vector<double>& values);

}  // namespace gridiron
