// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <utility>

#include "analysis/solve/solver.hpp"
#include "python/run.hpp"

namespace gridiron::python {

/// A Solver whose calls release the GIL and can be stopped.
class InterruptibleSolver {
 public:
  InterruptibleSolver(System system, SolverOptions options, Context context) {
    run({}, [&] { solver_.emplace(std::move(system), std::move(options), std::move(context)); });
  }

  /// Errors: InputError while it is at work.
  const Solver& idle() const {
    if (is_busy_) throw_busy("solver");
    return *solver_;
  }

  /// Runs `work`, which may call the solver.
  void call(const std::function<void(Solver&)>& work) {
    const OneCall one(is_busy_, "solver");
    stop_ = {};
    solver_->set_stop(stop_.get_token());
    run(stop_, [&] { work(*solver_); });
  }
  void stop() { stop_.request_stop(); }

 private:
  std::optional<Solver> solver_;
  std::stop_source stop_;
  bool is_busy_ = false;
};

}  // namespace gridiron::python
