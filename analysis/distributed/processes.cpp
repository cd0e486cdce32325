// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/processes.hpp"

#include <exception>
#include <new>
#include <optional>

#include "support/error.hpp"

namespace gridiron::distributed {
namespace {

bool is_failure_of_all = false;

struct Failure {
  ExitCode code;
  std::string message;
};

std::optional<Failure> failure_of(const std::function<void()>& work) {
  try {
    work();
    return std::nullopt;
  } catch (const Error& e) {
    return Failure{e.code(), e.message()};
  } catch (const std::bad_alloc&) {
    return Failure{ExitCode::out_of_resources, "out of memory; use more machines, or more memory for each process"};
  } catch (const std::exception& e) {
    return Failure{ExitCode::out_of_resources, std::string("internal error: ") + e.what()};
  }
}

}  // namespace

void together(const Communicator& all, const std::function<void()>& work) {
  const std::optional<Failure> mine = failure_of(work);
  if (largest(all, mine ? 1.0 : 0.0) == 0) return;
  Writer message;
  if (mine) {
    message.put(mine->code);
    message.put(mine->message);
  }
  is_failure_of_all = true;
  for (const Communicator::Bytes& bytes : all.gather(message.bytes())) {
    if (bytes.empty()) continue;
    Reader reader(bytes);
    const auto code = reader.take<ExitCode>();
    const std::string text(reader.text());
    switch (code) {
      case ExitCode::invalid_input:
        throw InputError(text);
      case ExitCode::not_analysable:
        throw GridError(text);
      case ExitCode::not_converged:
        throw SolverError(text);
      default:
        throw ResourceError(text);
    }
  }
}

bool failed_together() { return is_failure_of_all; }

}  // namespace gridiron::distributed
