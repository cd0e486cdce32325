// SPDX-License-Identifier: Apache-2.0
#include "engines/cholmod/supernodal_solve.hpp"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <ranges>

#include "engines/cholmod/columns.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

using Index = SupernodalTree::Index;

/// Values of a supernode above the subtrees that one thread takes at once.
constexpr Index kValuesOfTask = 1 << 15;

template <int W>
void add(double* y, const double* x) {
  for (int w = 0; w < W; ++w) y[w] += x[w];
}

/// x = L⁻¹ x for the square of a supernode's columns.
template <int W>
void solve_lower(const double* l, Index columns, Index stride, double* x) {
  for (Index j = 0; j < columns; ++j, l += stride, x += W) {
    for (int w = 0; w < W; ++w) x[w] /= l[j];
    subtract_product<W>(x + W, columns - j - 1, l + j + 1, stride, x, 1);
  }
}

/// x = L⁻ᵀ x.
template <int W>
void solve_lower_transposed(const double* l, Index columns, Index stride, double* x) {
  for (Index j = columns - 1; j >= 0; --j) {
    const double* const column = l + j * stride;
    double* const xj = x + j * W;
    subtract_products<W>(xj, column + j + 1, stride, 1, xj + W, columns - j - 1);
    for (int w = 0; w < W; ++w) xj[w] /= column[j];
  }
}

}  // namespace

void SupernodalSolve::run(const SupernodalTree& tree, const double* values, Block<const double> b, Block<double> x) {
  for (std::int64_t first = 0, count; first < b.columns; first += count) {
    count = std::min<std::int64_t>(b.columns - first, 16);
    if (count < 16) count = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(count)));
    const auto part = [&](auto solve) { (this->*solve)(tree, values, b.part(first, count), x.part(first, count)); };
    switch (count) {
      case 16:
        part(&SupernodalSolve::solve<16>);
        break;
      case 8:
        part(&SupernodalSolve::solve<8>);
        break;
      case 4:
        part(&SupernodalSolve::solve<4>);
        break;
      case 2:
        part(&SupernodalSolve::solve<2>);
        break;
      default:
        part(&SupernodalSolve::solve<1>);
    }
  }
}

template <int W>
void SupernodalSolve::solve(const SupernodalTree& tree, const double* values, Block<const double> b, Block<double> x) {
  if (const auto size = static_cast<std::size_t>(tree.unknowns) * W; x_.size() < size) x_.resize(size);
  below_.resize(tree.subtrees.size());
  scratch_.resize(std::max(scratch_.size(), static_cast<std::size_t>(omp_get_max_threads())));
  const auto own = [this]() -> Scratch& { return scratch_[static_cast<std::size_t>(omp_get_thread_num())]; };
  parallel_ranges(tree.unknowns, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t k = first; k < last; ++k)
      for (int w = 0; w < W; ++w) x_[k * W + w] = b.data[w * b.rows + tree.order[k]];
  });

  parallel_tasks(std::ssize(tree.subtrees), [&](std::int64_t t) { forward<W>(tree, values, t, own()); });
  for (std::size_t t = 0; t < tree.subtrees.size(); ++t) {
    const Index root = tree.subtrees[t].back(), columns = tree.columns(root);
    for (Index i = 0; i < tree.rows(root) - columns; ++i)
      add<W>(x_.data() + tree.rows_of(root)[columns + i] * W, below_[t].data() + i * W);
  }
  std::vector<double>& rows = scratch_[0].rows;
  const auto values_of = [&](Index s) { return values + tree.values_at[s]; };
  for (const auto& level : tree.levels)
    for (const std::int32_t s : level) {
      const Index columns = tree.columns(s), stride = tree.rows(s), below = stride - columns;
      double* const xs = x_.data() + tree.first[s] * W;
      solve_lower<W>(values_of(s), columns, stride, xs);
      rows.assign(below * W, 0.0);
      parallel_ranges(
          below,
          [&](Index first, Index last) {
            subtract_product<W>(rows.data() + first * W, last - first, values_of(s) + columns + first, stride, xs,
                                columns);
            for (Index i = first; i < last; ++i)
              add<W>(x_.data() + tree.rows_of(s)[columns + i] * W, rows.data() + i * W);
          },
          std::max<Index>(64, kValuesOfTask / columns));
    }

  for (const auto& level : tree.levels | std::views::reverse)
    for (const std::int32_t s : level) {
      const Index columns = tree.columns(s), stride = tree.rows(s), below = stride - columns;
      double* const xs = x_.data() + tree.first[s] * W;
      rows.resize(below * W);
      for (Index i = 0; i < below; ++i)
        std::copy_n(x_.data() + tree.rows_of(s)[columns + i] * W, W, rows.data() + i * W);
      parallel_ranges(
          columns,
          [&](Index first, Index last) {
            subtract_products<W>(xs + first * W, values_of(s) + first * stride + columns, stride, last - first,
                                 rows.data(), below);
          },
          std::max<Index>(4, kValuesOfTask / stride / 4 * 4));
      solve_lower_transposed<W>(values_of(s), columns, stride, xs);
    }
  parallel_tasks(std::ssize(tree.subtrees), [&](std::int64_t t) { backward<W>(tree, values, t, own()); });
  parallel_ranges(tree.unknowns, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t k = first; k < last; ++k)
      for (int w = 0; w < W; ++w) x.data[w * x.rows + tree.order[k]] = x_[k * W + w];
  });
}

template <int W>
void SupernodalSolve::forward(const SupernodalTree& tree, const double* values, std::int64_t subtree,
                              Scratch& scratch) {
  if (!scratch.place)
    scratch.place = std::make_unique_for_overwrite<std::int32_t[]>(static_cast<std::size_t>(tree.unknowns));
  const Index root = tree.subtrees[subtree].back(), end = tree.first[root + 1];
  const Index *const below_root = tree.rows_of(root) + tree.columns(root), count = tree.rows(root) - tree.columns(root);
  std::vector<double>& below = below_[subtree];
  below.assign(count * W, 0.0);
  for (Index i = 0; i < count; ++i) scratch.place[below_root[i]] = static_cast<std::int32_t>(i);
  for (const std::int32_t s : tree.subtrees[subtree]) {
    const Index columns = tree.columns(s), stride = tree.rows(s);
    const double* const l = values + tree.values_at[s];
    double* const xs = x_.data() + tree.first[s] * W;
    solve_lower<W>(l, columns, stride, xs);
    scratch.rows.assign((stride - columns) * W, 0.0);
    subtract_product<W>(scratch.rows.data(), stride - columns, l + columns, stride, xs, columns);
    for (Index i = columns; i < stride; ++i) {
      const Index row = tree.rows_of(s)[i];
      add<W>(row < end ? x_.data() + row * W : below.data() + scratch.place[row] * W,
             scratch.rows.data() + (i - columns) * W);
    }
  }
}

template <int W>
void SupernodalSolve::backward(const SupernodalTree& tree, const double* values, std::int64_t subtree,
                               Scratch& scratch) {
  for (const std::int32_t s : tree.subtrees[subtree] | std::views::reverse) {
    const Index columns = tree.columns(s), stride = tree.rows(s);
    const double* const l = values + tree.values_at[s];
    double* const xs = x_.data() + tree.first[s] * W;
    scratch.rows.resize((stride - columns) * W);
    for (Index i = columns; i < stride; ++i)
      std::copy_n(x_.data() + tree.rows_of(s)[i] * W, W, scratch.rows.data() + (i - columns) * W);
    subtract_products<W>(xs, l + columns, stride, columns, scratch.rows.data(), stride - columns);
    solve_lower_transposed<W>(l, columns, stride, xs);
  }
}

std::int64_t SupernodalSolve::bytes() const {
  std::size_t doubles = x_.size();
  for (const auto& below : below_) doubles += below.size();
  for (const Scratch& scratch : scratch_) doubles += scratch.rows.size();
  return static_cast<std::int64_t>(doubles * sizeof(double));
}

}  // namespace gridiron
