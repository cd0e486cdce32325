// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace gridiron {

/// The processes of a run that mpirun started. Every function but abort() is called by all of them.
class Communicator {
 public:
  using Bytes = std::vector<char>;

  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int count() const = 0;
  /// For Context::communicator.
  virtual void* handle() const = 0;

  /// Sends `to[p]` to process p, and returns what each of them sent here; any size.
  virtual std::vector<Bytes> all_to_all(std::vector<Bytes> to) const = 0;
  /// What each process passes.
  virtual std::vector<Bytes> gather(std::span<const char> mine) const = 0;
  /// Entry by entry the sum, or the largest, of what the processes pass.
  virtual void sum(std::span<double> values) const = 0;
  virtual void largest(std::span<double> values) const = 0;

  /// Whether all processes call this before `seconds` are over; what else they may wait for does not matter. At the end
  /// of a run only: who gave up is not waited for again.
  virtual bool all_arrive(double seconds) const = 0;

  /// Ends all processes at once.
  [[noreturn]] virtual void abort(int exit_code) const = 0;
};

/// The processes that mpirun started together with this one; null if there are none. Errors: ResourceError.
std::unique_ptr<Communicator> join_mpirun();

/// How many processes mpirun started, this one included; 1 if it did not start this one. Loads nothing.
int processes_of_mpirun();

}  // namespace gridiron
