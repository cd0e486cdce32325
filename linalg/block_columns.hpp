// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "linalg/column_transfers.hpp"
#include "linalg/flexible_cg.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {

/// How many right-hand sides engines solve together. precision=double is for checks, and not worth the time that a
/// second set of kernels takes to compile.
template <class T>
inline constexpr int kColumnsTogether = std::is_same_v<T, float> ? 8 : 1;

/// How many of `columns` columns are best solved in packs of K: one or two take longer in a mostly empty pack than one
/// after the other.
template <int K>
int64_t columns_in_packs(int64_t columns) {
  if (K == 1) return 0;
  const int64_t rest = columns % K;
  return rest <= 2 ? columns - rest : columns;
}

/// Solves the first columns of a block, `packed` of them, with together(b, x) and the rest with one_by_one(b, x).
template <class Together, class OneByOne>
std::vector<ColumnStats> solve_in_packs(int64_t packed, Block<const double> b, Block<double> x, Together together,
                                        OneByOne one_by_one) {
  std::vector<ColumnStats> stats;
  if (packed > 0) stats = together(b.part(0, packed), x.part(0, packed));
  if (packed == b.columns) return stats;
  const int64_t rest = b.columns - packed;
  for (ColumnStats& column : one_by_one(b.part(packed, rest), x.part(packed, rest))) stats.push_back(std::move(column));
  return stats;
}

/// An entry of a method's vectors, and the entry of the columns of a block that it represents.
struct EntryPair {
  int64_t of_method, of_column;
};
/// The order in which both are numbered alike.
struct SameOrder {
  int64_t size;
  GRIDIRON_HOST_DEVICE EntryPair operator()(int64_t k) const { return {k, k}; }
};

/// The right-hand sides and solutions in the K slots of a method, with transfers from and to a block, which may be on
/// the host or on device D. `order(k)` for k in [0, order.size) are the pairs of entries, best in the order of the
/// columns; entries in no pair are zero.
template <class D, int K>
class BlockColumns {
 public:
  using Wide = Columns<double, K>;

  BlockColumns() = default;
  explicit BlockColumns(int64_t entries) : b_(entries), x_(entries) {
    fill<D, Wide>(b_.view(), Wide{});
    fill<D, Wide>(x_.view(), Wide{});
  }

  View<D, const Wide> b() const { return b_.view(); }
  View<D, Wide> x() { return x_.view(); }
  int64_t bytes() const { return bytes_of(b_, x_, staged_b_, staged_x_, transfers_); }
  /// Time the method has spent waiting for transfers of columns, s.
  double seconds() const { return seconds_; }

  /// During its lifetime, columns of a block larger than K are transferred while the method works; load() and store()
  /// must then be called once per column, loads in ascending order.
  class TransferScope {
   public:
    TransferScope(BlockColumns& columns, Block<const double> b, Block<double> x, bool from_zero) : columns_(columns) {
      if (is_reachable(b.memory) || b.columns <= K) return;
      if (!columns.transfers_ || columns.rows_ != b.rows)
        columns.transfers_ = std::make_unique<ColumnTransfers<D>>(columns.rows_ = b.rows, K);
      columns.session_ = std::make_unique<typename ColumnTransfers<D>::Session>(*columns.transfers_, b, x, from_zero);
    }
    TransferScope(const TransferScope&) = delete;
    TransferScope& operator=(const TransferScope&) = delete;
    ~TransferScope() { columns_.session_.reset(); }

    /// Waits for all solutions. Errors: those of the transfers.
    void finish() {
      const Stopwatch watch;
      if (columns_.session_) columns_.session_->finish();
      columns_.seconds_ += watch.seconds();
    }

   private:
    BlockColumns& columns_;
  };

  /// Which of the slots are known to have a guess of zero. Where nothing is transferred nobody looks for one, also as
  /// processes that share a system must agree on it.
  using ZeroGuesses = std::array<bool, K>;

  /// `from_zero`: all guesses are zero, whatever x holds.
  ZeroGuesses load(Block<const double> b, Block<const double> x, const Slots<K>& slots, bool from_zero) {
    return load(b, x, slots, from_zero, SameOrder{b_.size()});
  }
  template <class Order>
  ZeroGuesses load(Block<const double> b, Block<const double> x, const Slots<K>& slots, bool from_zero, Order order) {
    const Stopwatch watch;
    ColumnViews<const double> right_hand_sides, guesses;
    for (int c = 0; c < K; ++c) {
      if (slots[c] < 0) continue;
      right_hand_sides.is_used[c] = guesses.is_used[c] = true;
      if (session_) {
        const auto column = session_->next();
        right_hand_sides.of[c] = column.b;
        guesses.of[c] = column.x;
      } else {
        right_hand_sides.of[c] = on_device(b.column(slots[c]), b.memory, staged_b_, c);
        if (!from_zero && (is_reachable(x.memory) || !is_zero(x.column(slots[c]))))
          guesses.of[c] = on_device(x.column(slots[c]), x.memory, staged_x_, c);
      }
    }
    scatter(right_hand_sides, b_.view(), order);
    ZeroGuesses zero{};
    for (int c = 0; c < K; ++c) zero[c] = guesses.is_used[c] && guesses.of[c].size() == 0;
    if (K == 1 && zero[0])
      fill<D, Wide>(x_.view(), Wide{});
    else
      scatter(guesses, x_.view(), order);
    if (session_) session_->send_ahead();
    seconds_ += watch.seconds();
    return zero;
  }

  void store(Block<double> x, const Slots<K>& slots) { store(x, slots, SameOrder{x_.size()}); }
  template <class Order>
  void store(Block<double> x, const Slots<K>& slots, Order order) {
    const Stopwatch watch;
    ColumnViews<double> columns;
    for (int c = 0; c < K; ++c) {
      if (slots[c] < 0) continue;
      columns.is_used[c] = true;
      columns.of[c] = session_                 ? session_->buffer(c)
                      : is_reachable(x.memory) ? D::view(x.column(slots[c]).data(), x.rows)
                                               : staging(staged_x_, c, x.rows);
    }
    gather(columns, order);
    D::synchronize();
    for (int c = 0; c < K; ++c) {
      if (slots[c] < 0 || is_reachable(x.memory)) continue;
      if (session_)
        session_->send_back(c, slots[c]);
      else
        D::copy_to_host(x.column(slots[c]).data(), columns.of[c].data(), x.rows);
    }
    seconds_ += watch.seconds();
  }

  // Public, as nvcc takes no kernels from private functions.

  /// One column for each slot that is loaded or stored; an empty one represents zeros.
  template <class T>
  struct ColumnViews {
    View<D, T> of[K];
    bool is_used[K] = {};
  };

  template <class Order>
  void scatter(const ColumnViews<const double>& columns, View<D, Wide> to, Order order) {
    D::template for_each_of_columns<K>(
        order.size, GRIDIRON_KERNEL(int64_t k, int c) {
          if (!columns.is_used[c]) return;
          const EntryPair at = order(k);
          column(to[at.of_method], c) = columns.of[c].size() > 0 ? columns.of[c][at.of_column] : 0.0;
        });
  }

  template <class Order>
  void gather(const ColumnViews<double>& columns, Order order) {
    const View<D, const Wide> from = x_.view();
    D::template for_each_of_columns<K>(
        order.size, GRIDIRON_KERNEL(int64_t k, int c) {
          if (!columns.is_used[c]) return;
          const EntryPair at = order(k);
          columns.of[c][at.of_column] = column(from[at.of_method], c);
        });
  }

 private:
  static bool is_reachable(Memory memory) { return D::shares_host_memory || memory == Memory::device; }

  View<D, const double> on_device(std::span<const double> column, Memory memory, Array<D, double>& staged, int slot) {
    const auto rows = std::ssize(column);
    if (is_reachable(memory)) return D::view(column.data(), rows);
    const View<D, double> copy = staging(staged, slot, rows);
    D::copy_to_device(copy.data(), column.data(), rows);
    return copy;
  }

  static View<D, double> staging(Array<D, double>& staged, int slot, int64_t rows) {
    if (staged.size() < K * rows) staged = Array<D, double>(K * rows);
    return D::view(staged.view().data() + slot * rows, rows);
  }

  Array<D, Wide> b_, x_;
  Array<D, double> staged_b_, staged_x_;  ///< columns in transfer between host and device, if the method waits for them
  int64_t rows_ = 0;                      ///< of the columns in transfers_
  std::unique_ptr<ColumnTransfers<D>> transfers_;
  std::unique_ptr<typename ColumnTransfers<D>::Session> session_;  ///< during the lifetime of a TransferScope
  double seconds_ = 0;
};

/// Flexible conjugate gradients for blocks of right-hand sides, K at a time. All its memory is kept between solves. R:
/// see FlexibleCg.
template <class D, class T, class Matrix, int K, class R = double>
class BlockCg {
 public:
  BlockCg() = default;
  explicit BlockCg(int64_t entries) : cg_(entries), columns_(entries) {}

  int64_t bytes() const { return bytes_of(cg_, columns_); }
  double seconds_of_columns() const { return columns_.seconds(); }  ///< BlockColumns::seconds()
  void deflate(const Deflation<D>* parts) { cg_.deflate(parts); }   ///< FlexibleCg::deflate()
  View<D, Columns<R, K>> residuals() { return cg_.residuals(); }    ///< FlexibleCg::residuals()

  std::vector<ColumnStats> solve(const Matrix& matrix, Block<const double> b, Block<double> x, const StopRule& stop,
                                 const Preconditioner<D, T, K, R>& precondition) {
    return solve(matrix, b, x, stop, precondition, SameOrder{columns_.b().size()});
  }
  template <class Order>
  std::vector<ColumnStats> solve(const Matrix& matrix, Block<const double> b, Block<double> x, const StopRule& stop,
                                 const Preconditioner<D, T, K, R>& precondition, Order order) {
    std::vector<ColumnStats> stats(b.columns);
    typename BlockColumns<D, K>::TransferScope transfers(columns_, b, x, stop.from_zero);
    const double entries = D::template sum<1>(
        columns_.b().size(), GRIDIRON_KERNEL(int64_t) { return Sums<1>{{1.0}}; })[0];
    cg_.solve(
        matrix, columns_.b(), columns_.x(), b.columns, precondition,
        [&](const Slots<K>& slots, auto& monitors) {
          const auto zero = columns_.load(b, x, slots, stop.from_zero, order);
          const Columns<double, K> norms = norm2<D, K>(columns_.b());
          for (int c = 0; c < K; ++c) {
            if (slots[c] < 0) continue;
            monitors[c] = ConvergenceMonitor{stop, column(norms, c)};
            monitors[c].entries = entries;  // nvcc 13 misplaces it among designated initialisers
            monitors[c].begins_at_zero = zero[c];
          }
        },
        [&](const Slots<K>& slots, auto& monitors) {
          columns_.store(x, slots, order);
          for (int c = 0; c < K; ++c)
            if (slots[c] >= 0) stats[slots[c]] = std::move(monitors[c].stats);
        });
    transfers.finish();
    return stats;
  }

 private:
  FlexibleCg<D, T, Matrix, K, R> cg_;
  BlockColumns<D, K> columns_;
};

}  // namespace gridiron
