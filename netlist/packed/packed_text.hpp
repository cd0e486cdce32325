// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/iostreams/device/mapped_file.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "netlist/packed/bzip2_blocks.hpp"
#include "netlist/packed/unpacked_text.hpp"
#include "netlist/packed/zstd_frames.hpp"
#include "netlist/source_text.hpp"

namespace gridiron {

/// Compressed bytes, recognised by content, in pieces that can be unpacked apart from each other: the frames of a .zst
/// file, the blocks of a .bz2 file; a .gz or .xz file is one piece.
class PackedBytes {
 public:
  /// Nothing for plain bytes. `path` is for errors; `data` must stay. Errors: InputError.
  static std::optional<PackedBytes> of(std::string_view data, const std::string& path);

  size_t pieces() const;
  /// Where a piece begins; piece pieces() is the end.
  size_t begin(size_t piece) const;
  /// The text of pieces first … last − 1, unpacked by all threads. Errors: InputError (damaged, decompression bomb).
  UnpackedText unpack(size_t first, size_t last) const;
  UnpackedText unpack() const { return unpack(0, pieces()); }

 private:
  struct Format;
  static const Format kFormats[];

  UnpackedText unpack_stream() const;
  /// What unpack() throws becomes an InputError.
  template <class Unpack>
  void explain_failures(Unpack&& unpack) const;

  std::string_view data_;
  std::string path_;
  const Format* format_ = nullptr;
  std::variant<std::monostate, ZstdFrames, Bzip2Blocks> pieces_;  ///< monostate: one, as a stream
};

/// A compressed file, as processes read it that share a deck.
class PackedText {
 public:
  /// Null for a plain file and for what is no file. Errors: InputError.
  static std::unique_ptr<PackedText> open(const std::string& path);

  const PackedBytes& bytes() const { return *bytes_; }

  /// The text, which is in the plain file `unpacked` now.
  std::shared_ptr<const SourceText> unpacked_in(const std::string& unpacked) const;

 private:
  std::string path_;
  boost::iostreams::mapped_file_source file_;
  std::optional<PackedBytes> bytes_;
};

}  // namespace gridiron
