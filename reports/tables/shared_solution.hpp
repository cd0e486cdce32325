// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/distributed/shared_ir.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// write_solution() of a result that processes share: the same rows in the same order. Each process writes those of the
/// nodes that its part of the netlist names first, into one file beside `path`, which the first one gives its name once
/// all are done. Errors, on all processes: ResourceError.
void write_shared_solution(const Communicator& all, const distributed::SharedIr& result, const OutputPath& path);

}  // namespace gridiron
