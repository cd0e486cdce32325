// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <vector>

#include "analysis/results/instances.hpp"
#include "analysis/run/verdict.hpp"
#include "reports/lookup.hpp"
#include "reports/text/brief_parts.hpp"
#include "reports/text/em_text.hpp"
#include "reports/text/engine_lines.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/insight_text.hpp"
#include "reports/text/ledger_lines.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/ranking.hpp"
#include "reports/text/text_parts.hpp"
#include "reports/text/text_table.hpp"
#include "reports/tran_report.hpp"

namespace gridiron {
namespace {

constexpr size_t kWindows = 40, kScenarios = 20;

void print_simulation(std::string& out, const TranReport& report) {
  print(out, "Simulation   {} to {}, {} of {}{}, {}{}{}\n", name_of(report.method), seconds(report.stop_s),
        count_of(report.steps, "step"), seconds(report.largest_step_s),
        report.sizes > 1 ? fmt::format(" and less ({} sizes)", report.sizes) : "",
        count_of(report.scenarios, "scenario"), report.is_from_initial_conditions ? "; from initial conditions" : "",
        report.start_s > 0 ? fmt::format("; results from {} on", seconds(report.start_s)) : "");
}

void print_run(std::string& out, const TranReport& report) {
  const IrReport& worst = report.worst;
  const InputCounts& counts = worst.input;
  print(out, "Gridiron {}\n", GRIDIRON_VERSION);
  print(out, "Input        {}: {}, {}, {}, {}, {}, {}, {}\n", printable(worst.input_path),
        byte_count(worst.input_bytes), count_of(counts.nodes, "node"), count_of(counts.resistors, "resistor"),
        count_of(report.capacitors, "capacitor"), count_of(report.inductors, "inductor"),
        count_of(counts.current_sources, "current source"), count_of(counts.voltage_sources, "voltage source"));
  out += ledger_lines(worst.ledger, worst.circuit && worst.circuit->made_names ? "statement" : "card");
  print_simulation(out, report);
  print(out, "Reduction    {}, {} at the operating point\n", count_of(worst.reduced.unknowns, "unknown"),
        count_of(worst.reduced.nonzeros, "nonzero"));
  out += engine_lines(worst.engine, worst.solve);
  if (!is_direct(worst.engine) || report.iterations > 0)
    print(out, "             all steps: {}, at most {} in one\n", count_of(report.iterations, "iteration"),
          report.most_iterations);
}

void print_accuracy(std::string& out, const TranReport& report) {
  const auto& accuracy = report.accuracy;
  if (!accuracy.is_bounded)
    print(out, "Certificate  NONE: the error of some solution could not be bounded\n");
  else
    print(out,
          "{}  {} within {}, every step within {} of its exact solution;\n"
          "             all steps together within {} ({})\n",
          accuracy.is_estimated ? "Estimate   " : "Certificate",
          report.is_from_initial_conditions ? "start" : "operating point", volts(accuracy.operating_point_v),
          volts(accuracy.step_v), volts(accuracy.accumulated_v),
          accuracy.is_guaranteed ? "guaranteed" : "the sum, an estimate");
  if (!accuracy.is_met)
    print(out, "             TOLERANCE NOT REACHED: asked for {} in every step\n", volts(accuracy.tolerance_v));
  print(out, "Time error   {} in a single step, estimated from the steps before\n", volts(accuracy.local_time_error_v));
  if (accuracy.accumulated_time_error_v)
    print(out, "             {} over all steps, the difference from a simulation {}\n",
          volts(*accuracy.accumulated_time_error_v),
          report.method == Method::trapezoidal ? "in steps twice as long" : "by the trapezoidal rule");
  print(out, "Charge       supplied minus drawn minus stored: {}\n", with_unit(report.charge.imbalance_c(), "C"));
}

std::string scenario_name(const TranReport& report, int32_t scenario) {
  return printable(report.by_scenario[scenario].name);
}

/// A cell that is shown only where there are several scenarios.
void add_scenario(const TranReport& report, std::vector<std::string>& row, std::string cell) {
  if (report.scenarios > 1) row.push_back(std::move(cell));
}

std::vector<size_t> all_nets(const TranReport& report) {
  std::vector<size_t> nets(report.nets.size());
  std::iota(nets.begin(), nets.end(), size_t{0});
  return nets;
}

void print_nets(std::string& out, const TranReport& report, std::span<const size_t> nets) {
  const IrReport& worst = report.worst;
  std::vector<std::string> header = {"net", "", "worst>", "of supply>", "at>"};
  add_scenario(report, header, "scenario");
  header.insert(header.end(), {"node", "p50>", "p99>", "overshoot>", "nodes>", "pads>"});
  TextTable table(std::move(header));
  for (const size_t k : nets) {
    const NetResult& net = worst.nets[k];
    std::vector<std::string> row = {printable(net.name), word_for(net), volts(net.worst_drop_v),
                                    percent(net, net.worst_drop_v), seconds(report.worst_time_s[net.worst_node])};
    add_scenario(report, row, scenario_name(report, report.worst_scenario[net.worst_node]));
    row.insert(row.end(),
               {printable(node_name(worst, net.worst_node)), volts(net.percentiles_v.p50), volts(net.percentiles_v.p99),
                volts(report.nets[k].overshoot_v), grouped(net.nodes), grouped(net.pads)});
    table.add(std::move(row));
  }
  print(out, "\nNets{}, every node at its worst moment\n{}",
        nets.size() < worst.nets.size() ? fmt::format(", {} of {}", nets.size(), grouped(std::ssize(worst.nets))) : "",
        table.str());
}

/// Those of largest drop first.
void print_scenarios(std::string& out, const TranReport& report) {
  if (report.scenarios < 2) return;
  struct Row {
    size_t scenario, net;
    double drop;
  };
  std::vector<Row> rows;
  for (size_t j = 0; j < report.by_scenario.size(); ++j)
    for (size_t k = 0; k < report.nets.size(); ++k) rows.push_back({j, k, report.by_scenario[j].nets[k].worst_drop_v});
  std::ranges::stable_sort(rows, std::ranges::greater(), &Row::drop);
  TextTable table({"scenario", "net", "worst>", "at>", "node"});
  for (size_t k = 0; k < std::min(kScenarios, rows.size()); ++k) {
    const ScenarioResult& scenario = report.by_scenario[rows[k].scenario];
    const ScenarioNet& net = scenario.nets[rows[k].net];
    table.add({printable(scenario.name), printable(report.worst.nets[rows[k].net].name), volts(net.worst_drop_v),
               seconds(net.time_s), printable(node_name(report.worst, net.worst_node))});
  }
  print(out, "\nScenarios, worst first{}\n{}",
        rows.size() > kScenarios ? fmt::format(", {} of {} rows", kScenarios, rows.size()) : "", table.str());
}

void print_nodes(std::string& out, const TranReport& report) {
  const IrReport& worst = report.worst;
  const std::vector<std::vector<NodeId>> nodes = worst_nodes(worst, kWorstNodesPerNet);
  for (size_t net = 0; net < nodes.size(); ++net) {
    if (nodes[net].empty()) continue;
    std::vector<std::string> header = {"node", "worst>", "at>"};
    add_scenario(report, header, "scenario");
    header.insert(header.end(), {"average>", "rms>", "overshoot>"});
    TextTable table(std::move(header));
    for (const NodeId n : nodes[net]) {
      std::vector<std::string> row = {printable(node_name(worst, n)), volts(worst.nodes.drop_v[n]),
                                      seconds(report.worst_time_s[n])};
      add_scenario(report, row, scenario_name(report, report.worst_scenario[n]));
      row.insert(row.end(),
                 {volts(report.average_drop_v[n]), volts(report.rms_drop_v[n]), volts(report.overshoot_v[n])});
      table.add(std::move(row));
    }
    print(out, "\nWorst nodes of {} ({})\n{}", printable(worst.nets[net].name), word_for(worst.nets[net]), table.str());
  }
}

void print_windows(std::string& out, const TranReport& report) {
  if (report.windows.empty()) return;
  TextTable table({"from>", "to>", "net", "worst>", "at>", "node"});
  for (size_t k = 0; k < std::min(kWindows, report.windows.size()); ++k) {
    const WindowResult& window = report.windows[k];
    table.add({seconds(window.begin_s), seconds(window.end_s), printable(net_name(report.worst, window.net)),
               volts(window.worst_drop_v), seconds(window.time_s),
               printable(node_name(report.worst, window.worst_node))});
  }
  print(out, "\nWindows{}\n{}",
        report.windows.size() > kWindows ? fmt::format(", the first {} of {}", kWindows, report.windows.size()) : "",
        table.str());
}

void print_pads(std::string& out, const TranReport& report) {
  TextTable table({"pad", "net", "peak>", "at>", "rms>", "average>"});
  for (size_t k = 0; k < std::min(kRowsOfText, report.pads.size()); ++k) {
    const PadOverTime& pad = report.pads[k];
    table.add({printable(report.worst.pads[k].name), printable(net_name(report.worst, report.worst.pads[k].net)),
               amperes(pad.peak_a), seconds(pad.peak_time_s), amperes(pad.rms_a), amperes(pad.average_a)});
  }
  if (!report.pads.empty())
    print(out, "\nPads of largest peak current, of {}\n{}", grouped(std::ssize(report.pads)), table.str());
}

/// Of the nets that a page has room for.
void print_worst_places(std::string& out, const TranReport& report, std::span<const size_t> nets) {
  const IrReport& worst = report.worst;
  std::vector<std::string> header = {"net", "hot spot", "layer", "worst>", "at>"};
  add_scenario(report, header, "scenario");
  header.insert(header.end(), {"average>", "rms>"});
  TextTable table(std::move(header));
  for (size_t k = 0; k < std::min(nets.size(), kNetsWithPlaces); ++k) {
    size_t left = places_per_net(nets.size());
    for (const HotSpot& spot : worst.hot_spots) {
      if (spot.net != static_cast<int32_t>(nets[k]) || left == 0) continue;
      --left;
      const NodeId n = spot.node;
      std::vector<std::string> row = {printable(worst.nets[nets[k]].name), printable(node_name(worst, n)),
                                      name_or_dash(layer_name(worst, worst.nodes.layer[n])),
                                      volts(worst.nodes.drop_v[n]), seconds(report.worst_time_s[n])};
      add_scenario(report, row, scenario_name(report, report.worst_scenario[n]));
      row.insert(row.end(), {volts(report.average_drop_v[n]), volts(report.rms_drop_v[n])});
      table.add(std::move(row));
    }
  }
  if (!worst.hot_spots.empty()) out += "\n" + table.str();
}

void print_causes(std::string& out, const TranReport& report) {
  const std::string scenario =
      report.scenarios > 1 ? fmt::format(" in scenario {}", scenario_name(report, report.moment.scenario)) : "";
  out += explanation_lines(report.moment.grid,
                           fmt::format(" at {}{}, the worst moment", seconds(report.moment.time_s), scenario));
}

std::string next_step(const TranReport& report) {
  const Verdict verdict = verdict_of(report.worst);
  const bool is_explained = !report.moment.grid.explanations.empty();
  const char* const next =
      verdict.exceeded() > 0 && is_explained ? "gridiron ir with the same deck tells how much of it is static"
      : verdict.exceeded() > 0 ? "--why worst tells causes, gridiron ir with the same deck how much of it is static"
      : verdict.needs_tolerance() && verdict.needs_steps() ? "a smaller --tolerance and --step may decide it"
      : verdict.needs_tolerance()                          ? "a smaller --tolerance may decide it"
      : verdict.needs_steps()                              ? "a smaller --step may decide it"
      : verdict.outcome() == Verdict::Outcome::undecided
          ? "what leaves limits undecided is told with them, and by the findings"
      : verdict.all() == 0 ? "--limit worst=8% judges the drops"
                           : "--step with half of it tells what the steps leave out";
  return fmt::format("Next         {}\n", next);
}

}  // namespace

std::string brief_tran_text(const TranReport& report, const WrittenReports& written) {
  const IrReport& worst = report.worst;
  const InputCounts& counts = worst.input;
  const std::vector<size_t> nets = nets_by_need(worst);
  std::string out = verdict_line(worst) + next_step(report);
  out += input_lines(
      worst, fmt::format("{}, {}, {}, {}", count_of(counts.nodes, "node"), count_of(counts.resistors, "resistor"),
                         count_of(report.capacitors, "capacitor"), count_of(report.inductors, "inductor")));
  print_simulation(out, report);
  std::vector<size_t> shown(nets.begin(), nets.begin() + std::min(nets.size(), kShownNets));
  std::ranges::sort(shown);
  print_nets(out, report, shown);
  out += limits_text(worst, kShownLimits);
  print_worst_places(out, report, nets);
  out += em_lines(worst);
  print_causes(out, report);
  print_scenarios(out, report);
  print_windows(out, report);
  out += first_findings(worst) + "\n";
  print_accuracy(out, report);
  return out + closing_lines(worst, written);
}

std::string tran_text(const TranReport& report) {
  std::string out;
  print_run(out, report);
  print_accuracy(out, report);
  print_nets(out, report, all_nets(report));
  out += limits_text(report.worst);
  out += em_lines(report.worst);
  print_scenarios(out, report);
  print_windows(out, report);
  print_causes(out, report);
  print_nodes(out, report);
  print_pads(out, report);
  out += instances_text(report.worst, report.instance_time_s);
  out += findings_text(report.worst);
  out += cost_text(report.worst);
  return out;
}

}  // namespace gridiron
