// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <future>
#include <mutex>
#include <utility>
#include <vector>

#include "linalg/block.hpp"
#include "linalg/solve_stats.hpp"
#include "linalg/stop_rule.hpp"
#include "support/worker.hpp"

namespace gridiron {

/// A queue of device D beside the current one, with a thread that feeds it. Coarse levels are many small kernels, each
/// of which waits for the one before: while one queue waits, the device works for the other.
template <class D>
class SecondQueue {
 public:
  /// Runs here() on the calling thread and there() on the other queue, at the same time; both are done on return.
  /// Errors: those of here(), else those of there().
  template <class Here, class There>
  void run(Here here, There there) {
    D::synchronize();  // there() may read what the current queue has been asked to write
    std::future<void> done = worker_.submit([this, &there] {
      const typename D::Scope scope(queue_);
      there();
      D::synchronize();
    });
    try {
      here();
    } catch (...) {
      done.wait();
      throw;
    }
    done.get();
  }

 private:
  typename D::Queue queue_{nullptr};
  Worker worker_;
};

/// How many of `columns` columns in packs of K the second queue takes: the later half of the packs; none on a CPU, all
/// of whose threads work on one pack.
template <class D, int K>
int64_t columns_of_second_queue(int64_t columns) {
  if (D::shares_host_memory) return 0;
  const int64_t packs = (columns + K - 1) / K;
  return columns - (packs + 1) / 2 * K;
}

/// Solves the last columns of a block, `beside` of them, with there(b, x, stop) on the second queue while
/// here(b, x, stop) solves the others.
template <class D, class Here, class There>
std::vector<ColumnStats> solve_on_two_queues(SecondQueue<D>& second, int64_t beside, Block<const double> b,
                                             Block<double> x, const StopRule& stop, Here here, There there) {
  std::mutex guard;
  StopRule one_at_a_time = stop;
  if (stop.advanced)
    one_at_a_time.advanced = [&](double share) {
      const std::lock_guard lock(guard);
      stop.advanced(share);
    };
  const int64_t first = b.columns - beside;
  std::vector<ColumnStats> stats, others;
  second.run([&] { stats = here(b.part(0, first), x.part(0, first), one_at_a_time); },
             [&] { others = there(b.part(first, beside), x.part(first, beside), one_at_a_time); });
  for (ColumnStats& column : others) stats.push_back(std::move(column));
  return stats;
}

}  // namespace gridiron
