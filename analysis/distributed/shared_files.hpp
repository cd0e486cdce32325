// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/distributed/processes.hpp"
#include "netlist/source_text.hpp"

namespace gridiron::distributed {

/// Opens the files of a deck on all processes. Each unpacks a part of what is compressed into a nameless file in the
/// folder for temporary ones, which all of them map. Errors, on all of them: InputError; ResourceError.
std::vector<std::shared_ptr<const SourceText>> open_files(const Communicator& all,
                                                          const std::vector<std::string>& paths);

}  // namespace gridiron::distributed
