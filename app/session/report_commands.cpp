// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "app/session/common_arguments.hpp"
#include "app/session/pad_gain_arguments.hpp"
#include "app/session/session_commands.hpp"
#include "netlist/tables/budget_table.hpp"
#include "reports/json/fields_json.hpp"
#include "reports/json/insight_json.hpp"
#include "reports/json/json.hpp"
#include "reports/lookup.hpp"
#include "reports/tables/budget_tables.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/insight_text.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/ranking.hpp"
#include "reports/text/text_table.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

struct DropArguments {
  std::string net;
  int count = 10;
};
struct InstanceArguments {
  int count = 10;
};
struct NetArguments {
  std::string net;
};

bool is_wanted(const std::string& net, std::string_view name) { return net.empty() || net == name; }

/// Errors: InputError when the report has no net of this name.
const IrReport& report_on(Console& console, const std::string& net) {
  const IrReport& report = console.session.report();
  if (!net.empty() && std::ranges::find(report.nets, net, &NetResult::name) == report.nets.end())
    throw field_error("net", "{}: the report has no such net", net);
  return report;
}

std::string text_of(const Value& value) { return value.is_string() ? printable(value.get<std::string>()) : "-"; }
std::string volts_of(const Value& value) { return value.is_number() ? with_unit(value.get<double>(), "V") : "-"; }
std::string um_of(const Value& value) { return value.is_number() ? fmt::format("{:.3f}", value.get<double>()) : "-"; }

Value report_ir_drop(Console& console, const DropArguments& arguments) {
  const IrReport& report = report_on(console, arguments.net);
  const auto worst = worst_nodes(report, arguments.count);
  Value rows = Value::array();
  TextTable table({"net", "node", "layer", "x um>", "y um>", "voltage>", "drop>"});
  for (size_t net = 0; net < worst.size(); ++net) {
    if (!is_wanted(arguments.net, report.nets[net].name)) continue;
    for (const NodeId node : worst[net]) {
      rows.push_back(json_node(report, node));
      const Value& row = rows.back();
      table.add({text_of(row["net"]), text_of(row["node"]), text_of(row["layer"]), um_of(row["x_um"]),
                 um_of(row["y_um"]), volts_of(row["voltage_v"]), volts_of(row["drop_v"])});
    }
  }
  console.print(table.str());
  return rows;
}

Value report_layers(Console& console, const NetArguments& arguments) {
  const Value document = json_document(report_on(console, arguments.net));
  Value rows = Value::array();
  TextTable table({"net", "layer", "nodes>", "worst>", "average>", "worst node"});
  for (const Value& net : document["nets"]) {
    if (!is_wanted(arguments.net, net["name"].get<std::string>())) continue;
    for (const Value& layer : net["layers"]) {
      Value row = {{"net", net["name"]}, {"layer", layer["name"]}};
      for (const auto& [key, value] : layer.items())
        if (key != "name") row[key] = value;
      table.add({text_of(row["net"]), text_of(row["layer"]), row["nodes"].dump(), volts_of(row["worst_drop_v"]),
                 volts_of(row["average_drop_v"]), text_of(row["worst_node"])});
      rows.push_back(std::move(row));
    }
  }
  console.print(table.str());
  return rows;
}

Value report_sources(Console& console, const NetArguments& arguments) {
  const IrReport& report = report_on(console, arguments.net);
  Value rows = Value::array();
  TextTable table({"source", "net", "node", "voltage>", "current>"});
  for (const PadResult& pad : report.pads) {
    const std::string_view net = net_name(report, pad.net);
    if (!is_wanted(arguments.net, net)) continue;
    Value row = with_fields(report, {{"name", nullptr}, {"net", nullptr}}, pad);
    for (const char* of_report : {"share", "place"}) row.erase(of_report);
    rows.push_back(std::move(row));
    table.add({printable(pad.name), printable(net), printable(node_name(report, pad.node)), volts(pad.voltage_v),
               amperes(pad.current_a)});
  }
  console.print(table.str());
  return rows;
}

/// Of the last simulation or analysis, whichever came later.
Value report_instances(Console& console, const InstanceArguments& arguments) {
  const TranReport* const dynamic = console.simulated ? &console.simulated->report : nullptr;
  const IrReport& report = dynamic ? dynamic->worst : console.session.report();
  Value rows = Value::array();
  std::vector<std::string> titles = {"instance", "drop>", "bounce>", "combined>"};
  if (dynamic) titles.emplace_back("at>");
  TextTable table(titles);
  const auto count = std::min<size_t>(arguments.count, report.instances.size());
  for (size_t k = 0; k < count; ++k) {
    rows.push_back(json_value(report, report.instances[k]));
    Value& row = rows.back();
    std::vector<std::string> cells = {text_of(row["name"]), volts_of(row["vdd_drop_v"]), volts_of(row["gnd_bounce_v"]),
                                      volts_of(row["combined_v"])};
    if (dynamic) {
      row["time_s"] = number_or_null(dynamic->instance_time_s[k]);
      cells.push_back(seconds(dynamic->instance_time_s[k]));
    }
    table.add(cells);
  }
  console.print(table.str());
  return rows;
}

struct ExplainArguments {
  std::vector<std::string> nodes = {"worst"};
  int most = 10;
};

Value explain_drop(Console& console, const ExplainArguments& arguments) {
  const size_t most = arguments.most;
  console.session.explain(arguments.nodes, {.segments = most, .loads = most}, console.stop());
  const IrReport& report = console.session.report();
  console.print(explanation_lines(report));
  return json_where(report)["explanations"];
}

struct DropSharesArguments {
  std::vector<std::string> nodes = {"worst"};
};

Value find_drop_shares(Console& console, const DropSharesArguments& arguments) {
  console.session.find_drop_shares(arguments.nodes, console.stop());
  const IrReport& report = console.session.report();
  console.print(drop_share_lines(report));
  return json_where(report)["drop_shares"];
}

struct FindPadGainsArguments : PadGainArguments {
  FindPadGainsArguments() { pad_gains = 5; }
};

Value find_pad_gains(Console& console, const FindPadGainsArguments& arguments) {
  console.session.find_pad_gains(*pad_gain_options(arguments), console.stop());
  const IrReport& report = console.session.report();
  console.print(pad_gain_lines(report));
  return json_where(report)["pad_gains"];
}

struct BudgetArguments {
  std::string budget;
  std::vector<std::string> nodes;
  int worst = 10, solves = 1000;
  bool quiet = false;
};

Value bound_over_budget(Console& console, const BudgetArguments& arguments) {
  BudgetOptions options;
  options.nodes = arguments.nodes;
  options.worst = arguments.worst;
  options.most_solves = arguments.solves;
  console.tables.push_back(arguments.budget);
  const BudgetReport& budget =
      console.session.bound_over_budget(read_budget(arguments.budget), options, console.stop());
  const IrReport& report = console.session.report();
  if (!arguments.quiet) console.print(budget_lines(report));
  if (const std::string miss = tolerance_miss(budget, console.session.request()); !miss.empty())
    throw SolverError(miss);
  return json_value(report, *report.budget);
}

Value report_engines(Console& console, const NoArguments&) {
  Value rows = Value::array();
  TextTable table({"engine", "devices", "method"});
  for (const EngineInfo& engine : engines()) {
    rows.push_back({{"name", engine.name},
                    {"devices", split(std::string(engine.devices), ',')},
                    {"about", engine.about},
                    {"parameters", json_parameters(engine.defaults())}});
    table.add({std::string(engine.name), std::string(engine.devices), std::string(engine.about)});
  }
  console.print(table.str());
  return rows;
}

void add_net(Declaration<NetArguments>& to) {
  to.add(&NetArguments::net, {.field = "net", .value = "NET", .help = "this net only"});
}

Declaration<ExplainArguments> explain_declaration() {
  Declaration<ExplainArguments> explain(
      {.name = "explain_drop",
       .help = "why nodes drop, printed and as a list of dicts",
       .description = "The path of least resistance to a pad, the resistance to all pads together, the loads and "
                      "segments that matter most, and what widening these segments by 20 % gains, from another solve. "
                      "Reports written later hold it too.",
       .example = "explain_drop worst n1_m1_4000_8000"});
  explain.add(&ExplainArguments::nodes, {.field = "node",
                                         .value = "NODE",
                                         .help = "name of a node; 'worst' is that with the largest drop",
                                         .suggestions = {"worst"},
                                         .is_positional = true});
  explain.add(&ExplainArguments::most, whole_number("most", "loads and segments listed per node", 1, INT_MAX));
  return explain;
}

Declaration<DropSharesArguments> drop_shares_declaration() {
  Declaration<DropSharesArguments> shares(
      {.name = "find_drop_shares",
       .help = "where the drops of nodes fall, printed and as a list of dicts",
       .description = "The shares of layers, vias, pads and package in a drop, which they add up to, each with its "
                      "certified bound. An analysis finds those of the worst node of each net that exceeds a limit by "
                      "itself. Reports written later hold the last ones.",
       .example = "find_drop_shares worst n1_m1_4000_8000"});
  shares.add(&DropSharesArguments::nodes, {.field = "node",
                                           .value = "NODE",
                                           .help = "name of a node; 'worst' is that with the largest drop",
                                           .suggestions = {"worst"},
                                           .is_positional = true});
  return shares;
}

Declaration<FindPadGainsArguments> pad_gains_declaration() {
  Declaration<FindPadGainsArguments> gains(
      {.name = "find_pad_gains",
       .help = "where one more pad lowers the worst drops most, printed and as a list of dicts",
       .description = "Of the nets that exceed a limit of the last analysis, or of all if none does. Reports written "
                      "later hold it, too; add_pad adds such a pad.",
       .example = "find_pad_gains -pad_gains 3 -pad_layer m9 -pad_resistance 0.25"});
  gains.add(&FindPadGainsArguments::pad_gains, whole_number("pad_gains", "places to list per net", 1, 1000));
  add_pad_arguments(gains);
  return gains;
}

Declaration<BudgetArguments> budget_declaration() {
  Declaration<BudgetArguments> budget(
      {.name = "bound_over_budget",
       .help = "the worst case over all loads that a budget allows; returns the budget of report.json, as a dict",
       .description = "Bounds the grid that was analysed last, whose loads are to be those of the netlist. Its limits "
                      "on the worst drop are judged on the worst cases, too, and reports written later hold them; a "
                      "missed tolerance is an error.",
       .example = "bound_over_budget budget.csv -budget_node n1_m1_4000_8000"});
  budget.add(
      &BudgetArguments::budget,
      positional(file("budget", "what loads may draw: CSV with rows each,MEMBERS,MOST,LEAST and sum,MEMBERS,MOST")));
  budget.add(&BudgetArguments::nodes,
             {.field = "budget_node", .value = "NODE", .help = "bound the drop of this node, too"});
  budget.add(&BudgetArguments::worst, whole_number("budget_worst", "nodes of each net to list", 1, 100000));
  budget.add(&BudgetArguments::solves,
             whole_number("budget_solves",
                          "adjoint solves to spend on the worst node of each net; what is not decided then is said", 1,
                          INT_MAX));
  budget.add(&BudgetArguments::quiet, {.field = "quiet", .help = "print nothing"});
  return budget;
}

}  // namespace

std::vector<SessionCommand> report_commands() {
  Declaration<DropArguments> drop({.name = "report_ir_drop",
                                   .help = "the worst nodes of the last analysis, printed and as a list of dicts",
                                   .example = "report_ir_drop -net VDD -count 20"});
  drop.add(&DropArguments::net, {.field = "net", .value = "NET", .help = "this net only"});
  drop.add(&DropArguments::count, whole_number("count", "nodes per net", 1, INT_MAX));
  Declaration<NetArguments> layers({.name = "report_layers",
                                    .help = "drops by layer in the last analysis, printed and as a list of dicts",
                                    .example = "report_layers -net VDD"});
  add_net(layers);
  Declaration<NetArguments> sources(
      {.name = "report_sources",
       .help = "what each pad delivers, largest current first, printed and as a list of dicts",
       .example = "report_sources -net VDD"});
  add_net(sources);
  Declaration<InstanceArguments> instances(
      {.name = "report_instances",
       .help = "worst instances of the last analysis or simulation, printed and as a list of dicts",
       .description =
           "Drop of the supply and bounce of the ground of each, which in a simulation belong to one moment.",
       .example = "report_instances -count 20"});
  instances.add(&InstanceArguments::count, whole_number("count", "instances to list", 1, INT_MAX));
  Declaration<NoArguments> engines({.name = "report_engines",
                                    .help = "the engines of this build, printed and as a list of dicts",
                                    .example = "report_engines"});
  return {in_session(drop, report_ir_drop),
          in_session(layers, report_layers),
          in_session(sources, report_sources),
          in_session(instances, report_instances),
          in_session(explain_declaration(), explain_drop),
          in_session(drop_shares_declaration(), find_drop_shares),
          in_session(pad_gains_declaration(), find_pad_gains),
          in_session(budget_declaration(), bound_over_budget),
          in_session(engines, report_engines)};
}

}  // namespace gridiron
