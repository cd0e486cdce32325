// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace gridiron::test {

/// Paths: as built, or as given by the environment (a relocated bundle sets these variables).
inline std::string place(const char* variable, const char* built) {
  const char* set = std::getenv(variable);
  return set && *set ? set : built;
}
inline std::filesystem::path data_dir() { return place("GRIDIRON_DATA_DIR", GRIDIRON_DATA_DIR); }
inline std::filesystem::path tests_dir() { return place("GRIDIRON_TESTS_DIR", GRIDIRON_TESTS_DIR); }
inline std::string tool() { return place("GRIDIRON_BINARY", GRIDIRON_BINARY); }

/// A path private to this process: tests run in parallel.
inline std::filesystem::path temporary(const std::string& name) {
  return std::filesystem::temp_directory_path() / ("gridiron_" + std::to_string(::getpid()) + "_" + name);
}

}  // namespace gridiron::test
