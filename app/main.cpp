// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <omp.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "app/command_line.hpp"
#include "app/session/analysis_options.hpp"
#include "support/freed_memory.hpp"
#include "support/parallel.hpp"

namespace {

/// A standard stream that is closed would give its number to the next file opened: what is printed would go into it.
/// Closed ones become streams that nothing can be read from or written to.
void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // the lowest number that is free: this one
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond `ulimit -f` fails like one to a full disk
  gridiron::keep_freed_memory();
  gridiron::use_threads(omp_get_max_threads());  // OMP_NUM_THREADS may ask for any number
  const int code = gridiron::run_command_line(argc, argv);
  gridiron::give_back_freed_memory();
  return code;
}
