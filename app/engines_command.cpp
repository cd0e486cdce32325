// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/commands.hpp"
#include "engines/engine.hpp"

namespace gridiron {

void add_engines_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("engines", "the solver engines of this build, their devices and parameters");
  command->callback([&exit_code] {
    for (const EngineInfo& engine : engines()) {
      fmt::print("{:<10} {:<10} {}\n", engine.name, engine.devices, engine.about);
      for (const Param& p : engine.defaults())
        fmt::print("    --set {:<20} {}{}\n", fmt::format("{}={}", p.name, p.value), p.meaning,
                   p.unit.empty() ? "" : fmt::format(" [{}]", p.unit));
    }
    exit_code = 0;
  });
}

}  // namespace gridiron
