// SPDX-License-Identifier: Apache-2.0
// The child's side and the parent's side of one measurement. They exchange CBOR, as file names need not be UTF-8 and
// numbers need not be finite, neither of which JSON can represent.
#include "app/compare_worker.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/option_name.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

constexpr const char* kWorker = "compare-worker";

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeckReading, lenient, dialect, top, node_pattern, pads, dbu_per_um, nominal_v)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CompareCase, netlist, reading, pde, size)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CompareJob, what, engine, device, settings, rtol, tolerance_v, max_iterations,
                                   repeat, reference_file, reference)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Param, name, value, unit, meaning)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CompareRun, engine, device, variant, is_reference, requested, status, detail,
                                   unknowns, nonzeros, solved, setup_s, solve_s, total_s, iterations, relative_residual,
                                   bytes, max_error, mean_error, certified_bound_v, parameters)

namespace {

struct Request {
  CompareJob job;
  int threads = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Request, job, threads)

std::string encode(const auto& value) {
  std::string bytes;
  nlohmann::json::to_cbor(nlohmann::json(value), nlohmann::detail::output_adapter<char>(bytes));
  return bytes;
}

/// The row that the child printed, or one derived from its exit status if it printed none.
CompareRun row_of(const ChildOutcome& outcome, double timeout_s) {
  CompareRun run;
  const std::string last_words = outcome.error.substr(0, outcome.error.find('\n'));
  if (outcome.timed_out) {
    run.status = RunStatus::timed_out;
    run.detail = fmt::format("after {} s", timeout_s);
  } else if (outcome.signal != 0) {
    run.status = RunStatus::crashed;
    run.detail = fmt::format("signal {}{}{}", outcome.signal, last_words.empty() ? "" : ": ", last_words);
  } else if (outcome.exit_code == static_cast<int>(ExitCode::done)) {
    const nlohmann::json message = nlohmann::json::from_cbor(outcome.out, true, false);
    if (!message.is_discarded()) return message.get<CompareRun>();
    run.status = RunStatus::crashed;
    run.detail = "it ended without a result";
  } else if (outcome.exit_code == static_cast<int>(ExitCode::out_of_resources)) {
    run.status = RunStatus::out_of_memory;
    run.detail = last_words;
  } else {
    run.status = RunStatus::crashed;
    run.detail = fmt::format("exit code {}{}{}", outcome.exit_code, last_words.empty() ? "" : ": ", last_words);
  }
  return run;
}

/// Libraries may print, so standard output is redirected; only the result goes to the original one.
int take_standard_output() {
  const int result = ::dup(STDOUT_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  return result;
}

[[noreturn]] int work(const NoArguments&) {
  die_with_parent();
  const int result = take_standard_output();
  const Request request = nlohmann::json::from_cbor(std::cin).get<Request>();
  use_threads(request.threads);
  const std::string row = encode(measure(request.job));
  if (::write(result, row.data(), row.size()) != static_cast<ssize_t>(row.size()))
    throw ResourceError("the parent process is gone");
  std::_Exit(0);  // threads of libraries that ran out of memory may never end
}

}  // namespace

CompareRun measure_apart(const CompareJob& job, int threads, const UnnamedFile& reference, double timeout_s) {
  CompareRun run = row_of(run_self({kWorker}, encode(Request{job, threads}), reference, timeout_s), timeout_s);
  run.engine = job.engine;
  run.device = job.device;
  run.detail = spelled(run.detail, option_name);
  return run;
}

ToolCommand compare_worker_command() {
  return Declaration<NoArguments>({.name = kWorker, .is_internal = true}).run_by(work);
}

}  // namespace gridiron
