// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/paths.hpp"

namespace gridiron::test {

/// Path of a reference file below ../shared/data, or empty.
inline std::string data_file(const std::string& name) {
  const std::filesystem::path path = data_dir() / name;
  return std::filesystem::exists(path) ? path.string() : std::string();
}

}  // namespace gridiron::test

// NOLINTBEGIN(bugprone-macro-parentheses): `variable` is declared
/// Defines `variable` as the path of reference data, or skips the test with a message.
#define GRIDIRON_DATA_OR_SKIP(variable, name)                   \
  const std::string variable = gridiron::test::data_file(name); \
  if (variable.empty()) GTEST_SKIP() << "reference data " << (name) << " not found below " << gridiron::test::data_dir()
// NOLINTEND(bugprone-macro-parentheses)
