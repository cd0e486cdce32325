// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "engines/stokes/level_grid.hpp"

namespace gridiron::stokes {

/// Unknowns beyond which the coarsest level is not solved by a dense inverse.
inline constexpr int64_t kMostCoarsest = 1600;

/// The pseudo-inverse of the matrix of `grid` without its ground, row after row: zero mean of the pressure. Only of
/// its velocity block, zero elsewhere, if `whole` is false.
std::vector<double> pseudo_inverse(const StokesGrid& grid, bool whole);

/// The entry of each unknown in a vector of this layout.
std::vector<int64_t> entries_of_unknowns(const StokesGrid& grid, const Layout& layout);

/// x = A⁺ f on the coarsest level.
template <class D, class T>
class CoarsestLevel {
 public:
  CoarsestLevel() = default;
  CoarsestLevel(const StokesGrid& grid, const Layout& layout, bool whole)
      : entries_(entries_of_unknowns(grid, layout)), f_(grid.unknowns()), x_(grid.unknowns()) {
    const std::vector<double> inverse = pseudo_inverse(grid, whole);
    inverse_ = Array<D, T>(std::vector<T>(inverse.begin(), inverse.end()));
  }

  void solve(View<D, const T> f, View<D, T> x) {
    const View<D, const int64_t> entries = entries_.view();
    const auto packed_f = f_.view(), packed_x = x_.view();
    D::for_each(
        entries.size(), GRIDIRON_KERNEL(int64_t i) { packed_f[i] = f[entries[i]]; });
    D::dense_product(inverse_.view(), packed_f, packed_x);
    D::for_each(
        entries.size(), GRIDIRON_KERNEL(int64_t i) { x[entries[i]] = packed_x[i]; });
  }
  int64_t bytes() const { return bytes_of(entries_, inverse_, f_, x_); }

 private:
  Array<D, int64_t> entries_;
  Array<D, T> inverse_, f_, x_;
};

}  // namespace gridiron::stokes
