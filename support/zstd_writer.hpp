// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace gridiron {

/// Compresses text as .zst on all threads, in frames of 1 MiB of text that know their size and have a checksum. The
/// bytes depend on the text alone; frames can be read apart from each other, and one after the other by every tool.
class ZstdWriter {
 public:
  /// `take` is given the bytes, in pieces.
  explicit ZstdWriter(std::function<void(std::string_view)> take) : take_(std::move(take)) {}

  /// Any size.
  void write(std::string_view text);
  /// Compresses what is left; call it once.
  void finish();

 private:
  void compress(size_t frames);

  std::function<void(std::string_view)> take_;
  std::string text_;  ///< of frames to come
  bool is_empty_ = true;
};

/// Whether a file of this name is written as .zst.
bool names_zstd(std::string_view path);

}  // namespace gridiron
