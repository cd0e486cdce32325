// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "engines/linalg/flexible_cg.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {

/// How many right-hand sides engines solve together. precision=double is for checks, and not worth the time that a
/// second set of kernels takes to compile.
template <class T>
inline constexpr int kColumnsTogether = std::is_same_v<T, float> ? 8 : 1;

/// How many of so many columns are best solved in packs of K: two and fewer take longer in a half-empty pack than one
/// after the other.
template <int K>
std::int64_t columns_in_packs(std::int64_t columns) {
  if (K == 1) return 0;
  const std::int64_t rest = columns % K;
  return rest <= 2 ? columns - rest : columns;
}

/// Solves the first columns of a block, `packed` of them, with together(b, x) and the rest with one_by_one(b, x).
template <class Together, class OneByOne>
std::vector<ColumnStats> solve_in_packs(std::int64_t packed, Block<const double> b, Block<double> x, Together together,
                                        OneByOne one_by_one) {
  std::vector<ColumnStats> stats;
  if (packed > 0) stats = together(b.part(0, packed), x.part(0, packed));
  if (packed == b.columns) return stats;
  const std::int64_t rest = b.columns - packed;
  for (ColumnStats& column : one_by_one(b.part(packed, rest), x.part(packed, rest))) stats.push_back(std::move(column));
  return stats;
}

/// Entries of packs that stand for the same entries of the columns.
struct SameOrder {
  GRIDIRON_HOST_DEVICE std::int64_t operator()(std::int64_t i) const { return i; }
};

/// The right-hand sides and answers that K places of a method work on, and their way from and to a block, which may lie
/// on the host or on device D. `order(i)` says which entry of a column entry i stands for; −1: none, it is zero.
template <class D, int K>
class BlockColumns {
 public:
  using Wide = Columns<double, K>;

  BlockColumns() = default;
  explicit BlockColumns(std::int64_t entries) : b_(entries), x_(entries) {
    fill<D, Wide>(b_.view(), Wide{});
    fill<D, Wide>(x_.view(), Wide{});
  }

  View<D, const Wide> b() const { return b_.view(); }
  View<D, Wide> x() { return x_.view(); }
  std::int64_t bytes() const { return b_.bytes() + x_.bytes() + staging_.bytes(); }
  /// How long columns have been on their way, s.
  double seconds() const { return seconds_; }

  template <class Order = SameOrder>
  void load(Block<const double> b, Block<const double> x, const Places<K>& places, Order order = {}) {
    const Stopwatch watch;
    take(b, places, b_.view(), order);
    take(x, places, x_.view(), order);
    seconds_ += watch.seconds();
  }

  template <class Order = SameOrder>
  void store(Block<double> x, const Places<K>& places, Order order = {}) {
    const Stopwatch watch;
    give(std::as_const(x_).view(), places, x, order);
    seconds_ += watch.seconds();
  }

  // Public, as nvcc takes no kernels from private functions.

  /// One column for each place; empty where it has none.
  template <class T>
  struct ColumnViews {
    View<D, T> of[K];
  };

  template <class Order>
  void take(Block<const double> from, const Places<K>& places, View<D, Wide> to, Order order) {
    ColumnViews<const double> columns;
    for (int c = 0; c < K; ++c) {
      if (places[c] < 0) continue;
      const std::span<const double> column = from.column(places[c]);
      if (is_reachable(from.memory)) {
        columns.of[c] = D::view(column.data(), from.rows);
      } else {
        const View<D, double> staged = staging(c, from.rows);
        D::copy_to_device(staged.data(), column.data(), from.rows);
        columns.of[c] = staged;
      }
    }
    D::for_each(
        to.size(), GRIDIRON_KERNEL(std::int64_t i) {
          const std::int64_t at = order(i);
          for (int c = 0; c < K; ++c)
            if (columns.of[c].size() > 0) column(to[i], c) = at >= 0 ? columns.of[c][at] : 0.0;
        });
  }

  template <class Order>
  void give(View<D, const Wide> from, const Places<K>& places, Block<double> to, Order order) {
    ColumnViews<double> columns;
    for (int c = 0; c < K; ++c)
      if (places[c] >= 0)
        columns.of[c] = is_reachable(to.memory) ? D::view(to.column(places[c]).data(), to.rows) : staging(c, to.rows);
    D::for_each(
        from.size(), GRIDIRON_KERNEL(std::int64_t i) {
          const std::int64_t at = order(i);
          if (at < 0) return;
          for (int c = 0; c < K; ++c)
            if (columns.of[c].size() > 0) columns.of[c][at] = column(from[i], c);
        });
    if (is_reachable(to.memory)) return;
    for (int c = 0; c < K; ++c)
      if (places[c] >= 0) D::copy_to_host(to.column(places[c]).data(), columns.of[c].data(), to.rows);
  }

 private:
  static bool is_reachable(Memory memory) { return D::shares_host_memory || memory == Memory::device; }

  View<D, double> staging(int place, std::int64_t rows) {
    if (staging_.size() < K * rows) staging_ = Array<D, double>(K * rows);
    return D::view(staging_.view().data() + place * rows, rows);
  }

  Array<D, Wide> b_, x_;
  Array<D, double> staging_;  ///< columns on their way between host and device
  double seconds_ = 0;
};

/// Flexible conjugate gradients for blocks of right-hand sides, K at a time. All its memory is kept between solves.
template <class D, class T, int K>
class BlockCg {
 public:
  BlockCg() = default;
  explicit BlockCg(std::int64_t entries) : cg_(entries), columns_(entries) {}

  std::int64_t bytes() const { return cg_.bytes() + columns_.bytes(); }
  double seconds_of_columns() const { return columns_.seconds(); }  ///< BlockColumns::seconds()

  template <class Matrix, class Order = SameOrder>
  std::vector<ColumnStats> solve(const Matrix& matrix, Block<const double> b, Block<double> x, const StopRule& stop,
                                 const Preconditioner<D, T, K>& precondition, Order order = {}) {
    std::vector<ColumnStats> stats(static_cast<std::size_t>(b.columns));
    cg_.solve(
        matrix, columns_.b(), columns_.x(), b.columns, precondition,
        [&](const Places<K>& places, auto& watches) {
          columns_.load(b, x, places, order);
          const Columns<double, K> norms = norm2<D, K>(columns_.b());
          for (int c = 0; c < K; ++c)
            if (places[c] >= 0) watches[c] = Watch{stop, column(norms, c), {}};
        },
        [&](const Places<K>& places, auto& watches) {
          columns_.store(x, places, order);
          for (int c = 0; c < K; ++c)
            if (places[c] >= 0) stats[places[c]] = std::move(watches[c].stats);
        });
    return stats;
  }

 private:
  FlexibleCg<D, T, K> cg_;
  BlockColumns<D, K> columns_;
};

}  // namespace gridiron
