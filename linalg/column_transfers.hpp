// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <omp.h>

#include <algorithm>
#include <future>
#include <span>
#include <vector>

#include "device/device.hpp"
#include "linalg/block.hpp"
#include "support/worker.hpp"

namespace gridiron {

/// Whether all entries are zero; checks only the beginning if that is nonzero.
inline bool is_zero(std::span<const double> x) {
  const auto n = std::ssize(x), chunks = n / kBlock + 1;
  const auto is_zero_in = [&](int64_t c) {
    return std::all_of(x.begin() + c * n / chunks, x.begin() + (c + 1) * n / chunks, [](double v) { return v == 0; });
  };
  if (!is_zero_in(0)) return false;
  bool zero = true;
#pragma omp parallel for schedule(static) reduction(&& : zero) if (chunks > 32)
  for (int64_t c = 1; c < chunks; ++c) zero = zero && is_zero_in(c);
  return zero;
}

/// Transfers columns of host blocks to device D and back while it computes. Right-hand sides and initial guesses are
/// sent in the order of their columns, ahead of time, and solutions return while other columns are being solved. Each
/// direction has its own thread and queue.
template <class D>
class ColumnTransfers {
 public:
  ColumnTransfers(int64_t rows, int slots) : rows_(rows), inbound_(slots), outbound_(slots) {
    for (Inbound& a : inbound_) a.b = Array<D, double>(rows);
    for (Outbound& d : outbound_) d.x = Array<D, double>(rows);
    D::synchronize();  // other queues use them
  }

  int64_t bytes() const { return bytes_of(inbound_, outbound_); }

  /// The transfers of one block, which must outlive this. The destructor waits for all of them.
  class Session {
   public:
    /// `from_zero`: all guesses are zero, whatever x holds.
    Session(ColumnTransfers& transfers, Block<const double> b, Block<double> x, bool from_zero)
        : transfers_(transfers), b_(b), x_(x), from_zero_(from_zero) {
      send_ahead();
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session() {
      for (Inbound& a : transfers_.inbound_)
        if (a.sent.valid()) a.sent.wait();
      for (Outbound& d : transfers_.outbound_)
        if (d.done.valid()) d.done.wait();
    }

    struct Column {
      View<D, const double> b, x;  ///< x is empty if the guess is zero
    };
    /// Waits for the next column.
    Column next() {
      Inbound& a = transfers_.inbound_[static_cast<size_t>(taken_++) % transfers_.inbound_.size()];
      a.sent.get();
      if (a.x_is_zero) return {a.b.view(), {}};
      return {a.b.view(), a.x.view()};
    }
    /// Call when the result of next() has been read, in the current queue.
    void send_ahead() {
      D::synchronize();
      const auto slots = std::ssize(transfers_.inbound_);
      for (; sent_ < b_.columns && sent_ < taken_ + slots; ++sent_)
        transfers_.send(b_.column(sent_), from_zero_ ? std::span<const double>() : x_.column(sent_),
                        transfers_.inbound_[sent_ % slots]);
    }

    /// Buffer for the solution of a slot, available once the previous one has been sent.
    View<D, double> buffer(int slot) {
      Outbound& d = transfers_.outbound_[slot];
      if (d.done.valid()) d.done.get();
      return d.x.view();
    }
    /// Sends the completed solution in `buffer(slot)` to column j.
    void send_back(int slot, int64_t j) { transfers_.send_back(transfers_.outbound_[slot], x_.column(j)); }
    /// Waits for all solutions. Errors: those of the transfers.
    void finish() {
      for (Outbound& d : transfers_.outbound_)
        if (d.done.valid()) d.done.get();
    }

   private:
    ColumnTransfers& transfers_;
    Block<const double> b_;
    Block<double> x_;
    bool from_zero_;
    int64_t sent_ = 0, taken_ = 0;
  };

 private:
  struct Inbound {
    Array<D, double> b, x;  ///< x only if some guess is not zero
    bool x_is_zero = true;
    std::future<void> sent;

    int64_t bytes() const { return bytes_of(b, x); }
  };
  struct Outbound {
    Array<D, double> x;
    std::future<void> done;

    int64_t bytes() const { return x.bytes(); }
  };

  /// x is empty if the guess is zero.
  void send(std::span<const double> b, std::span<const double> x, Inbound& to) {
    to.sent = sender_.submit([this, b, x, &to, threads = omp_get_max_threads()] {
      const typename D::Scope scope(send_queue_);
      omp_set_num_threads(threads);
      to.b.copy_from(b);
      to.x_is_zero = x.empty() || is_zero(x);
      if (to.x_is_zero) return;
      if (to.x.empty()) to.x = Array<D, double>(rows_);
      to.x.copy_from(x);
    });
  }
  void send_back(Outbound& from, std::span<double> x) {
    from.done = receiver_.submit([this, x, &from, threads = omp_get_max_threads()] {
      const typename D::Scope scope(receive_queue_);
      omp_set_num_threads(threads);
      std::as_const(from).x.copy_to(x);
    });
  }

  int64_t rows_;
  typename D::Queue send_queue_{nullptr}, receive_queue_{nullptr};
  std::vector<Inbound> inbound_;
  std::vector<Outbound> outbound_;
  Worker sender_, receiver_;  ///< last: they use all of the above
};

}  // namespace gridiron
