// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "engines/communicator.hpp"
#include "support/output_path.hpp"

namespace gridiron {

using TakeText = std::function<void(std::string_view)>;
using PassText = std::function<void(const TakeText& take)>;

/// Writes a file with all processes, one part after the other in their order, each beside the others. `pass` passes
/// the text of this process on, in pieces; it is called twice, first to count, or once for a .zst file, whose bytes are
/// kept until all are counted. The file is written beside `path`, and the first process gives it its name once all are
/// done. Errors, on all processes: ResourceError.
void write_shared_file(const Communicator& all, const OutputPath& path, const PassText& pass);

/// Passes on `text` and then what append(item, text) adds to it for every item, in pieces of a few MB.
template <class Items, class Append>
void pass_lines(std::string text, const Items& items, const TakeText& take, Append append) {
  constexpr size_t kPiece = size_t{4} << 20;
  for (const auto& item : items) {
    append(item, text);
    if (text.size() < kPiece) continue;
    take(text);
    text.clear();
  }
  take(text);
}

}  // namespace gridiron
