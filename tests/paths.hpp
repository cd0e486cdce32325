// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace gridiron::test {

/// Where things lie: as built, or as the environment says (a relocated bundle sets these variables).
inline std::string place(const char* variable, const char* built) {
  const char* set = std::getenv(variable);
  return set && *set ? set : built;
}
inline std::filesystem::path data_dir() { return place("GRIDIRON_DATA_DIR", GRIDIRON_DATA_DIR); }
inline std::filesystem::path tests_dir() { return place("GRIDIRON_TESTS_DIR", GRIDIRON_TESTS_DIR); }
inline std::string tool() { return place("GRIDIRON_BINARY", GRIDIRON_BINARY); }

/// A path of this process alone: tests run side by side.
inline std::filesystem::path temporary(const std::string& name) {
  return std::filesystem::temp_directory_path() / ("gridiron_" + std::to_string(::getpid()) + "_" + name);
}

}  // namespace gridiron::test
