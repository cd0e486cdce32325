// SPDX-License-Identifier: Apache-2.0
#include "app/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "support/error_text.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

constexpr size_t kMostOutput = 1 << 20;  ///< of either stream; longer output is truncated
constexpr auto kNap = std::chrono::milliseconds(1);

[[noreturn]] void fail(const char* what, int error) {
  throw resource_error("cannot {}: {}", what, std::strerror(error));
}

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close() {
    if (is_open()) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

struct Pipe {
  Descriptor read, write;
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail("make a pipe", errno);
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
  }
};

/// The text as a file positioned at its beginning: unlike a pipe it holds any amount and needs no reader at the other
/// end.
Descriptor file_of(std::string_view text) {
  Descriptor file(::memfd_create("gridiron", MFD_CLOEXEC));
  if (!file.is_open()) fail("make a file in memory", errno);
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = ::pwrite(file.number(), text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (n < 0) fail("write to a file in memory", errno);
    done += n;
  }
  return file;
}

pid_t spawn_self(const std::vector<std::string>& arguments, const std::array<int, 4>& descriptors) {
  std::vector<char*> argv = {const_cast<char*>("gridiron")};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < static_cast<int>(descriptors.size()); ++i)
    posix_spawn_file_actions_adddup2(&actions, descriptors[i], i);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail("start a process", error);
  return pid;
}

/// Reads what the child has written; closes the pipe at end of file.
void drain(Descriptor& pipe, std::string& text) {
  char buffer[4096];
  const ssize_t n = ::read(pipe.number(), buffer, sizeof buffer);
  if (n < 0 && errno == EINTR) return;
  if (n <= 0) return pipe.close();
  text.append(buffer, std::min(static_cast<size_t>(n), kMostOutput - text.size()));
}

}  // namespace

UnnamedFile::UnnamedFile() {
  std::string path = (std::filesystem::temp_directory_path() / "gridiron-XXXXXX").string();
  descriptor_ = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail("make a temporary file; set TMPDIR to a folder with free space", errno);
  ::unlink(path.c_str());
}

UnnamedFile::~UnnamedFile() { ::close(descriptor_); }

ChildOutcome run_self(const std::vector<std::string>& arguments, std::string_view input, const UnnamedFile& shared,
                      double timeout_s) {
  const Stopwatch watch;
  const Descriptor in = file_of(input);
  Pipe out, error;
  const pid_t pid = spawn_self(arguments, {in.number(), out.write.number(), error.write.number(), shared.descriptor()});
  out.write.close();
  error.write.close();

  ChildOutcome outcome;
  int status = 0;
  const auto out_of_time = [&] { return watch.seconds() > timeout_s; };
  while (!out_of_time() && (out.read.is_open() || error.read.is_open())) {
    pollfd wanted[] = {{out.read.number(), POLLIN, 0}, {error.read.number(), POLLIN, 0}};
    const double left_ms = std::clamp((timeout_s - watch.seconds()) * 1000 + 1, 1.0, 60e3);
    if (::poll(wanted, 2, static_cast<int>(left_ms)) < 0) continue;
    if (wanted[0].revents != 0) drain(out.read, outcome.out);
    if (wanted[1].revents != 0) drain(error.read, outcome.error);
  }
  while (!out_of_time()) {
    if (::waitpid(pid, &status, WNOHANG) == pid) {
      outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
      outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
      return outcome;
    }
    std::this_thread::sleep_for(kNap);
  }
  outcome.timed_out = true;
  ::kill(pid, SIGKILL);
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return outcome;
}

void die_with_parent() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

}  // namespace gridiron
