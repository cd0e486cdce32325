// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "support/output_path.hpp"

namespace gridiron {

/// A deck being written: plain, or compressed as its name says (.gz, .bz2, .xz, .zst). Atomic, see OutputFile.
class DeckFile {
 public:
  /// Errors: ResourceError.
  explicit DeckFile(const OutputPath& path);
  ~DeckFile();
  DeckFile(const DeckFile&) = delete;
  DeckFile& operator=(const DeckFile&) = delete;

  /// Errors: ResourceError.
  void write(std::string_view text);
  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    line_.clear();
    fmt::format_to(std::back_inserter(line_), format, std::forward<Args>(args)...);
    write(line_);
  }
  void commit();

 private:
  class Stream;
  std::unique_ptr<Stream> stream_;
  std::string line_;
};

}  // namespace gridiron
