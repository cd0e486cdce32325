// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace gridiron {

/// The text of one input file: memory-mapped when plain, unpacked when compressed (.gz, .bz2, .xz, .zst, told by
/// content).
class SourceText {
 public:
  /// Opens `path`; "-" is standard input. What another netlist includes must be a regular file. Errors: InputError
  /// (missing, unreadable, damaged, unpacks to a bomb).
  static std::shared_ptr<const SourceText> open(const std::string& path, bool included = false);
  /// Wraps text in memory under a name.
  static std::shared_ptr<const SourceText> from_string(std::string text, std::string name);

  virtual ~SourceText() = default;
  std::string_view text() const { return text_; }
  const std::string& path() const { return path_; }
  std::int64_t bytes_on_disk() const { return bytes_on_disk_; }

  struct Place {
    std::int64_t line, column;  ///< both from 1
  };
  Place place(std::uint64_t offset) const;
  /// "path:line:column"
  std::string describe(std::uint64_t offset) const;

 protected:
  std::string_view text_;
  std::string path_;
  std::int64_t bytes_on_disk_ = 0;

 private:
  mutable std::once_flag indexed_;
  mutable std::vector<std::int64_t> newlines_before_;  ///< every kIndexStep bytes, made when a place is first asked for
};

}  // namespace gridiron
