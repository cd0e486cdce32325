// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/params.hpp"
#include "engines/problem.hpp"

namespace gridiron {

/// When to stop: as soon as one of the given limits holds for every right-hand side.
struct StopRule {
  double relative_residual = 1e-8;  ///< ‖b − A x‖₂ / ‖b‖₂
  double absolute_max = 0;          ///< max |b − A x|, in the unit of b (A for a grid); 0 switches it off. A voltage
                                    ///< tolerance reaches the engine this way.
  int max_iterations = 500;
};

/// Where a hybrid engine spent the time of a solve, s: on the solution of its regular grids, on the way of vectors
/// between host and device, and on all else, which is work on the original grid.
struct HybridSeconds {
  double original_grid = 0, regular_grid = 0, transfers = 0;
};

/// What a solve did; the worst right-hand side counts.
struct SolveStats {
  int iterations = 0;  ///< of the outer method; refinement steps for a direct engine
  double relative_residual = 0;
  double max_residual = 0;
  bool converged = false;
  std::vector<double> history;                ///< relative residual after each iteration, starting with the initial one
  std::optional<HybridSeconds> seconds = {};  ///< of all right-hand sides; hybrid engines tell them
};

/// A block of column vectors, n × k, column after column.
template <class T>
struct Block {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 1;

  std::span<T> column(std::int64_t j) const { return {data + j * rows, static_cast<std::size_t>(rows)}; }
};

/// Solves column by column with `solve(b_j, x_j)`; the worst of each figure counts.
template <class F>
SolveStats solve_columns(Block<const double> b, Block<double> x, F solve) {
  SolveStats worst;
  worst.converged = true;
  for (std::int64_t j = 0; j < b.columns; ++j) {
    SolveStats stats = solve(b.column(j), x.column(j));
    stats.converged = stats.converged && worst.converged;
    stats.iterations = std::max(stats.iterations, worst.iterations);
    stats.max_residual = std::max(stats.max_residual, worst.max_residual);
    if (j > 0 && !(stats.relative_residual > worst.relative_residual)) {
      stats.relative_residual = worst.relative_residual;
      stats.history = std::move(worst.history);
    }
    worst = std::move(stats);
  }
  return worst;
}

/// One grid of an engine that has several, finest first (the columns of the usual hierarchy tables).
struct LevelSummary {
  std::int64_t unknowns = 0, nonzeros = 0, bytes = 0;
  double spectral_radius = 0;  ///< of D⁻¹A, as the smoother uses it
};

/// Solves A X = B: one matrix, many right-hand sides. Errors are SolverError and ResourceError.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Orders and factors the matrix, or builds the hierarchy. The problem must outlive the engine's use.
  virtual void setup(const Problem& problem) = 0;

  /// Same structure, new numbers in problem.matrix.value: re-uses what setup learnt.
  virtual void update(const Problem& problem) { setup(problem); }

  /// `x` holds the initial guess on entry and the solution on return.
  virtual SolveStats solve(Block<const double> b, Block<double> x, const StopRule& stop) = 0;

  /// Memory that the engine holds for this problem.
  virtual std::int64_t bytes() const = 0;

  /// The part of bytes() that is there for the regular grids of a hybrid engine; none for other engines.
  virtual std::optional<std::int64_t> regular_grid_bytes() const { return std::nullopt; }

  /// Bytes that one iteration must move between memory and processor, each array it uses counted once per pass, at most
  /// (a cycle may leave parts out); 0 when unknown. Over the time of an iteration it says how near the engine is to
  /// what the memory can do.
  virtual double bytes_per_iteration() const { return 0; }

  /// The grids, for the report; none for an engine that has only one.
  virtual std::vector<LevelSummary> levels() const { return {}; }

  /// What a user should know about how this problem is solved, in one line; usually nothing.
  virtual std::string note() const { return {}; }

  /// The parameters in force, for the report.
  virtual ParamList parameters() const = 0;
};

/// Which engine did the work, and how: the part of every report that tells it.
struct EngineRun {
  std::string name, device;
  std::string why_there;  ///< "no CUDA device found", where a GPU would have been taken
  std::string note;       ///< Engine::note()
  ParamList parameters;
  std::int64_t bytes = 0;
  int threads = 1;
  std::vector<LevelSummary> levels;
  std::optional<std::int64_t> regular_grid_bytes = {};  ///< part of `bytes`; of hybrid engines
};

/// One row of the engine table: all that help, error messages, the comparison and completion need.
struct EngineInfo {
  std::string_view name;     ///< what the user types: --engine cholmod
  std::string_view about;    ///< one line of help
  std::string_view devices;  ///< "cpu", "cpu,cuda"
  /// Empty when the engine can solve the problem, else a one-line reason in the user's words.
  std::optional<std::string> (*declines)(const Problem&);
  std::unique_ptr<Engine> (*make)(const Settings&);
  ParamList (*defaults)();
  std::unique_ptr<Engine> (*make_on_cuda)(const Settings&) = nullptr;  ///< where `devices` has cuda
  std::int64_t auto_up_to = std::numeric_limits<std::int64_t>::max();  ///< unknowns up to which `auto` takes it
};

/// This build's engines. `auto` takes the first that supports a problem and is meant for its size.
std::span<const EngineInfo> engines();

/// Throws InputError that lists the engines when none is called `name`.
const EngineInfo& find_engine(std::string_view name);

/// What this build and machine have.
enum class Cuda { not_built, no_device, ready };
Cuda cuda_state();

/// "cpu" or "cuda": where the engine runs when asked for `device`, one of auto, cpu and cuda. auto is the GPU if the
/// engine, the build and the machine have one. Errors: InputError when the engine or this build cannot run there.
std::string_view choose_device(const EngineInfo& info, std::string_view device);

/// The engine on a device that choose_device gave. Errors: ResourceError when the machine has no such device.
std::unique_ptr<Engine> make_engine(const EngineInfo& info, std::string_view device, const Settings& settings);

/// How an engine that has solved a problem on `device` is told of in reports; `asked_for` is --device.
EngineRun describe(const EngineInfo& info, const Engine& engine, std::string_view device, std::string_view asked_for);

/// The engine called `name`, or for "auto" the first that supports the problem and its size. Throws InputError when
/// there is none, or when it declines the problem.
const EngineInfo& choose_engine(std::string_view name, const Problem& problem);

}  // namespace gridiron
