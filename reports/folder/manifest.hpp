// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace gridiron {

/// manifest.json: what a run has written into its folder, schema gridiron.manifest/1
/// (reports/schema/gridiron.manifest-1.schema.json). The run writes it anew before each file gets its name, and last
/// of all when it is complete; so it tells an interrupted run from a whole one. No time is in it.
struct Manifest {
  struct File {
    int64_t bytes = 0;
    std::string sha256 = {};
  };
  std::string command;
  bool is_complete = false;
  std::map<std::string, File> files = {};  ///< by name

  static constexpr const char* kName = "manifest.json";

  std::string text() const;
};

/// The manifest of a folder; none where there is no such file. It may come from anywhere: names are those of files in
/// the folder itself. Errors: InputError that begins with the file, also where it is no manifest of ours.
std::optional<Manifest> read_manifest(const std::filesystem::path& folder);

/// What is wrong with a listed file, in words that follow its name; empty if it is as it was written. Missing files
/// are not wrong. Symbolic links are not followed.
std::string fault_of(const std::filesystem::path& path, const Manifest::File& file);

}  // namespace gridiron
