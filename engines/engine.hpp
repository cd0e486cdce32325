// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/engine_run.hpp"
#include "engines/params.hpp"
#include "engines/problem.hpp"
#include "linalg/block.hpp"
#include "linalg/shares.hpp"
#include "linalg/solve_stats.hpp"
#include "linalg/stop_rule.hpp"
#include "support/context.hpp"

namespace gridiron {

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
  virtual int64_t bytes() const = 0;

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

/// What kind of method an engine is.
enum class EngineKind {
  direct,     ///< a sparse factorization: a guess is of no use to it, and its cost does not depend on values
  algebraic,  ///< multigrid on matrices alone
  hybrid,     ///< the original grid, corrected on regular ones: needs coordinates
  geometric   ///< on the structure of regular or refined grids
};

/// One row of the engine table: everything that help, error messages, the comparison, completion and `auto` need.
struct EngineInfo {
  using Factory = std::unique_ptr<Engine> (*)(const Settings&);
  using SharedFactory = std::unique_ptr<Engine> (*)(const Settings&, std::shared_ptr<const Shares>);

  std::string_view name;     ///< what the user types: --engine cholmod
  std::string_view about;    ///< one line of help
  std::string_view devices;  ///< "cpu", "cuda", "cpu,cuda"
  EngineKind kind;
  /// Empty when the engine can solve the problem, else a one-line reason in the user's words.
  std::optional<std::string> (*declines)(const Problem&);
  Factory make;
  ParamList (*defaults)();
  Factory make_on_cuda = nullptr;  ///< null: it has no GPU form
  /// Makes an engine to which each process passes the rows that it holds: columns from `matrix.rows` on are rows of
  /// others, in the order of Shares::exchange(), and a geometry is of its own rows. Null: it cannot share problems.
  SharedFactory make_shared = nullptr;
  /// Unknowns up to which `auto` takes it in the order of the table; −1: never.
  int64_t auto_up_to = INT64_MAX;
  bool needs_matrix = true;  ///< false: Problem::structure is all it reads, and the matrix may be left out

  bool is_direct() const { return kind == EngineKind::direct; }
};

/// This build's engines. `auto` selects the first that supports a problem and is meant for its size, unless
/// choose_engine() knows better.
std::span<const EngineInfo> engines();

/// Throws InputError that lists the engines when none is called `name`.
const EngineInfo& find_engine(std::string_view name);

/// What this build and machine have.
enum class Cuda { not_built, no_device, ready };
Cuda cuda_state();

/// Unknowns, over all right-hand sides to come, from which on `auto` runs an engine on the GPU that also has a CPU
/// form: to start a GPU takes a fifth of a second and 190 MB.
inline constexpr int64_t kUnknownsForGpu = 500'000;

/// "cpu" or "cuda": where the engine runs when asked for `device`, one of auto, cpu and cuda, to solve for so many
/// unknowns over all right-hand sides. auto is the GPU if the engine, the build and the machine have one and it pays.
/// Errors: InputError when the engine or this build cannot run there.
std::string_view choose_device(const EngineInfo& info, std::string_view device, int64_t unknowns = INT64_MAX);

/// The engine on a device that choose_device gave. Errors: ResourceError when the machine has no such device.
std::unique_ptr<Engine> make_engine(const EngineInfo& info, std::string_view device, const Settings& settings);

/// The same on the device that `context` asks for; keeps the context. Errors: those of choose_device(), too.
std::unique_ptr<Engine> make_engine(const EngineInfo& info, const Context& context, const Settings& settings);

/// The report entry of an engine that has solved a problem on `device`; `asked_for` is --device.
EngineRun describe(const EngineInfo& info, const Engine& engine, std::string_view device, std::string_view asked_for);

/// What `auto` goes by besides the problem.
struct ExpectedUse {
  std::string_view device = "cpu";  ///< where the engine may run: auto, cpu or cuda
  int64_t solves = 1;               ///< right-hand sides to come

  int64_t unknowns_of(const Problem& problem) const;  ///< over all of them
};

/// The engine called `name`, or for "auto" the one that docs/engines.md states. Throws InputError when there is none,
/// or when it declines the problem.
const EngineInfo& choose_engine(std::string_view name, const Problem& problem, ExpectedUse use = {});

/// For "auto": the engine to turn to after these, in this order, did not do, as docs/engines.md states; null: none.
const EngineInfo* engine_after(std::span<const EngineInfo* const> tried, const Problem& problem, ExpectedUse use = {});

}  // namespace gridiron
