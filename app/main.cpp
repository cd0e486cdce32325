// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <omp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <numeric>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "app/analysis_options.hpp"
#include "app/commands.hpp"
#include "app/option_name.hpp"
#include "reports/escape.hpp"
#include "support/error.hpp"

using gridiron::complain;

namespace {

constexpr const char* kNoOutput = "cannot write to standard output; free some space or write elsewhere";

/// How many letters must be inserted, deleted or replaced to turn one word into the other (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j)
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])}));
  }
  return row.back();
}

/// What to say to a first argument that is no command, such as "ri".
std::optional<std::string> unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return std::nullopt;
  const std::string word = argv[1];
  std::string nearest;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string& name = command->get_name();
    if (name == word) return std::nullopt;
    if (command->get_group().empty()) continue;
    if (nearest.empty() || distance(word, name) < distance(word, nearest)) nearest = name;
  }
  return fmt::format("no command is called '{}'; did you mean '{}'? See 'gridiron --help'", word, nearest);
}

/// "gridiron ir --help" in the middle of an `ir` command line.
std::string help_for(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) return fmt::format("gridiron {} --help", command->get_name());
  return "gridiron --help";
}

/// The one place where exceptions become messages and exit codes.
int report_failure() {
  const auto say = [](const std::string& message, gridiron::ExitCode code) {
    complain(message);
    return static_cast<int>(code);
  };
  try {
    throw;
  } catch (const gridiron::Error& e) {
    return say(gridiron::spelled(e.message(), gridiron::option_name), e.code());
  } catch (const std::bad_alloc&) {
    return say("out of memory; use a machine with more, or an engine that needs less",
               gridiron::ExitCode::out_of_resources);
  } catch (const std::system_error& e) {
    if (std::ferror(stdout)) return say(kNoOutput, gridiron::ExitCode::out_of_resources);
    return say(fmt::format("the system refused: {}; free memory or disk space", e.what()),
               gridiron::ExitCode::out_of_resources);
  } catch (const std::exception& e) {
    return say(fmt::format("internal error: {}; please report it with the netlist", e.what()),
               gridiron::ExitCode::out_of_resources);
  }
}

}  // namespace

int main(int argc, char** argv) {
  gridiron::use_threads(omp_get_max_threads());  // OMP_NUM_THREADS may ask for any number
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
  gridiron::add_diff_command(app, exit_code);
  gridiron::add_regularize_command(app, exit_code);
  gridiron::add_engines_command(app, exit_code);
  gridiron::add_compare_worker_command(app);
  if (const auto message = unknown_command(app, argc, argv)) {
    complain(*message);
    return static_cast<int>(gridiron::ExitCode::invalid_input);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    exit_code = app.exit(e);
  } catch (const CLI::ParseError& e) {
    complain(fmt::format("{}; see '{}'", e.what(), help_for(app)));
    return static_cast<int>(gridiron::ExitCode::invalid_input);
  } catch (...) {
    return report_failure();
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    complain(kNoOutput);
    return static_cast<int>(gridiron::ExitCode::out_of_resources);
  }
  return exit_code;
}
