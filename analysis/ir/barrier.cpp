// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/barrier.hpp"

#include <algorithm>
#include <vector>

#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// What a raise leaves of a deficit: below the limit, so that what neighbours hand on does not at once exceed it again.
constexpr double kDeficitAfterRaise = 0.3;

/// Raises per row, on average, before it is given up.
constexpr std::int64_t kMostRaises = 2;

}  // namespace

namespace {

enum class Raise { none, some, too_many };

/// Raises the rows of a matrix whose further columns stay as they are.
Raise raise_rows(const CsrMatrix& a, std::span<const double> b, std::span<double> w) {
  std::vector<double> deficit;
  assign_in_parallel(deficit, a.rows);
  parallel_ranges(a.rows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      double sum = b[i];
      for (std::int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) sum -= a.value[k] * w[a.col[k]];
      deficit[i] = sum;
    }
  });
  const auto diagonal = [&](std::int32_t i) {
    return a.value[std::lower_bound(a.col.begin() + a.row_ptr[i], a.col.begin() + a.row_ptr[i + 1], i) - a.col.begin()];
  };
  std::vector<std::int32_t> queue;
  std::vector<bool> is_queued(w.size(), false);
  const auto enqueue_if_short = [&](std::int64_t i) {
    if (i >= a.rows || !(deficit[i] > kMostDeficit) || is_queued[i]) return;
    is_queued[i] = true;
    queue.push_back(static_cast<std::int32_t>(i));
  };
  const auto short_rows = parallel_list<std::int64_t>(a.rows, [&](std::int64_t i, auto& list) {
    if (deficit[i] > kMostDeficit) list.push_back(i);
  });
  for (const std::int64_t i : short_rows) enqueue_if_short(i);
  for (std::size_t next = 0; next < queue.size(); ++next) {
    if (static_cast<std::int64_t>(next) >= kMostRaises * a.rows) return Raise::too_many;
    const std::int32_t i = queue[next];
    is_queued[i] = false;
    const double raise = (deficit[i] - kDeficitAfterRaise) / diagonal(i);
    w[i] += raise;
    for (std::int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
      if (a.col[k] < a.rows) deficit[a.col[k]] -= a.value[k] * raise;
      enqueue_if_short(a.col[k]);
    }
  }
  return queue.empty() ? Raise::none : Raise::some;
}

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
