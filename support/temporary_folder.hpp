// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace gridiron {

/// A new folder, of a name of its own, for files that nobody keeps; removed at the end with all that is in it. Errors:
/// ResourceError.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace gridiron
