// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/distributed/shared_ir.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// write_nodes_csv() of a result that processes share: the same rows in the same order, the worst nodes first. Each
/// process sorts and writes an equal share. Errors, on all processes: ResourceError.
void write_shared_nodes_csv(const Communicator& all, const distributed::SharedIr& result, const OutputPath& path);

}  // namespace gridiron
