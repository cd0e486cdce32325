// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/commands.hpp"
#include "app/session/common_arguments.hpp"
#include "app/session/number_checks.hpp"
#include "layout/generate.hpp"
#include "netlist/generator.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

struct GenerateArguments : GeneratorOptions {
  std::string out = "-";
  std::optional<double> routed;
};

constexpr std::array kStyleNames = {"ibm", "openroad", "layout"};
constexpr std::string_view kLayoutStyle = kStyleNames.back();

/// "3/8": the third of eight.
void read_part(GenerateArguments& arguments, const std::string& text) {
  const size_t slash = text.find('/');
  const auto number = [&](const std::string& digits) {
    if (slash == text.npos || !check_whole_number(digits, 1, INT32_MAX).empty())
      throw field_error("part", "{}: expected I/N, such as 1/8 for the first of eight parts", text);
    return std::stoll(digits);
  };
  arguments.part = number(text.substr(0, slash));
  arguments.parts = number(text.substr(slash + 1));
}

void run_layout(const GenerateArguments& arguments) {
  const auto refuse = [](bool is_given, const char* option) {
    if (is_given) throw field_error(option, "style layout has none; leave it out");
  };
  refuse(arguments.nets != 0, "nets");
  refuse(arguments.transient, "tran");
  refuse(arguments.via_defects != 0, "via_defects");
  refuse(arguments.parts != 1 || arguments.part != 1, "part");
  layout::LayoutGeneratorOptions options{
      .components = arguments.nodes, .layers = arguments.layers, .seed = arguments.seed};
  if (arguments.routed) options.routed = *arguments.routed;
  layout::generate_layout(options, arguments.out);
}

int run_generate(const GenerateArguments& arguments) {
  if (arguments.style == kLayoutStyle) {
    run_layout(arguments);
    return 0;
  }
  if (std::ranges::find(kStyleNames, arguments.style) == kStyleNames.end())
    throw field_error("style", "'{}': unknown; choose one of {}", arguments.style, fmt::join(kStyleNames, ", "));
  if (arguments.routed) throw field_error("routed", "style {} has no signal nets; leave it out", arguments.style);
  generate(arguments, arguments.out);
  return 0;
}

}  // namespace

ToolCommand generate_command() {
  using Args = GenerateArguments;
  Declaration<Args> generate({.name = "generate",
                              .help = "synthetic netlists and layouts of any size",
                              .example = "gridiron generate --style openroad --nodes 1000000 --seed 1 big.sp.gz"});
  generate.add(&Args::out, positional(file("deck",
                                           "deck to write; '-' is standard output; of style layout a file"
                                           " .def, with .lef and .power.csv beside it",
                                           "OUT"),
                                      false));
  generate.add(&Args::style,
               {.field = "style",
                .value = "STYLE",
                .help = "ibm (paired VDD and GND meshes), openroad (rails and straps) or layout (LEF and DEF"
                        " of such a grid, with cells and signals)",
                .suggestions = {kStyleNames.begin(), kStyleNames.end()}});
  generate.add(&Args::nodes, whole_number("nodes", "number of nodes; of a layout, of instances", 1, INT32_MAX));
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
  generate.add(&Args::seed, whole_number("seed", "the same options and seed give the same bytes", 0, INT64_MAX));
  generate.add(&Args::transient, {.field = "tran", .help = "pulse loads, capacitors, pad inductors and a .tran card"});
  generate.add(&Args::via_defects, {.field = "via_defects",
                                    .value = "FRACTION",
                                    .unit = "1",
                                    .help = "fraction of vias with 100 times their resistance, 0 to 1",
                                    .initial = "0"});
  generate.add(&Args::routed, {.field = "routed",
                               .value = "FRACTION",
                               .unit = "1",
                               .help = "layout: fraction of signal nets with wires, 0 to 1",
                               .initial = "0.1"});
  generate.add_read_by(read_part, {.field = "part",
                                   .value = "I/N",
                                   .help = "write the I-th of N parts, which joined are the deck",
                                   .initial = "1/1"});
  return std::move(generate).run_by(run_generate);
}

}  // namespace gridiron
