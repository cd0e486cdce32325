// SPDX-License-Identifier: Apache-2.0
#include "analysis/certify/barrier.hpp"

#include <algorithm>
#include <vector>

#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// What a raise leaves of a deficit: below the limit, so that what neighbours hand on does not at once exceed it again.
constexpr double kDeficitAfterRaise = 0.3;

/// Raises per row, on average, before it is given up.
constexpr int64_t kMostRaises = 2;

enum class Raise { none, some, too_many };

/// Raises rows until none is short: those of a range in turn, as one raise makes neighbours short, ranges at the same
/// time. What a range takes from rows of others is settled between rounds, in which no range raises more rows than it
/// may on average. Nothing depends on threads.
class Raiser {
 public:
  Raiser(const CsrMatrix& a, std::span<const double> b, std::span<double> w)
      : a_(a), w_(w), ranges_((a.rows + kRange - 1) / kRange) {
    assign_in_parallel(deficit_, a.rows);
    assign_in_parallel(is_queued_, a.rows);
    parallel_tasks(std::ssize(ranges_), [&](int64_t r) {
      for (int64_t i = r * kRange; i < end_of(r); ++i) {
        double sum = b[i];
        for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) sum -= a.value[k] * w[a.col[k]];
        deficit_[i] = sum;
        enqueue_if_short(i);
      }
    });
  }

  Raise run() {
    Raise result = Raise::none;
    while (std::ranges::any_of(ranges_, [](const Range& range) { return !range.queue.empty(); })) {
      result = Raise::some;
      parallel_tasks(std::ssize(ranges_), [&](int64_t r) { raise(r); });
      int64_t raises = 0;
      for (const Range& range : ranges_) raises += range.raises;
      if (raises > kMostRaises * a_.rows) return Raise::too_many;
      for (Range& range : ranges_) settle(range);
    }
    return result;
  }

 private:
  static constexpr int64_t kRange = 1 << 15;

  struct Taken {
    int32_t row;
    double current;
  };
  struct alignas(64) Range {
    std::vector<int32_t> queue;
    std::vector<Taken> taken;  ///< from rows of other ranges
    int64_t raises = 0;
  };

  int64_t end_of(int64_t r) const { return std::min<int64_t>(a_.rows, (r + 1) * kRange); }

  void enqueue_if_short(int64_t i) {
    if (!(deficit_[i] > kMostDeficit) || is_queued_[i]) return;
    is_queued_[i] = 1;
    ranges_[i / kRange].queue.push_back(static_cast<int32_t>(i));
  }

  double diagonal(int32_t i) const {
    const auto row = a_.col.begin() + a_.row_ptr[i], end = a_.col.begin() + a_.row_ptr[i + 1];
    return a_.value[std::lower_bound(row, end, i) - a_.col.begin()];
  }

  void raise(int64_t r) {
    Range& range = ranges_[r];
    const int64_t most = kMostRaises * std::min(kRange, a_.rows);
    int64_t next = 0;
    for (; next < std::ssize(range.queue) && next < most; ++next) {
      const int32_t i = range.queue[next];
      is_queued_[i] = 0;
      const double raise = (deficit_[i] - kDeficitAfterRaise) / diagonal(i);
      w_[i] += raise;
      for (int64_t k = a_.row_ptr[i]; k < a_.row_ptr[i + 1]; ++k) {
        const int32_t j = a_.col[k];
        if (j >= a_.rows) continue;  // of another process
        if (j / kRange != r) {
          range.taken.push_back({j, a_.value[k] * raise});
          continue;
        }
        deficit_[j] -= a_.value[k] * raise;
        enqueue_if_short(j);
      }
    }
    range.raises += next;
    range.queue.erase(range.queue.begin(), range.queue.begin() + next);
  }

  void settle(Range& range) {
    for (const Taken& taken : range.taken) {
      deficit_[taken.row] -= taken.current;
      enqueue_if_short(taken.row);
    }
    range.taken.clear();
  }

  const CsrMatrix& a_;
  std::span<double> w_;
  std::vector<double> deficit_;
  std::vector<unsigned char> is_queued_;
  std::vector<Range> ranges_;
};

Raise raise_rows(const CsrMatrix& a, std::span<const double> b, std::span<double> w) { return Raiser(a, b, w).run(); }

}  // namespace

bool raise_to_barrier(const CsrMatrix& a, std::span<const double> b, std::span<double> w) {
  return raise_rows(a, b, w) != Raise::too_many;
}

/// A raise takes from rows of other processes, which then raise theirs.
bool raise_to_barrier(const CsrMatrix& a, const Shares* shares, std::span<const double> b, std::span<double> w) {
  if (!shares) return raise_to_barrier(a, b, w);
  constexpr int kMostRounds = 20;
  for (int round = 0; round < kMostRounds; ++round) {
    shares->exchange(w);
    auto raised = static_cast<double>(raise_rows(a, b, w));
    shares->largest({&raised, 1});
    if (raised == static_cast<double>(Raise::none)) return true;
    if (raised == static_cast<double>(Raise::too_many)) return false;
  }
  return false;
}

}  // namespace gridiron
