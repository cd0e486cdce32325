// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/output_path.hpp"

namespace gridiron {

class BlockSha256;
class ZstdWriter;

/// A file that is written atomically: unnamed until commit() where the file system supports that (so that even a killed
/// process leaves nothing behind), otherwise under a temporary name next to its final path. A symbolic link stays, and
/// the file it points to is replaced; devices and pipes are written to as they are. Errors name the file: InputError
/// where require_file_name() throws it, ResourceError for all else (disk full, no permission). A name that ends in .zst
/// has the file compressed, see ZstdWriter. The list of its path, if there is one, is told of it with the checksum of
/// what was written.
class OutputFile {
 public:
  explicit OutputFile(const OutputPath& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Any size; what is short is buffered.
  void write(std::string_view text);

  /// Whether write() compresses, which takes all threads.
  bool is_compressed() const { return zstd_ != nullptr; }

  /// Flushes the file and gives it its name, replacing an existing one.
  void commit();

  const std::filesystem::path& path() const { return path_; }

 private:
  void write_plain(std::string_view bytes);
  void write_now(std::string_view bytes);
  void flush();
  void discard();
  [[noreturn]] void fail(const char* what);

  std::filesystem::path path_;
  std::filesystem::path target_;  ///< path_ with symbolic links followed
  std::filesystem::path beside_;  ///< target_ until commit(); empty for a device or a pipe
  bool is_named_ = false;         ///< beside_ exists
  int fd_ = -1;
  std::string buffer_;
  std::unique_ptr<ZstdWriter> zstd_;  ///< before the buffer; null for a plain file
  FileList* list_;
  std::unique_ptr<BlockSha256> sum_;  ///< null without a list
  int64_t bytes_ = 0;
};

/// Errors: InputError where no file can have this path, a folder or a place in a folder that does not exist. To be
/// asked before work of which the file is the result.
void require_file_name(const std::filesystem::path& path);

/// Creates a folder for reports, and its parents. Errors: InputError where one of them is a file, ResourceError.
void make_directory(const std::filesystem::path& directory);

/// A folder for reports, created up front, so that an unwritable path is found before the work starts. Removes the
/// folders it created if they are still empty at the end. An empty path creates nothing.
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
void write_file(const OutputPath& path, std::string_view text);

}  // namespace gridiron
