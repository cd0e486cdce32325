// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/solve/solver.hpp"
#include "support/error.hpp"

namespace gridiron {

/// A call of a solver from its beginning to its end, during which there is no other.
class Solver::OneCall {
 public:
  explicit OneCall(Solver& solver) : solver_(solver) {
    if (solver.is_busy_)
      throw InputError(
          "a solver can neither solve nor update while it gives out answers or progress; wait until "
          "solve() has returned");
    solver.is_busy_ = true;
  }
  ~OneCall() { solver_.is_busy_ = false; }
  OneCall(const OneCall&) = delete;
  OneCall& operator=(const OneCall&) = delete;

 private:
  Solver& solver_;
};

}  // namespace gridiron
