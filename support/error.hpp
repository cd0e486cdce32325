// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "support/field.hpp"

namespace gridiron {

/// Exit codes of the process (README.md); flows branch on them.
enum class ExitCode : int {
  done = 0,
  limit_exceeded = 1,
  invalid_input = 2,
  not_analysable = 3,
  not_converged = 4,
  out_of_resources = 5,
};

/// Every failure that a user can cause or encounter: one line that says what, where and what to do, and the exit code.
/// Options are named by field(), which front ends spell; what() has the bare names.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message)
      : std::runtime_error(spelled(message)), code_(code), message_(message) {}
  ExitCode code() const { return code_; }
  const std::string& message() const { return message_; }  ///< for spelled()
  std::string_view field() const { return leading_field(message_); }

 private:
  ExitCode code_;
  std::string message_;
};

/// Wrong usage, or a file that cannot be read or understood.
struct InputError : Error {
  explicit InputError(const std::string& message) : Error(ExitCode::invalid_input, message) {}
};

/// The netlist is well-formed but describes no solvable grid.
struct GridError : Error {
  explicit GridError(const std::string& message) : Error(ExitCode::not_analysable, message) {}
};

/// The engine did not reach the tolerance.
struct SolverError : Error {
  explicit SolverError(const std::string& message) : Error(ExitCode::not_converged, message) {}
};

/// A solve ended because a stop was requested (Context::stop).
struct Stopped : SolverError {
  Stopped() : SolverError("stopped on request") {}
};

/// A factorization found no usable pivot for an unknown.
struct SingularMatrix : SolverError {
  SingularMatrix(const std::string& message, int64_t number) : SolverError(message), unknown(number) {}
  int64_t unknown;
};

/// Out of memory or disk space, or the device is lost.
struct ResourceError : Error {
  explicit ResourceError(const std::string& message) : Error(ExitCode::out_of_resources, message) {}
};

}  // namespace gridiron
