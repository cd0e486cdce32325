// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace gridiron {

/// The text of one input file: memory-mapped if plain, decompressed otherwise (.gz, .bz2, .xz, .zst, recognised by
/// content).
class SourceText {
 public:
  /// Opens `path`; "-" is standard input. Included files must be regular files. Errors: InputError (missing,
  /// unreadable, damaged, decompression bomb).
  static std::shared_ptr<const SourceText> open(const std::string& path, bool included = false);
  /// Wraps text in memory under a name.
  static std::shared_ptr<const SourceText> from_string(std::string text, std::string name);

  virtual ~SourceText() = default;
  std::string_view text() const { return text_; }
  const std::string& path() const { return path_; }
  int64_t bytes_on_disk() const { return bytes_on_disk_; }

  struct Place {
    int64_t line, column;  ///< both from 1
  };
  Place place(uint64_t offset) const;
  /// "path:line:column"
  std::string describe(uint64_t offset) const;

  /// Hands the pages of a mapped file back to the system: what is read again comes from its cache, or from the file.
  virtual void release_pages() const {}

 protected:
  std::string_view text_;
  std::string path_;
  int64_t bytes_on_disk_ = 0;

 private:
  mutable std::once_flag indexed_;
  mutable std::vector<int64_t> newlines_before_;  ///< every kIndexStep bytes, built on first use
};

}  // namespace gridiron
