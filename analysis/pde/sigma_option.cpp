// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/sigma_option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <system_error>
#include <utility>

#include "analysis/pde/fields/npy_field.hpp"
#include "grid/finite_volumes.hpp"
#include "netlist/values/expression.hpp"
#include "support/error_text.hpp"
#include "support/number_of.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr double kGradientStep = 0x1p-17;  // about the cube root of the rounding error
constexpr double kNegligible = 1e-4;       // relative to σ

double evaluate(const std::string& formula, int dimensions, const Point& place) {
  const char* variables = dimensions == 2 ? "x, y" : "x, y, z";
  try {
    return evaluate_expression(formula, [&](std::string_view name) {
      for (int axis = 0; axis < dimensions; ++axis)
        if (name.size() == 1 && name[0] == "xyz"[axis]) return place[axis];
      throw ExpressionError(fmt::format("{:?} is neither {} nor a function", std::string(name), variables));
    });
  } catch (const ExpressionError& error) {
    throw field_error("sigma", "{:?} at ({:g}, {:g}, {:g}): {}; expected a number, a formula in {} or a .npy file",
                      formula, place[0], place[1], place[2], error.what(), variables);
  }
}

bool is_allowed(double sigma) { return sigma >= kLeastMagnitude && sigma <= kLargestMagnitude; }

/// Deviation of the value at an interval's midpoint from linear interpolation between its ends.
double bend(double start, double middle, double end) { return std::abs(middle - std::midpoint(start, end)); }

/// A jump between two neighbouring points with these values. Bisects towards the larger bend, down to the step of the
/// gradient: each halving reduces the bend to a quarter where the function is smooth and to half at a kink, and leaves
/// it unchanged at a jump.
std::optional<Point> jump_between(const ScalarField& value, Point start, int axis, double length, double first,
                                  double last) {
  const auto at = [&](double share) {
    Point place = start;
    place[axis] += share * length;
    return value(place);
  };
  constexpr double kGlance = 0.382;  // off the midpoint, where a steep symmetric function may take its mean value
  const double glance = at(kGlance);
  if (std::abs(glance - std::lerp(first, last, kGlance)) <= kNegligible * std::abs(glance)) return std::nullopt;

  double middle = at(0.5);
  for (; length > kGradientStep; length /= 2) {
    const double before = at(0.25), after = at(0.75);
    const double bend_before = bend(first, before, middle), bend_after = bend(middle, after, last);
    if (std::max(bend_before, bend_after) <= kNegligible * std::abs(middle)) return std::nullopt;
    if (bend_before > bend_after) {
      last = std::exchange(middle, before);
    } else {
      first = std::exchange(middle, after);
      start[axis] += length / 2;
    }
  }
  return start;
}

}  // namespace

SigmaOption::SigmaOption(std::string text, int dimensions)
    : text_(std::move(text)), dimensions_(dimensions), number_(number_of(text_)) {
  if (number_ && !is_allowed(*number_))
    throw field_error("sigma", "{}: expected a positive number from {:g} to {:g}", text_, kLeastMagnitude,
                      kLargestMagnitude);
}

bool SigmaOption::is_file() const {
  if (number_) return false;
  std::error_code none;
  return text_.ends_with(".npy") || text_.ends_with(".NPY") || std::filesystem::is_regular_file(text_, none);
}

Conductivity SigmaOption::function() const {
  if (number_) return constant_conductivity(*number_);
  const auto value = [formula = text_, dimensions = dimensions_](const Point& place) {
    return evaluate(formula, dimensions, place);
  };
  const auto gradient = [value, dimensions = dimensions_](const Point& place) {
    Point slope{};
    for (int axis = 0; axis < dimensions; ++axis) {
      Point before = place, after = place;
      before[axis] -= kGradientStep;
      after[axis] += kGradientStep;
      slope[axis] = (value(after) - value(before)) / (2 * kGradientStep);
    }
    return slope;
  };
  return {value, gradient};
}

std::vector<double> SigmaOption::at_points(const RegularGrid& grid) const {
  if (number_) return {*number_};
  std::vector<double> sigma;
  if (is_file()) {
    std::vector<int64_t> shape{grid.size[1], grid.size[0]};
    if (grid.dimensions == 3) shape.insert(shape.begin(), grid.size[2]);
    sigma = read_npy_field(text_, shape);
  } else {
    const FiniteVolumes volumes(grid);
    const auto function = this->function();
    sigma.resize(grid.points());
    parallel_each(grid.points(), [&](int64_t i) { sigma[i] = function.value(volumes.place_of(grid.point(i))); });
  }
  require_positive(grid, sigma, text_);
  return sigma;
}

std::optional<Point> SigmaOption::find_jump(const RegularGrid& grid, const std::vector<double>& sigma) const {
  if (number_ || is_file()) return std::nullopt;
  const FiniteVolumes volumes(grid);
  const ScalarField value = function().value;
  const std::array<int64_t, 3> stride{1, grid.size[0], grid.size[0] * grid.size[1]};
  const auto jump_after = [&](int64_t i) -> std::optional<Point> {
    const RegularGrid::Index at = grid.point(i);
    for (int axis = 0; axis < grid.dimensions; ++axis)
      if (at[axis] + 1 < grid.size[axis])
        if (const auto jump =
                jump_between(value, volumes.place_of(at), axis, grid.spacing[axis], sigma[i], sigma[i + stride[axis]]))
          return jump;
    return std::nullopt;
  };
  std::atomic<int64_t> found = grid.points();  // the first point followed by a jump, independent of threads
  parallel_ranges(grid.points(), [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < std::min(last, found.load()); ++i) {
      if (!jump_after(i)) continue;
      for (int64_t earliest = found; i < earliest && !found.compare_exchange_weak(earliest, i);) continue;
    }
  });
  return found < grid.points() ? jump_after(found) : std::nullopt;
}

void require_positive(const RegularGrid& grid, const std::vector<double>& sigma, const std::string& from) {
  const auto bad = std::ranges::find_if(sigma, [](double v) { return !is_allowed(v); });
  if (bad == sigma.end()) return;
  const RegularGrid::Index at = grid.point(bad - sigma.begin());
  throw field_error("sigma",
                    "{:?}: the value at point {}, {}, {} (x, y, z from 0) is {}; every value must be "
                    "positive, from {:g} to {:g}",
                    from, at[0], at[1], at[2], *bad, kLeastMagnitude, kLargestMagnitude);
}

}  // namespace gridiron
