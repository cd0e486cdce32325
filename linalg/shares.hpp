// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace gridiron {

/// The processes that share a system of equations: each holds some of its rows, and refers to some that others hold.
/// Every function is called by all processes, with spans of the same length unless stated otherwise.
class Shares {
 public:
  virtual ~Shares() = default;

  /// Entry by entry the largest of what the processes pass; NaN is larger than all.
  virtual void largest(std::span<double> values) const = 0;
  /// Entry by entry the sum of what the processes pass.
  virtual void sum(std::span<double> values) const = 0;

  /// How many rows of others those that are here refer to.
  virtual int64_t others() const = 0;
  /// `values`: an entry for each row that is here, then one for each of others(), which this fills in.
  virtual void exchange(std::span<double> values) const = 0;
};

}  // namespace gridiron
