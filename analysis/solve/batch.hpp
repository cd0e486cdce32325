// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/model/loads.hpp"
#include "analysis/model/system.hpp"
#include "linalg/block.hpp"

namespace gridiron {

/// Columns that are solved for together: injections, A, one per merged node, and room for their voltages, V, measured
/// from System::reference(). Both lie in host memory.
struct Batch {
  Block<const double> injection;
  Block<double> voltage;   ///< holds the initial guess
  bool from_zero = false;  ///< the initial guess is 0, whatever `voltage` holds
  int64_t first = 0;       ///< of its columns among those of the call
  int64_t of_columns = 0;  ///< that the call has
  /// What rounding took from the injections, see find_injection_rest(); as large, or empty.
  Block<const double> injection_rest = {}, injection_undecided = {};
};

/// Arrays that every solve fills anew; kept between solves, as mapping memory takes time.
struct Workspace {
  std::vector<double> injection, voltage, injection_rest, injection_undecided;
  System::Scratch scratch;

  /// A batch of load vectors, [first, first + columns), in these arrays; `has_rest`: with what rounding took from them.
  Batch batch(const System& system, const Loads& loads, int64_t first, int64_t columns, bool has_rest);
  int64_t bytes() const;
  void release();
};

/// Load vectors in a batch: enough to share the passes over the matrix, few enough for their memory.
int64_t columns_of_batch(int64_t nodes);

}  // namespace gridiron
