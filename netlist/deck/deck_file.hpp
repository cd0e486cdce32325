// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

namespace gridiron {

/// A deck being written: plain, or compressed as its name says (.gz, .bz2, .xz, .zst). Atomic, see OutputFile.
class DeckFile {
 public:
  /// Errors: ResourceError.
  explicit DeckFile(const std::filesystem::path& path);
  ~DeckFile();
  DeckFile(const DeckFile&) = delete;
  DeckFile& operator=(const DeckFile&) = delete;

  /// Errors: ResourceError.
  void write(std::string_view text);
  void commit();

 private:
  class Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace gridiron
