// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "analysis/ir/findings.hpp"
#include "app/analysis_options.hpp"
#include "app/commands.hpp"
#include "netlist/reader.hpp"
#include "reports/escape.hpp"

namespace gridiron {
namespace {

constexpr const char* kSeverity[] = {"info", "warning", "error"};

int run_check(const NetlistArguments& arguments) {
  IrOptions options;
  arguments.apply(options);
  const Circuit circuit = read_netlist(arguments.netlist, arguments.read_options());
  CheckResult result = check_netlist(circuit, options);
  spell_fields(result.findings);
  for (const Finding& f : result.findings)
    fmt::print("{}: {} [{}]{}{}\n", kSeverity[static_cast<int>(f.severity)], printable(f.message), f.code,
               f.place.empty() ? "" : " ", printable(f.place));
  fmt::print("{} nodes, {} resistors, {} current sources, {} voltage sources, {} capacitors, {} inductors\n",
             result.nodes, circuit.resistors.size(), circuit.current_sources.size(), circuit.voltage_sources.size(),
             circuit.capacitors.size(), circuit.inductors.size());
  if (result.parts > 0)
    fmt::print("{} connected parts, {} of them floating; nets: {}\n", result.parts, result.floating_parts,
               printable(fmt::format("{}", fmt::join(result.nets, ", "))));
  fmt::print("{}\n", result.findings.empty() ? "no findings" : fmt::format("{} findings", result.findings.size()));
  throw_first_error(result.findings);
  return 0;
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "findings only: islands, missing sources, source loops, odd cards");
  auto arguments = std::make_shared<NetlistArguments>();
  arguments->add_to(*command);
  command->callback([arguments, &exit_code] { exit_code = run_check(*arguments); });
}

}  // namespace gridiron
