// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engines/changes.hpp"
#include "engines/hybrid/line_layout.hpp"
#include "linalg/block_columns.hpp"
#include "linalg/sell.hpp"

namespace gridiron {

/// A matrix by rows of a LineLayout as kernels see it by unknowns.
template <class D>
struct RowsByUnknown {
  SellView<D, double> matrix;
  View<D, const int32_t> unknown_of_row, row_of_unknown;

  /// f(column, value) for the entries of a row but the diagonal, in the order of the problem's matrix; padding comes as
  /// diagonal entries.
  template <class F>
  GRIDIRON_HOST_DEVICE void for_each_entry(int64_t unknown, F f) const {
    for (const int64_t e : matrix.entries(row_of_unknown[unknown])) f(unknown_of_row[matrix.col[e]], matrix.value[e]);
  }
};

/// The rows that represent unknowns, as an order of BlockColumns.
template <class D>
struct RowOfUnknown {
  int64_t size;
  View<D, const int32_t> row;
  GRIDIRON_HOST_DEVICE EntryPair operator()(int64_t unknown) const { return {row[unknown], unknown}; }
};

/// Maps between the unknowns of a problem and the rows of a LineLayout, on device D.
template <class D>
class RowOrder {
 public:
  RowOrder() = default;
  /// `unknown_of_row`: as in LineLayout.
  RowOrder(Array<D, int32_t> unknown_of_row, int64_t unknowns) : unknown_(std::move(unknown_of_row)), row_(unknowns) {
    invert();
  }

  int64_t rows() const { return unknown_.size(); }
  int64_t unknowns() const { return row_.size(); }
  int64_t bytes() const { return bytes_of(unknown_, row_); }
  View<D, const int32_t> unknown_of_row() const { return unknown_.view(); }
  View<D, const int32_t> row_of_unknown() const { return row_.view(); }
  std::vector<int32_t> row_of_unknown_on_host() const { return row_.to_host(); }

  RowsByUnknown<D> by_unknown(const SellMatrix<D>& rows) const { return {rows.view(), unknown_.view(), row_.view()}; }

  // Public, as nvcc takes no kernels from private functions.

  void invert() {
    const View<D, const int32_t> unknown = unknown_.view();
    const auto row = row_.view();
    D::for_each(
        unknown.size(), GRIDIRON_KERNEL(int64_t i) {
          if (unknown[i] >= 0) row[unknown[i]] = static_cast<int32_t>(i);
        });
  }

  /// By rows, 0 in padding rows.
  Array<D, double> to_rows(std::span<const double> of_unknowns) const {
    const Upload<D, double> uploaded(of_unknowns);
    Array<D, double> of_rows(rows());
    const auto from = uploaded.view();
    const auto to = of_rows.view();
    const auto unknown = unknown_.view();
    D::for_each(
        to.size(), GRIDIRON_KERNEL(int64_t i) { to[i] = unknown[i] >= 0 ? from[unknown[i]] : 0.0; });
    return of_rows;
  }

  /// The matrix by rows; 1 on the diagonal of padding rows.
  SellMatrix<D> to_rows(const CsrOn<D>& matrix) const {
    const CsrView<D> from = matrix.view();
    const auto unknown = unknown_.view(), row = row_.view();
    Array<D, int32_t> length_array(rows());
    const auto length = length_array.view();
    D::for_each(
        rows(), GRIDIRON_KERNEL(int64_t i) {
          const int32_t u = unknown[i];
          int32_t off_diagonal = 0;
          if (u >= 0)
            for (int64_t k = from.row_ptr[u]; k < from.row_ptr[u + 1]; ++k) off_diagonal += from.col[k] != u;
          length[i] = off_diagonal;
        });
    auto pattern = std::make_shared<SellPattern<D>>(sell_pattern<D>(rows(), length));
    pattern->is_scattered = true;
    SellMatrix<D> out;
    out.diagonal = Array<D, double>(rows());
    out.value = Array<D, double>(pattern->col.size());
    const SellPatternView<D> a(*pattern);
    const auto col = pattern->col.view();
    const auto value = out.value.view(), diagonal = out.diagonal.view();
    D::for_each(
        rows(), GRIDIRON_KERNEL(int64_t i) {
          const int32_t u = unknown[i];
          int64_t entry = 0;
          double own = u >= 0 ? 0 : 1;
          if (u >= 0) {
            for (int64_t k = from.row_ptr[u]; k < from.row_ptr[u + 1]; ++k) {
              if (from.col[k] == u) {
                own += from.value[k];
                continue;
              }
              const int64_t e = a.entry(i, entry++);
              col[e] = row[from.col[k]];
              value[e] = from.value[k];
            }
          }
          diagonal[i] = own;
          a.for_each_padding(i, entry, [&](int64_t e) { value[e] = 0; });
        });
    out.pattern = std::move(pattern);
    return out;
  }

  /// Refills the rows of the unknowns in `range` with new values, in the pattern that to_rows() produced.
  void refill(const CsrMatrix& matrix, const RowRange& range, SellMatrix<D>& out) const {
    const int64_t first = range.first, begin = matrix.row_ptr[first], entries = matrix.row_ptr[range.last] - begin;
    const Upload<D, int64_t> row_ptr_array(std::span(matrix.row_ptr).subspan(first, range.count() + 1));
    const Upload<D, int32_t> col_array(std::span(matrix.col).subspan(begin, entries));
    const Upload<D, double> value_array(std::span(matrix.value).subspan(begin, entries));
    const auto row_ptr = row_ptr_array.view();
    const auto from = col_array.view(), row = row_.view();
    const auto in = value_array.view();
    const SellPatternView<D> a(*out.pattern);
    const auto value = out.value.view(), diagonal = out.diagonal.view();
    D::for_each(
        range.count(), GRIDIRON_KERNEL(int64_t k) {
          const int64_t i = row[first + k];
          int64_t entry = 0;
          double own = 0;
          for (int64_t e = row_ptr[k] - begin; e < row_ptr[k + 1] - begin; ++e) {
            if (from[e] == first + k)
              own += in[e];
            else
              value[a.entry(i, entry++)] = in[e];
          }
          diagonal[i] = own;
        });
  }

 private:
  Array<D, int32_t> unknown_, row_;
};

}  // namespace gridiron
