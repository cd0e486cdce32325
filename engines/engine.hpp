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
#include <type_traits>
#include <utility>
#include <vector>

#include "engines/params.hpp"
#include "engines/problem.hpp"
#include "support/context.hpp"
#include "support/error.hpp"

namespace gridiron {

/// When to stop: as soon as one of the given limits holds, for each right-hand side independently, or a stop is
/// requested. And where to begin.
struct StopRule {
  double relative_residual = 1e-8;  ///< ‖b − A x‖₂ / ‖b‖₂
  double absolute_max = 0;          ///< max |b − A x|, in the unit of b (A for a grid); 0 disables it. A voltage
                                    ///< tolerance is passed to the engine this way.
  int max_iterations = 500;
  bool from_zero = false;  ///< the initial guess is 0, whatever x holds: CG then need not read it or multiply A by it
  // Set by Engine::solve() from its context:
  std::stop_token stop = {};
  std::function<void(double)> advanced = {};  ///< called with what was added to the share of a column that is done

  /// Errors: Stopped.
  void throw_if_stopped() const {
    if (stop.stop_requested()) throw Stopped();
  }
};

/// Where a hybrid engine spent the time of a solve, s: on its regular grids, on transfers of vectors between host and
/// device, and on everything else, which is work on the original grid.
struct HybridSeconds {
  double original_grid = 0, regular_grid = 0, transfers = 0;
};

/// Statistics of a solve for one right-hand side.
struct ColumnStats {
  int iterations = 0;  ///< of the outer method; refinement steps for a direct engine
  double relative_residual = 0;
  double max_residual = 0;
  bool converged = false;
  std::vector<double> history;  ///< relative residual after each iteration, starting with the initial one
};

/// Statistics of a solve: the base holds the worst value of each figure over all right-hand sides, with the history of
/// the one whose relative residual is largest.
struct SolveStats : ColumnStats {
  std::vector<ColumnStats> columns;
  std::optional<HybridSeconds> seconds;  ///< of all right-hand sides; reported by hybrid engines
};

/// Summarises the columns of a block.
SolveStats summed_up(std::vector<ColumnStats> columns);

/// For iterative engines. A bad right-hand side makes its own column NaN; errors: SolverError when every column is.
void require_a_finite_column(const SolveStats& stats, std::string_view engine);

/// Where the vectors of a block are stored.
enum class Memory { host, device };

/// A block of column vectors, n × k, column after column. Device memory is on the GPU that the engine runs on, and is
/// up to date in the order of its context's stream.
template <class T>
struct Block {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 1;
  Memory memory = Memory::host;

  std::span<T> column(std::int64_t j) const { return {data + j * rows, static_cast<std::size_t>(rows)}; }
  Block part(std::int64_t first, std::int64_t count) const { return {data + first * rows, rows, count, memory}; }
  template <class U>
  requires std::is_same_v<U, const T>
  operator Block<U>() const { return {data, rows, columns, memory}; }
};

/// Solves column by column with `solve(b_j, x_j)`, which returns ColumnStats.
template <class F>
SolveStats solve_columns(Block<const double> b, Block<double> x, F solve) {
  std::vector<ColumnStats> columns;
  columns.reserve(static_cast<std::size_t>(b.columns));
  for (std::int64_t j = 0; j < b.columns; ++j) columns.push_back(solve(b.column(j), x.column(j)));
  return summed_up(std::move(columns));
}

/// One grid of a multilevel engine, finest first (the columns of the usual hierarchy tables).
struct LevelSummary {
  std::int64_t unknowns = 0, nonzeros = 0, bytes = 0;
  double spectral_radius = 0;  ///< of D⁻¹A, as the smoother uses it
};

/// Figures that only one method has, for the report: its name and theirs, such as "psc" and "coarse" = 49.
struct MethodFigures {
  std::string method;
  std::vector<std::pair<std::string, double>> figures;
};

/// Solves A X = B: one matrix, many right-hand sides. Errors are SolverError and ResourceError; after a SolverError
/// from solve(), including a stop request, the engine can solve again.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Call before setup(). Afterwards only what every call reads anew may change: threads, stop, progress and
  /// share_done.
  void set_context(Context context) { context_ = std::move(context); }
  const Context& context() const { return context_; }

  /// Orders and factors the matrix, or builds the hierarchy. The engine shares the problem, unless its entries are so
  /// large or small that single precision could not hold them: then it works on a copy scaled by a power of two.
  void setup(std::shared_ptr<const Problem> problem);
  void setup(Problem problem) { setup(std::make_shared<const Problem>(std::move(problem))); }

  /// A problem of the same structure with different values: reuses the results of setup. Any other problem is set up
  /// from scratch.
  void update(std::shared_ptr<const Problem> problem);
  void update(Problem problem) { update(std::make_shared<const Problem>(std::move(problem))); }

  /// `x` holds the initial guess on entry (but see StopRule::from_zero) and the solution on return; both blocks are in
  /// the same memory. Errors:
  /// InputError when that is device memory and the engine does not work there, or not with this problem.
  SolveStats solve(Block<const double> b, Block<double> x, const StopRule& stop);

  /// Whether blocks may be in device memory; host memory is always accepted.
  virtual bool takes_device_memory() const { return false; }

  /// Whether do_solve() heeds StopRule::from_zero, or needs no guess, as in engines that take device memory; for others
  /// x is cleared before it.
  virtual bool begins_at_zero() const { return takes_device_memory(); }

  /// Memory that the engine holds for this problem.
  virtual std::int64_t bytes() const = 0;

  /// The part of bytes() used by the regular grids of a hybrid engine; none for other engines.
  virtual std::optional<std::int64_t> regular_grid_bytes() const { return std::nullopt; }

  /// Bytes that one iteration must move between memory and processor, each array it uses counted once per pass, at most
  /// (a cycle may skip parts); 0 when unknown. Divided by the time of an iteration it shows how close the engine comes
  /// to the memory bandwidth.
  virtual double bytes_per_iteration() const { return 0; }

  /// The grids, for the report; empty for an engine that has only one.
  virtual std::vector<LevelSummary> levels() const { return {}; }

  /// Figures of this method; usually none.
  virtual MethodFigures figures() const { return {}; }

  /// What a user should know about how this problem is solved, in one line; usually nothing.
  virtual std::string note() const { return {}; }

  /// The parameters in force, for the report.
  virtual ParamList parameters() const = 0;

 protected:
  const Problem& problem() const { return *problem_; }
  /// The problem passed to setup() or update(), for engines that delegate.
  const std::shared_ptr<const Problem>& incoming() const { return incoming_; }

 private:
  /// Runs the work of an operation ("setup", "update", "solve"); an engine with a device makes it current meanwhile.
  virtual void run(const char* verb, const std::function<void()>& work);
  virtual void do_setup(const Problem& problem) = 0;
  /// `problem` has the pattern of problem(), which is still the previous one.
  virtual void do_update(const Problem& problem) { do_setup(problem); }
  /// At least one unknown and one column, in blocks that fit the problem.
  virtual SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) = 0;
  /// Whether do_setup() makes choices based on the magnitude of entries, such as aggregates of strong couplings. They
  /// are made anew when an update brings values far from those they were made for (is_far).
  virtual bool adapts_to_values() const { return false; }
  void take(std::shared_ptr<const Problem> problem);

  Context context_;
  std::shared_ptr<const Problem> problem_;     ///< none until a setup has succeeded
  std::shared_ptr<const Problem> set_up_for_;  ///< that of the last setup, if adapts_to_values()
  std::shared_ptr<const Problem> incoming_;
  int exponent_ = 0;  ///< the engine's problem is the given one times 2^exponent_
};

/// Which engine did the work, and how: the part of every report about the engine.
struct EngineRun {
  std::string name, device;
  std::string why_there;  ///< "no CUDA device found", where a GPU would have been chosen
  std::string note;       ///< Engine::note()
  ParamList parameters;
  std::int64_t bytes = 0;
  int threads = 1;
  std::vector<LevelSummary> levels;
  std::optional<std::int64_t> regular_grid_bytes = {};  ///< part of `bytes`; only for hybrid engines
  MethodFigures figures = {};
};

/// One row of the engine table: everything that help, error messages, the comparison and completion need.
struct EngineInfo {
  std::string_view name;     ///< what the user types: --engine cholmod
  std::string_view about;    ///< one line of help
  std::string_view devices;  ///< "cpu", "cuda", "cpu,cuda"
  /// Empty when the engine can solve the problem, else a one-line reason in the user's words.
  std::optional<std::string> (*declines)(const Problem&);
  std::unique_ptr<Engine> (*make)(const Settings&);
  ParamList (*defaults)();
  std::unique_ptr<Engine> (*make_on_cuda)(const Settings&) = nullptr;  ///< none if it has no GPU form
  std::int64_t auto_up_to = std::numeric_limits<std::int64_t>::max();  ///< unknowns up to which `auto` takes its turn
  bool needs_matrix = true;  ///< false: Problem::structure is all it reads, and the matrix may be left out
};

/// This build's engines. `auto` selects the first that supports a problem and is meant for its size, unless
/// choose_engine() knows better.
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

/// The engine on the device that `context` asks for; keeps the context. Errors: those of choose_device and make_engine.
std::unique_ptr<Engine> make_engine(const EngineInfo& info, const Context& context, const Settings& settings);

/// The report entry of an engine that has solved a problem on `device`; `asked_for` is --device.
EngineRun describe(const EngineInfo& info, const Engine& engine, std::string_view device, std::string_view asked_for);

/// What `auto` goes by besides the problem.
struct Outlook {
  std::string_view device = "cpu";  ///< where the engine may run: auto, cpu or cuda
  std::int64_t solves = 1;          ///< right-hand sides to come
};

/// The engine called `name`, or for "auto" the one that docs/engines.md states. Throws InputError when there is none,
/// or when it declines the problem.
const EngineInfo& choose_engine(std::string_view name, const Problem& problem, const Outlook& outlook = {});

/// For "auto": the engine to turn to where `tried` does not do, as docs/engines.md states; null: none.
const EngineInfo* engine_after(const EngineInfo& tried, const Problem& problem, const Outlook& outlook = {});

}  // namespace gridiron
