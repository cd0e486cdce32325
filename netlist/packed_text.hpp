// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/iostreams/device/mapped_file.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "netlist/source_text.hpp"

namespace gridiron {

/// A compressed file in pieces that can be unpacked apart from each other, as processes do that share a deck: the
/// frames of a .zst file; a file of another kind is one piece.
class PackedText {
 public:
  /// Null for a plain file and for what is no file. Errors: InputError.
  static std::unique_ptr<PackedText> open(const std::string& path);

  std::size_t pieces() const { return begin_.size() - 1; }
  /// Where in the file a piece begins; piece pieces() is its end.
  std::size_t begin(std::size_t piece) const { return begin_[piece]; }
  /// The text of pieces first … last − 1. Errors: InputError, see SourceText::open().
  std::string unpack(std::size_t first, std::size_t last) const;

  /// The text, which is in the plain file `unpacked` now.
  std::shared_ptr<const SourceText> unpacked_in(const std::string& unpacked) const;

 private:
  std::string path_;
  boost::iostreams::mapped_file_source file_;
  std::vector<std::size_t> begin_;
};

}  // namespace gridiron
