// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/sigma_option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "analysis/pde/finite_volumes.hpp"
#include "analysis/pde/npy_field.hpp"
#include "netlist/expression.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

double evaluate(const std::string& formula, const Point& place) {
  try {
    return evaluate_expression(formula, [&](std::string_view name) {
      if (name == "x") return place[0];
      if (name == "y") return place[1];
      if (name == "z") return place[2];
      throw ExpressionError(fmt::format("{:?} is neither x, y, z nor a function", std::string(name)));
    });
  } catch (const ExpressionError& error) {
    throw InputError(
        fmt::format("--sigma {:?} at ({:g}, {:g}, {:g}): {}; expected a number, a formula in x, y, z or a "
                    ".npy file",
                    formula, place[0], place[1], place[2], error.what()));
  }
}

std::optional<double> as_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

SigmaOption::SigmaOption(std::string text) : text_(std::move(text)), number_(as_number(text_)) {
  if (number_ && !(*number_ > 0 && std::isfinite(*number_)))
    throw InputError(fmt::format("--sigma {}: expected a positive number", text_));
}

bool SigmaOption::is_file() const { return text_.ends_with(".npy"); }

Conductivity SigmaOption::function() const {
  if (number_) return constant_conductivity(*number_);
  const auto value = [formula = text_](const Point& place) { return evaluate(formula, place); };
  const auto gradient = [value](const Point& place) {
    constexpr double kStep = 0x1p-17;  // about the cube root of the rounding error
    Point slope{};
    for (int axis = 0; axis < 3; ++axis) {
      Point before = place, after = place;
      before[axis] -= kStep;
      after[axis] += kStep;
      slope[axis] = (value(after) - value(before)) / (2 * kStep);
    }
    return slope;
  };
  return {value, gradient};
}

std::vector<double> SigmaOption::at_points(const RegularGrid& grid) const {
  if (number_) return {*number_};
  std::vector<double> sigma;
  if (is_file()) {
    std::vector<std::int64_t> shape{grid.size[1], grid.size[0]};
    if (grid.dimensions == 3) shape.insert(shape.begin(), grid.size[2]);
    sigma = read_npy_field(text_, shape);
  } else {
    const FiniteVolumes volumes(grid);
    const auto function = this->function();
    sigma.resize(grid.points());
    parallel_ranges(grid.points(), [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) sigma[i] = function.value(volumes.place_of(grid.point(i)));
    });
  }
  require_positive(grid, sigma, text_);
  return sigma;
}

void require_positive(const RegularGrid& grid, const std::vector<double>& sigma, const std::string& from) {
  const auto bad = std::find_if(sigma.begin(), sigma.end(), [](double v) { return !(v > 0 && std::isfinite(v)); });
  if (bad == sigma.end()) return;
  const RegularGrid::Index at = grid.point(bad - sigma.begin());
  throw InputError(
      fmt::format("--sigma {:?}: the value at point {}, {}, {} (x, y, z from 0) is {}; every value must be "
                  "positive and finite",
                  from, at[0], at[1], at[2], *bad));
}

}  // namespace gridiron
