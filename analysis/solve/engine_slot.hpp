// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/model/finding.hpp"
#include "analysis/model/system.hpp"
#include "analysis/solve/ready_engine.hpp"
#include "analysis/solve/solver_options.hpp"

namespace gridiron {

/// Work that a solver has done since its construction, with timings.
struct SolverWork {
  int setups = 0, updates = 0;  ///< an update to a matrix of another pattern is a set-up
  int barriers = 0;
  int64_t vectors = 0;
  double setup_s = 0, solve_s = 0, certify_s = 0;

  void visit(auto& v) const {
    v("setups", setups)("updates", updates)("barriers", barriers)("vectors", vectors);
    v("setup_s", setup_s)("solve_s", solve_s)("certify_s", certify_s);
  }
};

/// The engine of a solver. Where its choice was left to `auto`, another engine replaces one that does not do, for good:
/// a factorization replaces multigrid that converges too slowly, and multigrid a factorization that breaks down.
class EngineSlot {
 public:
  /// Chooses an engine. Options, context and work must outlive the slot, and may change. Errors: InputError.
  EngineSlot(const System& system, const SolverOptions& options, const Context& context, SolverWork& work,
             MakeVectors make_vectors);
  EngineSlot(const EngineSlot&) = delete;
  EngineSlot& operator=(const EngineSlot&) = delete;

  /// Sets up the engine, or one that replaces it. Errors: as the constructor of Solver.
  void set_up(const System& system);
  /// Goes over from a system to another one of its design. After an error the engine is that of the system before, or
  /// is set up when it is next used. Errors: as set_up().
  void update(const System& from, const System& to);

  /// The engine for a call on this system, set up if need be.
  ReadyEngine& ready(const System& system);
  /// The same with a barrier, which determines the residual that a tolerance in volts takes; engines are replaced that
  /// converge too slowly for one. None may be found.
  ReadyEngine& ready_with_barrier(const System& system);
  /// Looks for the barrier of the engine that is ready.
  void find_barrier();

  /// Sets up another engine instead; false: none can be, or the engine was asked for by name.
  bool replace(const std::string& why, const System& system);

  /// Null once it is released.
  const ReadyEngine* current() const { return ready_.get(); }
  const EngineInfo& info() const { return *info_; }
  /// What the engine does, or did.
  EngineRun run() const { return ready_ ? ready_->run() : last_run_; }
  /// Which engine was replaced by which one, and why.
  const std::vector<Finding>& findings() const { return findings_; }

  void release_vectors();
  /// Frees the engine with its barrier.
  void release();

 private:
  ExpectedUse use() const { return {context_.device, options_.solves}; }
  void install(const EngineInfo& info, const System& system);
  void install_instead(const EngineInfo& info, const std::string& why, const System& system);
  void update_engine(const System& from, const System& to);
  const EngineInfo* successor(const System& system) const;
  int patience_before(const EngineInfo& next) const;
  void warn(const char* code, std::string message);

  const SolverOptions& options_;
  const Context& context_;
  SolverWork& work_;
  MakeVectors make_vectors_;
  const EngineInfo* info_;
  std::vector<const EngineInfo*> tried_;  ///< on the present system, in this order
  std::unique_ptr<ReadyEngine> ready_;
  EngineRun last_run_;
  bool is_last_ = false;  ///< no other engine could be set up
  std::vector<Finding> findings_;
};

}  // namespace gridiron
