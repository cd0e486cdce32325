// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "app/commands.hpp"
#include "app/option_name.hpp"
#include "reports/escape.hpp"
#include "support/error.hpp"

namespace {

/// The one place where exceptions become messages and exit codes.
int report_failure() {
  const auto say = [](const std::string& message, gridiron::ExitCode code) {
    fmt::print(stderr, "gridiron: {}\n", gridiron::printable(message));
    return static_cast<int>(code);
  };
  try {
    throw;
  } catch (const gridiron::Error& e) {
    return say(gridiron::spelled(e.message(), gridiron::option_name), e.code());
  } catch (const std::bad_alloc&) {
    return say("out of memory; use a machine with more, or an engine that needs less",
               gridiron::ExitCode::out_of_resources);
  } catch (const std::exception& e) {
    return say(fmt::format("internal error: {}; please report it with the netlist", e.what()),
               gridiron::ExitCode::out_of_resources);
  }
}

/// Re-executes with environment variables that libgomp, glibc and OpenBLAS read before main. By default OpenMP threads
/// spin while waiting, which makes short parallel loops several times slower on a busy machine; not spinning at all
/// costs more than the kernels of small grids. OpenBLAS would start a thread per core before main, none of which is
/// needed. Huge pages for large arrays avoid page faults.
void start_again_with_better_defaults(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY")) return;
  ::setenv("OMP_WAIT_POLICY", "passive", 0);
  ::setenv("GOMP_SPINCOUNT", "1000", 0);
  ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
  ::setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 0);
  ::execv("/proc/self/exe", argv);  // returns only on failure; then continue with the defaults
}

}  // namespace

int main(int argc, char** argv) {
  start_again_with_better_defaults(argv);
  CLI::App app("Gridiron: IR drop of on-chip power grids, with a certificate of accuracy.");
  app.name("gridiron");
  app.set_version_flag("--version", std::string("gridiron ") + GRIDIRON_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, within limits; 1 a limit is exceeded; 2 wrong usage or invalid input; 3 the grid cannot be\n"
      "analysed; 4 the solver missed the tolerance; 5 out of memory or disk. 'gridiron COMMAND --help' gives details.");
  int exit_code = 0;
  gridiron::add_ir_command(app, exit_code);
  gridiron::add_check_command(app, exit_code);
  gridiron::add_generate_command(app, exit_code);
  gridiron::add_pde_command(app, exit_code);
  gridiron::add_compare_command(app, exit_code);
  gridiron::add_regularize_command(app, exit_code);
  gridiron::add_engines_command(app, exit_code);
  gridiron::add_compare_worker_command(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    exit_code = app.exit(e);
  } catch (const CLI::ParseError& e) {
    fmt::print(stderr, "gridiron: {}; see 'gridiron --help'\n", gridiron::printable(e.what()));
    return static_cast<int>(gridiron::ExitCode::invalid_input);
  } catch (...) {
    return report_failure();
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    fmt::print(stderr, "gridiron: cannot write to standard output; free some space or write elsewhere\n");
    return static_cast<int>(gridiron::ExitCode::out_of_resources);
  }
  return exit_code;
}
