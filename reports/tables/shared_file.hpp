// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "engines/communicator.hpp"
#include "support/output_path.hpp"

namespace gridiron {

using TakeText = std::function<void(std::string_view)>;
using PassText = std::function<void(const TakeText& take)>;

/// Writes a file with all processes, one part after the other in their order, each beside the others. `pass` passes
/// the text of this process on, in pieces; it is called twice, first to count, or once for a .zst file, whose bytes are
/// kept until all are counted. The file is written beside `path`, and
/// the first process gives it its name once all are done. Errors, on all processes: ResourceError.
void write_shared_file(const Communicator& all, const OutputPath& path, const PassText& pass);

}  // namespace gridiron
