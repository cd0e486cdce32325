// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "analysis/solve/certifier.hpp"
#include "analysis/solve/device_solve.hpp"
#include "analysis/solve/solver_options.hpp"
#include "engines/engine.hpp"
#include "support/context.hpp"

namespace gridiron {

/// How errors are bounded: to the last digit, or as far as one pass in doubles shows that they meet the tolerance.
enum class Bounds { tight, quick };

/// An engine set up on a system, and what is found once for this system: the barrier of its certificates, and tables on
/// its device.
struct ReadyEngine {
  const SolverOptions* options;
  const EngineInfo* info;
  std::string_view device;  ///< where it was set up
  std::string asked_for;    ///< and which device was asked for then
  int threads;              ///< of the last call
  DeviceSolve on_device;    ///< it has the stream that the engine works on, and goes after it
  std::unique_ptr<Engine> engine;
  Certifier certifier;
  bool has_solved = false;  ///< with the barrier that the certifier has

  const System& system() const { return certifier.system(); }
  void set_context(const Context& context) { engine->set_context(on_device.on_stream(context)); }
  /// Whether a factorization solves, to which a guess is of no use.
  bool is_direct() const { return info->is_direct(); }
  /// Whether it leaves cores idle while it solves for so many columns.
  bool leaves_cores_idle(int64_t columns) const;
  /// Whether quick bounds can show that the options are met; these are then ready.
  bool prepare_quick();
  /// When to stop so that the options are met, by bounds of this kind.
  StopRule stop_rule(Bounds bounds) const;
  EngineRun run() const;
  int64_t bytes() const { return engine->bytes() + on_device.bytes(); }
};

}  // namespace gridiron
