// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/pde/known_solution.hpp"

namespace gridiron {

/// `--sigma` as typed: a number, the name of a .npy file with one value per point of the grid (any existing file, and
/// any name with that extension), or otherwise a formula in x, y and, in 3-D, z.
class SigmaOption {
 public:
  /// Errors: InputError for a number that is not positive.
  SigmaOption(std::string text, int dimensions);

  bool is_number() const { return number_.has_value(); }
  bool is_file() const;

  /// A number or a formula; the gradient of a formula is computed by central differences. Errors, when called:
  /// InputError for a formula that cannot be evaluated.
  Conductivity function() const;

  /// σ at every point of the grid. Errors: InputError naming the file, the shape, or the first value that is not
  /// positive.
  std::vector<double> at_points(const RegularGrid& grid) const;

  /// A point where a formula jumps by more than a ten-thousandth of its value between neighbouring grid points, at
  /// which it has the values `sigma`. There it has no gradient.
  std::optional<Point> find_jump(const RegularGrid& grid, const std::vector<double>& sigma) const;

 private:
  std::string text_;
  int dimensions_;
  std::optional<double> number_;
};

/// Throws InputError that names the first value, in the order of the points, that is not positive.
void require_positive(const RegularGrid& grid, const std::vector<double>& sigma, const std::string& from);

}  // namespace gridiron
