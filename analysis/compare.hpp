// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "engines/params.hpp"

namespace gridiron {

inline constexpr std::string_view kReferenceEngine = "cholmod";  ///< what the others are compared with
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// What engines are compared on: a netlist, or a model problem.
struct CompareCase {
  std::string netlist;  ///< path; empty for a model problem
  bool lenient = false;
  std::string pde;
  std::int64_t size = 0;  ///< of the model problem: points or cells along its longest side

  std::string name() const;
  std::string_view error_unit() const { return netlist.empty() ? "" : "V"; }
};

enum class RunStatus {
  ok,
  not_converged,
  declined,       ///< the engine says that it cannot solve this problem
  invalid_input,  ///< the netlist cannot be read, the model problem does not come in this size
  unanalysable,   ///< the netlist describes no solvable grid
  out_of_memory,  ///< or the device is lost, or no room for the reference solution
  timed_out,
  crashed,
};
std::string_view name_of(RunStatus status);

/// One engine on one case: a row of the comparison. Numbers that are not known are NaN.
struct CompareRun {
  std::string engine, device;
  bool is_reference = false;
  bool requested = true;  ///< the reference runs even when nobody asked for it
  RunStatus status = RunStatus::ok;
  std::string detail;  ///< why the status is not ok, one line

  std::int64_t unknowns = -1, nonzeros = -1;  ///< −1 when the run did not get as far as the matrix
  bool solved = false;                        ///< the engine came back from solve(): everything below is filled
  double setup_s = kUnknown, solve_s = kUnknown, total_s = kUnknown;  ///< medians over the repeats
  int iterations = 0;
  double relative_residual = kUnknown;  ///< ‖b − A x‖₂ / ‖b‖₂ as measured, not as the engine says
  std::int64_t bytes = 0;               ///< memory of the engine
  double max_error = kUnknown;          ///< against the reference
  double mean_error = kUnknown;         ///< mean of the absolute values
  double certified_bound_v = kUnknown;  ///< netlists only (DESIGN.md §5)
  ParamList parameters;                 ///< in force
};

struct CaseRuns {
  CompareCase what;
  std::vector<CompareRun> runs;  ///< the reference first

  /// Total time over the reference's; NaN when one of the two has none.
  double ratio_to_reference(const CompareRun& run) const;
};

struct Comparison {
  double rtol = 1e-8;
  int max_iterations = 500;
  int repeat = 3;
  int threads = 1;
  std::vector<CaseRuns> cases;
};

/// What one process has to measure.
struct CompareJob {
  enum class Reference { none, write, read };

  CompareCase what;
  std::string engine, device;
  Settings settings;
  double rtol = 1e-8;
  int max_iterations = 500;
  int repeat = 3;
  std::string reference_file;  ///< raw doubles: what `write` leaves there and `read` compares with
  Reference reference = Reference::none;
};

/// Reads and assembles the case once, then sets up and solves it `repeat` times from scratch. Failures that a user can
/// cause or meet are rows, not exceptions.
CompareRun measure(const CompareJob& job);

}  // namespace gridiron
