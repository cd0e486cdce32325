// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/ir/certifier.hpp"
#include "analysis/ir/ir_report.hpp"
#include "analysis/ir/loads.hpp"
#include "analysis/ir/system.hpp"
#include "engines/engine.hpp"
#include "support/context.hpp"

namespace gridiron {

struct SolverOptions {
  std::string engine = "auto";      ///< auto falls back to a factorization if multigrid misses the tolerance
  Settings settings = {};           ///< engine parameters
  double tolerance_v = 10e-6;       ///< target for the certified bound, V
  std::optional<double> rtol = {};  ///< relative residual instead of the tolerance
  int max_iterations = 500;
};

/// The solution for one load vector.
struct Answer {
  std::vector<double> voltage_v;  ///< per node of the netlist; 0 at ground and where a node floats
  std::vector<double> load_a;     ///< the vector it answers, per current source
  ColumnStats stats;
  Certificate certificate;  ///< without the current balance, which summarise() draws up

  /// False where the engine broke down on this vector; nothing is known of the voltages then.
  bool is_finite() const;
};

inline constexpr const char* kNotFinite =
    "the voltages are not finite: some values lie too many orders apart for double precision";

/// An engine set up on a system, with the barrier of the certificate: another load costs one solve, a changed system an
/// update of the engine. After an error or a stop request it can solve again.
class Solver {
 public:
  /// Sets up the engine. Errors: InputError if there is no such engine or it declines the system, SolverError,
  /// ResourceError.
  explicit Solver(System system, SolverOptions options = {}, Context context = {});

  /// Where and how to solve: changes to threads, stop and progress take effect with the next call.
  Context& context() { return context_; }

  /// One answer per load vector, each with a bound of its own. Missing the tolerance is no error, see tolerance_miss().
  /// Errors: those of System::check(), before anything is solved; Stopped, SolverError when the engine breaks down,
  /// ResourceError.
  std::vector<Answer> solve(const Loads& loads);

  /// The same for many vectors: solves them in blocks, so that memory does not grow with their number. Calls
  /// take(vector, answer) in order.
  void solve(const Loads& loads, const std::function<void(std::int64_t, Answer)>& take);

  /// For the loads of the deck.
  Answer solve();

  /// Switches to an edited system of the same design.
  void update(System system);

  const System& system() const { return system_; }
  const SolverOptions& options() const { return options_; }

  /// The engine in use, for reports.
  EngineRun engine_run() const;
  /// Statistics of the last solve(), over all its vectors.
  const SolveStats& stats() const { return stats_; }
  /// What a user should know: that another engine took over, and why.
  const std::vector<Finding>& findings() const { return findings_; }

  /// Work done since construction, with timings.
  struct Work {
    int setups = 0, updates = 0, barriers = 0;
    std::int64_t vectors = 0;
    double setup_s = 0, solve_s = 0, certify_s = 0;
  };
  const Work& work() const { return work_; }

 private:
  void set_up(const EngineInfo& info);
  void find_barrier();
  std::vector<Answer> solve_block(const Loads& loads, std::int64_t first, std::int64_t vectors);

  System system_;
  SolverOptions options_;
  Context context_;
  const EngineInfo* info_;
  std::unique_ptr<Engine> engine_;
  Certifier certifier_;
  std::vector<double> injection_, volts_;  ///< of the merged network, a block of vectors; kept between solves
  System::Scratch scratch_;
  SolveStats stats_;
  std::vector<Finding> findings_;
  Work work_;
};

/// Empty if the solution meets the requested accuracy, otherwise one line that describes the shortfall. `engine`: its
/// name.
std::string tolerance_miss(const ColumnStats& stats, const Certificate& certificate, const std::string& engine,
                           const SolverOptions& options);

}  // namespace gridiron
