// SPDX-License-Identifier: Apache-2.0
#include "engines/cholmod/supernodal_solve.hpp"

#include <algorithm>
#include <bit>

#include "engines/cholmod/columns.hpp"
#include "engines/cholmod/panel.hpp"
#include "linalg/blas.hpp"
#include "linalg/one_thread.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

using Index = SupernodalTree::Index;

/// Columns of a supernode above the subtrees that are solved for before they go on to other rows.
constexpr Index kBlock = 256;

/// Multiplications that one thread does at once there.
constexpr Index kMultiplicationsOfTask = 1 << 15;

/// One vector gains nothing from BLAS.
template <int W>
bool pays_blas(Index rows, Index columns) {
  return W > 1 && rows * columns * W >= kFewMultiplications;
}

template <int W>
void add(double* y, const double* x) {
  for (int w = 0; w < W; ++w) y[w] += x[w];
}

/// y −= x op(L), where columns of x, of y and of W values are those of dgemm.
template <int W>
void subtract_by_blas(const char* op, const double* l, Index stride, Index inner, Index columns, const double* x,
                      double* y) {
  const int w = W, n = static_cast<int>(columns), k = static_cast<int>(inner), ld = static_cast<int>(stride);
  dgemm_("N", op, &w, &n, &k, &blas::kMinusOne, x, &w, l, &ld, &blas::kOne, y, &w);
}

/// y −= L x for rows of a supernode, W values each: row by row, they are W × rows matrices by columns.
template <int W>
void subtract_from_rows(const double* l, Index rows, Index columns, Index stride, const double* x, double* y) {
  if (!pays_blas<W>(rows, columns)) return subtract_product<W>(y, rows, l, stride, x, columns);
  subtract_by_blas<W>("T", l, stride, columns, rows, x, y);
}

/// x −= Lᵀ y.
template <int W>
void subtract_from_columns(const double* l, Index rows, Index columns, Index stride, const double* y, double* x) {
  if (!pays_blas<W>(rows, columns)) return subtract_transposed_product<W>(x, l, stride, columns, y, rows);
  subtract_by_blas<W>("N", l, stride, rows, columns, y, x);
}

/// x = op(L)⁻¹ x for a triangle that is large enough for BLAS; false for others.
template <int W>
bool solve_by_blas(const char* op, const double* l, Index columns, Index stride, double* x) {
  if (!pays_blas<W>(columns, columns / 2)) return false;
  const int w = W, n = static_cast<int>(columns), ld = static_cast<int>(stride);
  dtrsm_("R", "L", op, "N", &w, &n, &blas::kOne, l, &ld, x, &w);
  return true;
}

/// x = L⁻¹ x for a triangle.
template <int W>
void solve_lower(const double* l, Index columns, Index stride, double* x) {
  if (solve_by_blas<W>("T", l, columns, stride, x)) return;
  for (Index j = 0; j < columns; ++j, l += stride, x += W) {
    for (int w = 0; w < W; ++w) x[w] /= l[j];
    subtract_product<W>(x + W, columns - j - 1, l + j + 1, stride, x, 1);
  }
}

/// x = L⁻ᵀ x.
template <int W>
void solve_lower_transposed(const double* l, Index columns, Index stride, double* x) {
  if (solve_by_blas<W>("N", l, columns, stride, x)) return;
  for (Index j = columns - 1; j >= 0; --j) {
    const double* const column = l + j * stride;
    double* const xj = x + j * W;
    subtract_transposed_product<W>(xj, column + j + 1, stride, 1, xj + W, columns - j - 1);
    for (int w = 0; w < W; ++w) xj[w] /= column[j];
  }
}

}  // namespace

void SupernodalSolve::run(const SupernodalTree& tree, const double* values, Block<const double> b, Block<double> x) {
  const OneBlasThread one_blas_thread;
  below_.resize(tree.subtrees.size());
  scratch_.resize(std::max(scratch_.size(), static_cast<size_t>(omp_get_max_threads())));
  for (int64_t first = 0, count; first < b.columns; first += count) {
    count = std::min<int64_t>(b.columns - first, 16);
    if (count < 16) count = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(count)));
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
  const ScratchIndex own;
  const auto for_columns = [&](auto f) {
    parallel_each(tree.unknowns, [&](int64_t k) {
      for (int w = 0; w < W; ++w) f(x_[k * W + w], w * b.rows + tree.order[k]);
    });
  };
  if (const auto size = static_cast<size_t>(tree.unknowns) * W; x_.size() < size) x_.resize(size);
  for_columns([&](double& value, int64_t at) { value = b.data[at]; });

  const auto subtrees = std::ssize(tree.subtrees);
  parallel_tasks(subtrees, [&](int64_t t) { forward_subtree<W>(tree, values, t, scratch_[own()]); });
  for (int64_t t = 0; t < subtrees; ++t) {
    const Index root = tree.subtrees[t].back(), columns = tree.columns(root);
    for (Index i = 0; i < tree.rows(root) - columns; ++i)
      add<W>(x_.data() + tree.rows_of(root)[columns + i] * W, below_[t].data() + i * W);
  }
  for (const auto& level : tree.levels)
    for (const int32_t s : level) forward_above<W>(tree, values, s);
  for (auto level = tree.levels.rbegin(); level != tree.levels.rend(); ++level)
    for (const int32_t s : *level) backward_above<W>(tree, values, s);
  parallel_tasks(subtrees, [&](int64_t t) { backward_subtree<W>(tree, values, t, scratch_[own()]); });

  for_columns([&](double& value, int64_t at) { x.data[at] = value; });
}

template <int W>
void SupernodalSolve::forward_subtree(const SupernodalTree& tree, const double* values, int64_t subtree,
                                      Scratch& scratch) {
  const Index root = tree.subtrees[subtree].back(), end = tree.first[root + 1];
  const Index *const below_root = tree.rows_of(root) + tree.columns(root), count = tree.rows(root) - tree.columns(root);
  std::vector<double>& below = below_[subtree];
  below.assign(count * W, 0.0);
  if (scratch.places < tree.unknowns) {
    scratch.place = std::make_unique_for_overwrite<int32_t[]>(tree.unknowns);
    scratch.places = tree.unknowns;
  }
  for (Index i = 0; i < count; ++i) scratch.place[below_root[i]] = static_cast<int32_t>(i);
  for (const int32_t s : tree.subtrees[subtree]) {
    const Index columns = tree.columns(s), stride = tree.rows(s);
    const double* const l = values + tree.values_at[s];
    double* const xs = x_.data() + tree.first[s] * W;
    solve_lower<W>(l, columns, stride, xs);
    scratch.rows.assign((stride - columns) * W, 0.0);
    subtract_from_rows<W>(l + columns, stride - columns, columns, stride, xs, scratch.rows.data());
    for (Index i = columns; i < stride; ++i) {
      const Index row = tree.rows_of(s)[i];
      add<W>(row < end ? x_.data() + row * W : below.data() + scratch.place[row] * W,
             scratch.rows.data() + (i - columns) * W);
    }
  }
}

template <int W>
void SupernodalSolve::backward_subtree(const SupernodalTree& tree, const double* values, int64_t subtree,
                                       Scratch& scratch) {
  const std::vector<int32_t>& members = tree.subtrees[subtree];
  for (auto member = members.rbegin(); member != members.rend(); ++member) {
    const int32_t s = *member;
    const Index columns = tree.columns(s), stride = tree.rows(s);
    const double* const l = values + tree.values_at[s];
    double* const xs = x_.data() + tree.first[s] * W;
    scratch.rows.resize((stride - columns) * W);
    for (Index i = columns; i < stride; ++i)
      std::copy_n(x_.data() + tree.rows_of(s)[i] * W, W, scratch.rows.data() + (i - columns) * W);
    subtract_from_columns<W>(l + columns, stride - columns, columns, stride, scratch.rows.data(), xs);
    solve_lower_transposed<W>(l, columns, stride, xs);
  }
}

template <int W>
void SupernodalSolve::forward_above(const SupernodalTree& tree, const double* values, int64_t s) {
  const Index columns = tree.columns(s), stride = tree.rows(s);
  const double* const l = values + tree.values_at[s];
  double* const xs = x_.data() + tree.first[s] * W;
  std::vector<double>& rows = scratch_[0].rows;
  rows.assign(stride * W, 0.0);
  std::copy_n(xs, columns * W, rows.data());
  for (Index first = 0; first < columns; first += kBlock) {
    const Index width = std::min(kBlock, columns - first), next = first + width;
    const double* const block = l + first * stride;
    solve_lower<W>(block + first, width, stride, rows.data() + first * W);
    parallel_ranges(
        stride - next,
        [&](Index begin, Index end) {
          subtract_from_rows<W>(block + next + begin, end - begin, width, stride, rows.data() + first * W,
                                rows.data() + (next + begin) * W);
        },
        std::max<Index>(64, kMultiplicationsOfTask / width));
  }
  std::copy_n(rows.data(), columns * W, xs);
  for (Index i = columns; i < stride; ++i) add<W>(x_.data() + tree.rows_of(s)[i] * W, rows.data() + i * W);
}

template <int W>
void SupernodalSolve::backward_above(const SupernodalTree& tree, const double* values, int64_t s) {
  const Index columns = tree.columns(s), stride = tree.rows(s);
  const double* const l = values + tree.values_at[s];
  std::vector<double>& rows = scratch_[0].rows;
  rows.resize(stride * W);
  for (Index i = 0; i < stride; ++i) std::copy_n(x_.data() + tree.rows_of(s)[i] * W, W, rows.data() + i * W);
  for (Index first = (columns - 1) / kBlock * kBlock; first >= 0; first -= kBlock) {
    const Index width = std::min(kBlock, columns - first), next = first + width;
    const double* const block = l + first * stride;
    parallel_ranges(
        width,
        [&](Index begin, Index end) {
          subtract_from_columns<W>(block + begin * stride + next, stride - next, end - begin, stride,
                                   rows.data() + next * W, rows.data() + (first + begin) * W);
        },
        std::max<Index>(4, kMultiplicationsOfTask / stride / 4 * 4));
    solve_lower_transposed<W>(block + first, width, stride, rows.data() + first * W);
  }
  std::copy_n(rows.data(), columns * W, x_.data() + tree.first[s] * W);
}

int64_t SupernodalSolve::bytes() const {
  size_t doubles = x_.capacity();
  for (const auto& below : below_) doubles += below.capacity();
  for (const Scratch& scratch : scratch_) doubles += scratch.rows.capacity();
  return static_cast<int64_t>(doubles * sizeof(double));
}

}  // namespace gridiron
