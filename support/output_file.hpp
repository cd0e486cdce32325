// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gridiron {

/// A file that appears whole or not at all: written without a name where the file system can (so that even a killed
/// process leaves nothing), else beside its final place; named by commit(). Every failure (disk full, no permission) is
/// a ResourceError that names the file.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Buffered; any size.
  void write(std::string_view text);

  /// Flushes and gives the file its name, replacing an older one.
  void commit();

  const std::filesystem::path& path() const { return path_; }

 private:
  void flush();
  void discard();
  [[noreturn]] void fail(const char* what);

  std::filesystem::path path_;
  std::filesystem::path beside_;
  bool is_named_ = false;  ///< beside_ exists
  int fd_ = -1;
  std::string buffer_;
};

/// Makes a folder for reports and those above it. Errors: ResourceError.
void make_directory(const std::filesystem::path& directory);

/// A folder for reports, made at once, so that a place where nothing can be written is found before the work. What it
/// made goes away with it unless something lies there by then. No path, no folder.
class OutputFolder {
 public:
  explicit OutputFolder(const std::filesystem::path& path);  ///< Errors: ResourceError.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

 private:
  std::vector<std::filesystem::path> made_;  ///< innermost first
};

/// Writes `text` as the whole content of `path`, atomically.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace gridiron
