// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engines/params.hpp"
#include "netlist/values/quantity.hpp"
#include "support/error.hpp"

namespace gridiron {

inline constexpr std::string_view kReferenceEngine = "cholmod";  ///< what the others are compared with
inline constexpr double kUnknown = NAN;

/// How a netlist is read and what it means: see ReadOptions and DesignOptions.
struct DeckReading {
  bool lenient = false;
  Dialect dialect = Dialect::automatic;
  std::string top, node_pattern, pads;
  double dbu_per_um = 0;  ///< 0: as the deck tells
  std::map<std::string, double> nominal_v;
};

/// What engines are compared on: a netlist, or a model problem.
struct CompareCase {
  std::string netlist;  ///< path; empty for a model problem
  DeckReading reading = {};
  std::string pde;
  int64_t size = 0;  ///< of the model problem: points or cells along its longest side

  std::string name() const;
  std::string_view error_unit() const { return netlist.empty() ? "" : "V"; }
};

enum class RunStatus {
  ok,
  not_converged,
  not_certified,  ///< converged, but the voltages may be further off than asked for
  declined,       ///< the engine cannot solve this problem
  invalid_input,  ///< the netlist cannot be read, the model problem does not come in this size
  unanalysable,   ///< the netlist describes no solvable grid
  out_of_memory,  ///< or the device is lost, or no disk space for the reference solution
  timed_out,
  crashed,
};
std::string_view name_of(RunStatus status);
RunStatus status_of(ExitCode code);   ///< of an error
bool has_solution(RunStatus status);  ///< one that others can be compared with

/// One engine on one case: a row of the comparison. Unknown values are NaN.
struct CompareRun {
  std::string engine, device;
  std::string variant;  ///< the engine as asked for, with its settings: "aggamg:krylov=gmres"; empty: the engine
  bool is_reference = false;
  bool requested = true;  ///< the reference runs even when not requested
  bool named = false;     ///< requested by its name, not as one of all engines
  RunStatus status = RunStatus::ok;
  std::string detail;  ///< why the status is not ok, one line

  int64_t unknowns = -1, nonzeros = -1;  ///< −1 if the run failed before the matrix was assembled
  bool solved = false;                   ///< solve() returned: everything below is filled in
  double setup_s = kUnknown, solve_s = kUnknown, total_s = kUnknown;  ///< medians over the repeats
  int iterations = 0;
  double relative_residual = kUnknown;  ///< ‖b − A x‖₂ / ‖b‖₂ as measured, not as reported by the engine
  int64_t bytes = 0;                    ///< memory of the engine
  double max_error = kUnknown;          ///< against the reference
  double mean_error = kUnknown;         ///< mean of the absolute values
  double certified_bound_v = kUnknown;  ///< netlists only
  ParamList parameters;                 ///< in force

  const std::string& name() const { return variant.empty() ? engine : variant; }
};

struct CaseRuns {
  CompareCase what;
  std::vector<CompareRun> runs;  ///< the reference first

  bool has_good_row() const;

  /// Total time relative to the reference; NaN if either is unknown.
  double ratio_to_reference(const CompareRun& run) const;
};

struct Comparison {
  double rtol = 1e-8;         ///< of model problems, and of netlists without a tolerance
  double tolerance_v = 1e-6;  ///< of netlists: the certified error of every voltage; 0: by rtol
  int max_iterations = 500;
  int repeat = 3;
  int threads = 1;
  std::vector<CaseRuns> cases;

  /// Whether this row of it was asked for and has no answer as good as asked for. A case that an engine declines is no
  /// miss, unless the engine was asked for by name and declines every one.
  bool missed(const CompareRun& run) const;
};

/// The measurement that one process performs.
struct CompareJob {
  enum class Reference { none, write, read };

  CompareCase what;
  std::string engine, device;
  Settings settings;
  double rtol = 1e-8, tolerance_v = 0;  ///< as in Comparison
  int max_iterations = 500;
  int repeat = 3;
  std::string reference_file;  ///< raw doubles: written by `write`, compared with by `read`
  Reference reference = Reference::none;
};

/// Reads and assembles the case once, then sets up and solves it `repeat` times from scratch. Failures that a user can
/// cause or encounter are reported as rows, not exceptions.
CompareRun measure(const CompareJob& job);

}  // namespace gridiron
