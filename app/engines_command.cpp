// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/commands.hpp"
#include "engines/engine.hpp"

namespace gridiron {
namespace {

int run_engines(const NoArguments&) {
  for (const EngineInfo& engine : engines()) {
    fmt::print("{:<10} {:<10} {}\n", engine.name, engine.devices, engine.about);
    for (const Param& p : engine.defaults())
      fmt::print("    --set {:<20} {}{}\n", fmt::format("{}={}", p.name, p.value), p.meaning,
                 p.unit.empty() ? "" : fmt::format(" [{}]", p.unit));
  }
  return 0;
}

}  // namespace

ToolCommand engines_command() {
  Declaration<NoArguments> engines({.name = "engines",
                                    .help = "the solver engines of this build, their devices and parameters",
                                    .example = "gridiron engines"});
  return std::move(engines).run_by(run_engines);
}

}  // namespace gridiron
