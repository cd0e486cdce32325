// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "netlist/unpacked_text.hpp"

namespace gridiron {

/// The blocks of a .bz2 file, which can be unpacked apart from each other. They begin at any bit, with a 48-bit mark
/// that the bits of a block may contain by chance, so that what follows one need not be a block.
class Bzip2Blocks {
 public:
  /// Nothing if the file does not read as streams of blocks from the beginning to the end.
  static std::optional<Bzip2Blocks> find(std::string_view data);

  std::size_t pieces() const { return block_.size(); }
  /// The byte in which a block begins.
  std::size_t begin(std::size_t piece) const;
  /// Blocks first … last − 1, by all threads. Errors: DamagedPacking if one is damaged or none, or if all are asked for
  /// and the checksum of a stream is wrong; UnpackingLimit::Exceeded.
  UnpackedText unpack(std::size_t first, std::size_t last, UnpackingLimit& limit) const;

 private:
  struct Block {
    std::size_t begin, end;  ///< bits
  };
  struct Stream {
    std::size_t last_block;  ///< one past it
    std::uint32_t checksum;
  };

  explicit Bzip2Blocks(std::string_view data) : data_(data) {}
  void check_streams() const;

  std::string_view data_;
  std::vector<Block> block_;
  std::vector<Stream> stream_;
};

}  // namespace gridiron
