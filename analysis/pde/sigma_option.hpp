// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/pde/known_solution.hpp"

namespace gridiron {

/// `--sigma` as typed: a number, a formula in x, y and z, or the name of a .npy file with one value per point of the
/// grid.
class SigmaOption {
 public:
  /// Errors: InputError for a formula that cannot be read.
  explicit SigmaOption(std::string text);

  bool is_file() const;

  /// A number or a formula; the gradient of a formula is taken by central differences.
  Conductivity function() const;

  /// σ at every point of the grid. Errors: InputError naming the file, the shape, or the first value that is not
  /// positive.
  std::vector<double> at_points(const RegularGrid& grid) const;

 private:
  std::string text_;
  std::optional<double> number_;
};

/// Throws InputError that names the first value, in the order of the points, that is not positive.
void require_positive(const RegularGrid& grid, const std::vector<double>& sigma, const std::string& from);

}  // namespace gridiron
