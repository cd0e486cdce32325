// SPDX-License-Identifier: Apache-2.0
#include "engines/cholmod/supernodal_solve.hpp"

#include <omp.h>

#include <algorithm>
#include <ranges>

#include "engines/cholmod/columns.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

using Index = SupernodalTree::Index;

/// Values of a supernode above the subtrees that one thread takes at once.
constexpr Index kValuesOfTask = 1 << 15;

/// x = L⁻¹ x for the square of a supernode's columns.
void solve_lower(const double* l, Index columns, Index stride, double* x) {
  for (Index j = 0; j < columns; ++j, l += stride) {
    x[j] /= l[j];
    subtract_product(x + j + 1, columns - j - 1, l + j + 1, stride, x + j, 1, 1);
  }
}

/// x = L⁻ᵀ x.
void solve_lower_transposed(const double* l, Index columns, Index stride, double* x) {
  for (Index j = columns - 1; j >= 0; --j) {
    const double* const column = l + j * stride;
    subtract_products(x + j, column + j + 1, stride, 1, x + j + 1, columns - j - 1);
    x[j] /= column[j];
  }
}

}  // namespace

void SupernodalSolve::run(const SupernodalTree& tree, const double* values, const double* b, double* x) {
  x_.resize(static_cast<std::size_t>(tree.unknowns));
  below_.resize(tree.subtrees.size());
  scratch_.resize(std::max(scratch_.size(), static_cast<std::size_t>(omp_get_max_threads())));
  const auto own = [this]() -> Scratch& { return scratch_[static_cast<std::size_t>(omp_get_thread_num())]; };
  parallel_ranges(tree.unknowns, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t k = first; k < last; ++k) x_[k] = b[tree.order[k]];
  });

  parallel_tasks(std::ssize(tree.subtrees), [&](std::int64_t t) { forward(tree, values, t, own()); });
  for (std::size_t t = 0; t < tree.subtrees.size(); ++t) {
    const Index root = tree.subtrees[t].back();
    const Index* const rows = tree.rows_of(root) + tree.columns(root);
    for (std::size_t i = 0; i < below_[t].size(); ++i) x_[rows[i]] += below_[t][i];
  }
  std::vector<double>& rows = scratch_[0].rows;
  const auto values_of = [&](Index s) { return values + tree.values_at[s]; };
  for (const auto& level : tree.levels)
    for (const std::int32_t s : level) {
      const Index columns = tree.columns(s), stride = tree.rows(s), below = stride - columns;
      double* const xs = x_.data() + tree.first[s];
      solve_lower(values_of(s), columns, stride, xs);
      rows.assign(below, 0.0);
      parallel_ranges(
          below,
          [&](Index first, Index last) {
            subtract_product(rows.data() + first, last - first, values_of(s) + columns + first, stride, xs, columns, 1);
            for (Index i = first; i < last; ++i) x_[tree.rows_of(s)[columns + i]] += rows[i];
          },
          std::max<Index>(64, kValuesOfTask / columns));
    }

  for (const auto& level : tree.levels | std::views::reverse)
    for (const std::int32_t s : level) {
      const Index columns = tree.columns(s), stride = tree.rows(s), below = stride - columns;
      double* const xs = x_.data() + tree.first[s];
      rows.resize(below);
      for (Index i = 0; i < below; ++i) rows[i] = x_[tree.rows_of(s)[columns + i]];
      parallel_ranges(
          columns,
          [&](Index first, Index last) {
            subtract_products(xs + first, values_of(s) + first * stride + columns, stride, last - first, rows.data(),
                              below);
          },
          std::max<Index>(4, kValuesOfTask / stride / 4 * 4));
      solve_lower_transposed(values_of(s), columns, stride, xs);
    }
  parallel_tasks(std::ssize(tree.subtrees), [&](std::int64_t t) { backward(tree, values, t, own()); });
  parallel_ranges(tree.unknowns, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t k = first; k < last; ++k) x[tree.order[k]] = x_[k];
  });
}

void SupernodalSolve::forward(const SupernodalTree& tree, const double* values, std::int64_t subtree,
                              Scratch& scratch) {
  if (!scratch.place) scratch.place = std::make_unique_for_overwrite<std::int32_t[]>(x_.size());
  const Index root = tree.subtrees[subtree].back(), end = tree.first[root + 1];
  const Index* const below_root = tree.rows_of(root) + tree.columns(root);
  std::vector<double>& below = below_[subtree];
  below.assign(static_cast<std::size_t>(tree.rows(root) - tree.columns(root)), 0.0);
  for (std::size_t i = 0; i < below.size(); ++i) scratch.place[below_root[i]] = static_cast<std::int32_t>(i);
  for (const std::int32_t s : tree.subtrees[subtree]) {
    const Index columns = tree.columns(s), stride = tree.rows(s);
    const double* const l = values + tree.values_at[s];
    double* const xs = x_.data() + tree.first[s];
    solve_lower(l, columns, stride, xs);
    scratch.rows.assign(stride - columns, 0.0);
    subtract_product(scratch.rows.data(), stride - columns, l + columns, stride, xs, columns, 1);
    const Index* row = tree.rows_of(s) + columns;
    for (const double change : scratch.rows) {
      (*row < end ? x_[*row] : below[scratch.place[*row]]) += change;
      ++row;
    }
  }
}

void SupernodalSolve::backward(const SupernodalTree& tree, const double* values, std::int64_t subtree,
                               Scratch& scratch) {
  for (const std::int32_t s : tree.subtrees[subtree] | std::views::reverse) {
    const Index columns = tree.columns(s), stride = tree.rows(s);
    const double* const l = values + tree.values_at[s];
    const Index* const row = tree.rows_of(s) + columns;
    double* const xs = x_.data() + tree.first[s];
    scratch.rows.resize(stride - columns);
    for (Index i = 0; i < stride - columns; ++i) scratch.rows[i] = x_[row[i]];
    subtract_products(xs, l + columns, stride, columns, scratch.rows.data(), stride - columns);
    solve_lower_transposed(l, columns, stride, xs);
  }
}

std::int64_t SupernodalSolve::bytes() const {
  std::size_t doubles = x_.size();
  for (const auto& below : below_) doubles += below.size();
  return static_cast<std::int64_t>(doubles * sizeof(double) + scratch_.size() * x_.size() * sizeof(std::int32_t));
}

}  // namespace gridiron
