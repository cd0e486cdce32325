// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/paths.hpp"

namespace gridiron::test {

/// Runs the built tool in its own folder, which is removed after the test.
class Tool : public testing::Test {
 protected:
  Tool() : folder_(temporary("app")) { std::filesystem::create_directories(folder_); }
  ~Tool() override { std::filesystem::remove_all(folder_); }

  struct Outcome {
    int code = -1;  ///< exit code, or 128 + signal
    std::string out, err;
  };

  /// `arguments` pass through the shell; "$T" is the folder, "$G" the tool.
  Outcome shell(const std::string& command) const {
    const std::string line = "cd '" + folder_.string() + "' && T='" + folder_.string() + "' G='" + tool() + "' && (" +
                             command + ") >'" + folder_.string() + ".out' 2>'" + folder_.string() + ".err' </dev/null";
    const int status = std::system(line.c_str());
    Outcome outcome;
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    outcome.out = slurp(folder_.string() + ".out");
    outcome.err = slurp(folder_.string() + ".err");
    std::filesystem::remove(folder_.string() + ".out");
    std::filesystem::remove(folder_.string() + ".err");
    return outcome;
  }
  Outcome gridiron(const std::string& arguments) const { return shell("\"$G\" " + arguments); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  static std::string slurp(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }

  std::filesystem::path folder_;
};

}  // namespace gridiron::test
