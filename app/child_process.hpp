// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gridiron {

/// An unnamed temporary file: it disappears with this object, however the process ends. Children inherit it.
class UnnamedFile {
 public:
  UnnamedFile();  ///< in the directory for temporary files; ResourceError if that is full or not writable
  ~UnnamedFile();
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// The path at which a child finds the file shared by run_self().
inline constexpr const char* kSharedFile = "/proc/self/fd/3";

/// How a child ended, and its output.
struct ChildOutcome {
  bool timed_out = false;
  int signal = 0;          ///< that terminated it, 0 if it exited
  int exit_code = 0;       ///< if it exited
  std::string out, error;  ///< its standard output and standard error
};

/// Runs this executable with other arguments and waits for it to end, killing it after `timeout_s` seconds. `input` is
/// its standard input. Errors: ResourceError if no process can be started.
ChildOutcome run_self(const std::vector<std::string>& arguments, std::string_view input, const UnnamedFile& shared,
                      double timeout_s);

/// Called by the child: makes it die with its parent.
void die_with_parent();

}  // namespace gridiron
