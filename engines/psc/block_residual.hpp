// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "engines/device/device.hpp"
#include "engines/problem.hpp"

namespace gridiron::psc {

struct ResidualNorms {
  std::vector<double> norm, largest;  ///< ‖r‖₂ and max |r| per column
};

/// A sparse matrix in fp64 on device D for blocks of columns, which lie column after column.
template <class D>
class BlockMatrix {
 public:
  BlockMatrix() = default;
  explicit BlockMatrix(const CsrMatrix& a) : rows_(a.rows), begin_(a.row_ptr), column_(a.col), value_(a.value) {}

  std::int64_t bytes() const { return begin_.bytes() + column_.bytes() + value_.bytes(); }

  /// R = B − A X.
  ResidualNorms residual(View<D, const double> b, View<D, const double> x, View<D, double> r, std::int64_t k) const {
    subtract_product(b, x, r, k);
    return {norms(r, k), maxima(r, k)};
  }

  /// ‖x‖₂ of each column; terms are scaled, so that no number is too small or too large.
  std::vector<double> norms(View<D, const double> x, std::int64_t k) const {
    const std::vector<double> largest = maxima(x, k);
    std::vector<double> scale;
    for (const double most : largest)
      scale.push_back(most > 0 && std::isfinite(most) ? std::ldexp(1.0, -std::ilogb(most)) : 1);
    const Array<D, double> scale_array(scale);
    std::vector<double> norm = squares(x, std::as_const(scale_array).view(), k);
    for (std::int64_t j = 0; j < k; ++j) norm[j] = std::sqrt(norm[j]) / scale[j];
    return norm;
  }

  /// x_j += factor_j y_j.
  void add_columns(const std::vector<double>& factor, View<D, const double> y, View<D, double> x) const {
    const Array<D, double> factors(factor);
    add(std::as_const(factors).view(), y, x);
  }

  // Public, as nvcc takes no kernels from private functions.

  static void copy(View<D, const double> from, View<D, double> to) {
    D::for_each(
        to.size(), GRIDIRON_KERNEL(std::int64_t i) { to[i] = from[i]; });
  }
  void add(View<D, const double> factor, View<D, const double> y, View<D, double> x) const {
    const std::int64_t rows = rows_;
    D::for_each(
        x.size(), GRIDIRON_KERNEL(std::int64_t i) {
          if (const double f = factor[i / rows]; f != 0) x[i] += f * y[i];
        });
  }
  void subtract_product(View<D, const double> b, View<D, const double> x, View<D, double> r, std::int64_t k) const {
    const View<D, const std::int64_t> begin = begin_.view();
    const View<D, const std::int32_t> column = column_.view();
    const View<D, const double> value = value_.view();
    constexpr std::int64_t kTogether = 8;
    const std::int64_t rows = rows_, packs = (k + kTogether - 1) / kTogether;
    D::for_each(
        rows * packs, GRIDIRON_KERNEL(std::int64_t at) {
          const std::int64_t i = at % rows, first = at / rows * kTogether;
          const std::int64_t count = k - first < kTogether ? k - first : kTogether;
          double sum[kTogether];
          for (std::int64_t c = 0; c < count; ++c) sum[c] = b[(first + c) * rows + i];
          for (std::int64_t e = begin[i]; e < begin[i + 1]; ++e)
            for (std::int64_t c = 0; c < count; ++c) sum[c] -= value[e] * x[(first + c) * rows + column[e]];
          for (std::int64_t c = 0; c < count; ++c) r[(first + c) * rows + i] = sum[c];
        });
  }
  std::vector<double> maxima(View<D, const double> x, std::int64_t k) const {
    Array<D, double> partial(k * kChunks);
    const View<D, double> out = partial.view();
    const std::int64_t rows = rows_, length = (rows + kChunks - 1) / kChunks;
    D::for_each_tile(
        k * kChunks, kLanes, kLanes * sizeof(double), GRIDIRON_KERNEL(typename D::Tile & tile) {
          const std::int64_t j = tile.index() / kChunks, first = tile.index() % kChunks * length;
          const std::int64_t last = first + length < rows ? first + length : rows;
          const View<D, double> most = tile.template shared<double>(kLanes);
          tile.each(kLanes, [&](std::int64_t lane) {
            double largest = 0;
            for (std::int64_t i = first + lane; i < last; i += kLanes) raise_to(largest, std::abs(x[j * rows + i]));
            most[lane] = largest;
          });
          tile.each(1, [&](std::int64_t) {
            double largest = 0;
            for (std::int64_t lane = 0; lane < kLanes; ++lane) raise_to(largest, most[lane]);
            out[tile.index()] = largest;
          });
        });
    const std::vector<double> all = partial.to_host();
    std::vector<double> largest(static_cast<std::size_t>(k), 0.0);
    for (std::int64_t at = 0; at < k * kChunks; ++at) raise_to(largest[at / kChunks], all[at]);
    return largest;
  }
  std::vector<double> squares(View<D, const double> x, View<D, const double> scale, std::int64_t k) const {
    Array<D, double> partial(k * kChunks);
    const View<D, double> out = partial.view();
    const std::int64_t rows = rows_, length = (rows + kChunks - 1) / kChunks;
    D::for_each_tile(
        k * kChunks, kLanes, kLanes * sizeof(double), GRIDIRON_KERNEL(typename D::Tile & tile) {
          const std::int64_t j = tile.index() / kChunks, first = tile.index() % kChunks * length;
          const std::int64_t last = first + length < rows ? first + length : rows;
          const View<D, double> part = tile.template shared<double>(kLanes);
          tile.each(kLanes, [&](std::int64_t lane) {
            double sum = 0;
            for (std::int64_t i = first + lane; i < last; i += kLanes) {
              const double scaled = x[j * rows + i] * scale[j];
              sum += scaled * scaled;
            }
            part[lane] = sum;
          });
          tile.each(1, [&](std::int64_t) {
            double sum = 0;
            for (std::int64_t lane = 0; lane < kLanes; ++lane) sum += part[lane];
            out[tile.index()] = sum;
          });
        });
    const std::vector<double> all = partial.to_host();
    std::vector<double> sums(static_cast<std::size_t>(k), 0.0);
    for (std::int64_t at = 0; at < k * kChunks; ++at) sums[at / kChunks] += all[at];
    return sums;
  }

 private:
  static constexpr std::int64_t kChunks = 64, kLanes = 64;

  std::int64_t rows_ = 0;
  Array<D, std::int64_t> begin_;
  Array<D, std::int32_t> column_;
  Array<D, double> value_;
};

}  // namespace gridiron::psc
