// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "app/commands.hpp"
#include "app/number_checks.hpp"
#include "netlist/generator.hpp"

namespace gridiron {

void add_generate_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("generate", "synthetic netlists of any size");
  auto options = std::make_shared<GeneratorOptions>();
  auto out = std::make_shared<std::string>("-");
  command->add_option("OUT", *out, "deck to write; '-' is standard output")->capture_default_str();
  command->add_option("--style", options->style, "ibm (paired VDD and GND meshes) or openroad (rails and straps)")
      ->capture_default_str();
  command->add_option("--nodes", options->nodes, "number of nodes")
      ->check(whole_number(1, INT32_MAX))
      ->capture_default_str();
  command->add_option("--layers", options->layers, "metal layers per net (default: depends on the style)");
  command->add_option("--nets", options->nets, "VDD islands (ibm) or nets (openroad) (default: depends on the style)");
  command->add_option("--seed", options->seed, "the same options and seed give the same bytes")
      ->check(whole_number(0, INT64_MAX))
      ->capture_default_str();
  command->add_flag("--tran", options->transient, "pulse loads, capacitors, pad inductors and a .tran card");
  command->add_option("--via-defects", options->via_defects, "fraction of vias with 100 times their resistance, 0 to 1")
      ->capture_default_str();
  command->callback([options, out, &exit_code] {
    generate(*options, *out);
    exit_code = 0;
  });
}

}  // namespace gridiron
