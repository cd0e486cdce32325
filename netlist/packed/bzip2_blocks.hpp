// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "netlist/packed/unpacked_text.hpp"

namespace gridiron {

/// The blocks of a .bz2 file, which can be unpacked apart from each other. They begin at any bit, with a 48-bit mark
/// that the bits of a block may contain by chance; the checksum of a stream tells whether its marks are those of
/// blocks.
class Bzip2Blocks {
 public:
  /// Nothing if the file does not read as streams of blocks from the beginning to the end, each with the checksum of
  /// its blocks' checksums.
  static std::optional<Bzip2Blocks> find(std::string_view data);

  size_t pieces() const { return block_.size(); }
  /// The byte in which a block begins.
  size_t begin(size_t piece) const;
  /// Blocks first … last − 1, by all threads. Errors: DamagedPacking, UnpackingLimit::Exceeded.
  UnpackedText unpack(size_t first, size_t last, UnpackingLimit& limit) const;

 private:
  struct Block {
    size_t begin, end;  ///< bits
  };
  explicit Bzip2Blocks(std::string_view data) : data_(data) {}

  std::string_view data_;
  std::vector<Block> block_;
};

}  // namespace gridiron
