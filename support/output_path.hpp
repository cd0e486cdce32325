// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>

namespace gridiron {

/// Is told of every file that a run writes, from any thread.
class FileList {
 public:
  virtual ~FileList() = default;
  /// Before the file is begun. Errors: InputError if it would replace what is not of this run.
  virtual void begin(const std::filesystem::path& path) = 0;
  /// Once all is written, before the file gets its name. Errors: ResourceError.
  virtual void enter(const std::filesystem::path& path, int64_t bytes, const std::string& sha256) = 0;
};

/// Where to write, and who is to be told of it. A plain path is told to nobody.
class OutputPath {
 public:
  // NOLINTBEGIN(bugprone-forwarding-reference-overload): the requirement excludes OutputPath
  template <class Path>
  requires std::convertible_to<Path, std::filesystem::path> &&
      (!std::same_as<std::remove_cvref_t<Path>, OutputPath>)OutputPath(Path&& path, FileList* list = nullptr)
      : path_(std::forward<Path>(path)), list_(list) {}
  // NOLINTEND(bugprone-forwarding-reference-overload)

  operator const std::filesystem::path&() const { return path_; }
  const std::filesystem::path& path() const { return path_; }
  FileList* list() const { return list_; }

  /// A file in this folder.
  OutputPath operator/(const std::filesystem::path& name) const { return {path_ / name, list_}; }

 private:
  std::filesystem::path path_;
  FileList* list_;  ///< null: nobody
};

}  // namespace gridiron
