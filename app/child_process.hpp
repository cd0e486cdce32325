// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gridiron {

/// A file without a name: it goes away with this object, however the process ends. Children reach it by inheritance.
class UnnamedFile {
 public:
  UnnamedFile();  ///< in the folder for temporary files; ResourceError when that is full or closed to us
  ~UnnamedFile();
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// Where a child finds the file that run_self() shares with it.
inline constexpr const char* kSharedFile = "/proc/self/fd/3";

/// How a child ended and what it said.
struct ChildOutcome {
  bool timed_out = false;
  int signal = 0;          ///< that ended it, 0 when it went by itself
  int exit_code = 0;       ///< when it went by itself
  std::string out, error;  ///< its standard output and standard error
};

/// Runs this executable with other arguments and waits for its end, at most `timeout_s` seconds; then it is killed.
/// `input` is its standard input. Errors: ResourceError when no process can be started.
ChildOutcome run_self(const std::vector<std::string>& arguments, std::string_view input, const UnnamedFile& shared,
                      double timeout_s);

/// For the child: be killed when the parent dies.
void die_with_parent();

}  // namespace gridiron
