// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include "app/commands.hpp"
#include "app/number_checks.hpp"
#include "netlist/generator.hpp"

namespace gridiron {
namespace {

struct GenerateArguments : GeneratorOptions {
  std::string out = "-";
};

int run_generate(const GenerateArguments& arguments) {
  generate(arguments, arguments.out);
  return 0;
}

}  // namespace

ToolCommand generate_command() {
  using Args = GenerateArguments;
  Declaration<Args> generate({.name = "generate",
                              .help = "synthetic netlists of any size",
                              .example = "gridiron generate --style openroad --nodes 1000000 --seed 1 big.sp.gz"});
  generate.add(&Args::out, {.field = "deck",
                            .value = "OUT",
                            .help = "deck to write; '-' is standard output",
                            .path = Argument::Path::file,
                            .is_positional = true});
  generate.add(&Args::style, {.field = "style",
                              .value = "STYLE",
                              .help = "ibm (paired VDD and GND meshes) or openroad (rails and straps)",
                              .suggestions = {"ibm", "openroad"}});
  generate.add(
      &Args::nodes,
      {.field = "nodes", .value = "N", .unit = "1", .help = "number of nodes", .check = whole_number(1, INT32_MAX)});
  generate.add(&Args::layers, {.field = "layers",
                               .value = "N",
                               .unit = "1",
                               .help = "metal layers per net",
                               .initial = "depends on the style"});
  generate.add(&Args::nets, {.field = "nets",
                             .value = "N",
                             .unit = "1",
                             .help = "VDD islands (ibm) or nets (openroad)",
                             .initial = "depends on the style"});
  generate.add(&Args::seed, {.field = "seed",
                             .value = "N",
                             .unit = "1",
                             .help = "the same options and seed give the same bytes",
                             .check = whole_number(0, INT64_MAX)});
  generate.add(&Args::transient, {.field = "tran", .help = "pulse loads, capacitors, pad inductors and a .tran card"});
  generate.add(&Args::via_defects, {.field = "via_defects",
                                    .value = "FRACTION",
                                    .unit = "1",
                                    .help = "fraction of vias with 100 times their resistance, 0 to 1",
                                    .initial = "0"});
  return std::move(generate).run_by(run_generate);
}

}  // namespace gridiron
