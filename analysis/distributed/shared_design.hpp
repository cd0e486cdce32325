// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "analysis/distributed/local_circuit.hpp"
#include "analysis/model/design.hpp"
#include "analysis/model/system.hpp"

namespace gridiron::distributed {

/// What a process holds of a power grid. The design is of its local circuit; parts, systems, nets and layers have the
/// numbers that all processes give them, and merged nodes of others come after its own.
struct SharedDesign {
  std::shared_ptr<LocalCircuit> local;
  std::shared_ptr<const Design> design;
  System::Shared shared;          ///< refers to `local` and the communicator
  std::vector<Finding> findings;  ///< of all processes, on the first one
};

/// Errors, on all processes: those of make_design() and Design::throw_first_error().
SharedDesign make_shared_design(const Communicator& all, LocalCircuit local, const DesignOptions& options);

}  // namespace gridiron::distributed
