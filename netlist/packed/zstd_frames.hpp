// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "netlist/packed/unpacked_text.hpp"

namespace gridiron {

/// The frames of a .zst file, which can be unpacked apart from each other; those that decompressors skip belong to the
/// next.
class ZstdFrames {
 public:
  static bool recognises(std::string_view data);

  /// Errors: DamagedPacking if the file ends within a frame, or goes on after the last with something else.
  explicit ZstdFrames(std::string_view data);

  size_t pieces() const { return begin_.size() - 1; }
  size_t begin(size_t piece) const { return begin_[piece]; }
  /// Frames first … last − 1, by all threads. Errors: DamagedPacking, UnpackingLimit::Exceeded.
  UnpackedText unpack(size_t first, size_t last, UnpackingLimit& limit) const;

 private:
  std::string_view data_;
  std::vector<size_t> begin_{0};
};

}  // namespace gridiron
