// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/solve/solver.hpp"
#include "analysis/tran/storage.hpp"

namespace gridiron {

class AnyStep;
class AnySteps;

/// Systems and engines of steps, one per size. As sizes differ in the conductances of the storage only, the engine of
/// another size is updated once there are too many of them.
class StepSolvers {
 public:
  static constexpr size_t kMost = 12;  ///< engines that are kept, if there is memory for them

  /// What steps of one size share.
  struct Slot {
    double h;                         ///< of the matrix, s
    std::vector<double> conductance;  ///< per element of the storage, S
    std::unique_ptr<Solver> solver;   ///< the same as long as there is this slot
    int64_t last_use;
    std::shared_ptr<AnyStep> any = nullptr;  ///< what solves instead where the matrix is no M-matrix
  };

  /// `any`: the topology of a step, with any conductances of the storage, which must outlive this. `any_matrix`: where
  /// the matrix is no M-matrix what makes the equations, and then there are no systems; otherwise null.
  StepSolvers(std::shared_ptr<const Design> design, const Storage& storage, Topology any, Method method,
              SolverOptions options, Context context, std::shared_ptr<const AnySteps> any_matrix = nullptr);

  /// Before any engine: the system of a size, which is formed unless it was the last one. Errors: the design's.
  const System& form(double h);
  bool empty() const { return kept_.empty(); }
  /// The slot of a size, whose engine is set up, or updated from the size that was used least recently, if need be.
  /// The one used before stays what it is. Errors: those of Solver.
  size_t use(double h);

  Slot& operator[](size_t slot) { return kept_[slot]; }
  const Slot& operator[](size_t slot) const { return kept_[slot]; }

  /// The grid of a step, with any conductances of the storage.
  const Topology& topology() const;
  const SolverOptions& options() const { return options_; }
  const Context& context() const { return context_; }
  /// Where engines to come work on a GPU.
  void set_stream(void* stream) { context_.stream = stream; }

  /// What the systems of all sizes took.
  System::Seconds system_seconds() const { return system_seconds_; }
  /// Work of all engines together, and how many set-ups and updates for sizes there were.
  Solver::Work work() const;
  int64_t sizes() const { return sizes_; }

 private:
  struct Formed {
    double h;
    System system;
  };
  System system_for(const std::vector<double>& conductance);
  size_t slot_of_any(double h);

  std::shared_ptr<const Design> design_;
  const Storage& storage_;
  std::optional<Topology> any_topology_;  ///< until there is a system
  Method method_;
  SolverOptions options_;
  Context context_;
  std::shared_ptr<const AnySteps> any_matrix_;
  std::optional<Formed> formed_;  ///< until there is an engine
  std::vector<Slot> kept_;
  int64_t uses_ = 0, sizes_ = 0;
  Solver::Work dropped_;  ///< of equations that are no longer kept
  System::Seconds system_seconds_;
};

}  // namespace gridiron
