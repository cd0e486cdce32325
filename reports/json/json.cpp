// SPDX-License-Identifier: Apache-2.0
#include "reports/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/results/instances.hpp"
#include "reports/json/fields_json.hpp"
#include "reports/json/insight_json.hpp"
#include "reports/json/opens_json.hpp"
#include "reports/lookup.hpp"
#include "reports/report.hpp"
#include "reports/text/openroad_block.hpp"
#include "reports/text/ranking.hpp"
#include "reports/text/utf8.hpp"

namespace gridiron {
namespace {

constexpr size_t kWorstNodes = 10;

Json json_input(const IrReport& result) {
  Json input = with_fields({{"path", result.input_path}, {"bytes", result.input_bytes}}, result.input);
  input["dbu_per_um"] = result.dbu_per_um > 0 ? Json(result.dbu_per_um) : Json(nullptr);
  input["dbu_is_guess"] = result.dbu_is_guess;
  input["left_out_nets"] = result.left_out_nets;
  input["ledger"] = json_ledger(result.ledger);
  return input;
}

Json json_hybrid(const IrReport& result) {
  const std::optional<HybridParts>& parts = result.solve.hybrid;
  if (!parts) return nullptr;
  Json row = json_of(*parts);
  row["original_grid_bytes"] = result.engine.bytes - parts->regular_grid_bytes;
  row["regular_grid_bytes"] = parts->regular_grid_bytes;
  return row;
}

Json json_solve(const IrReport& result) {
  const double unknowns = result.reduced.unknowns;
  Json row = json_of(result.solve);
  row["bytes"] = result.engine.bytes;
  row["bytes_per_unknown"] = number_or_null(result.engine.bytes / unknowns);
  row["hybrid"] = json_hybrid(result);
  return with_figures(std::move(row), result.engine);
}

Json json_nets(const IrReport& result) {
  const std::vector<std::vector<NodeId>> worst = worst_nodes(result, kWorstNodes);
  Json nets = Json::array();
  for (size_t i = 0; i < result.nets.size(); ++i) {
    Json row = json_value(result, result.nets[i]);
    row["layers"] = json_value(result, result.nets[i].layers);
    Json& worst_list = row["worst_nodes"] = Json::array();
    for (const NodeId node : worst[i]) worst_list.push_back(json_node(result, node));
    nets.push_back(std::move(row));
  }
  return nets;
}

/// The first of many, worst or largest first.
template <class T>
Json json_first(const IrReport& result, const std::vector<T>& rows) {
  return {{"count", rows.size()}, {"worst", rows.empty() ? Json(nullptr) : json_value(result, rows.front())}};
}

Json json_unjudged(const IrReport& result) {
  return {{"nets", result.unjudged_nets},
          {"unlimited_nets", result.unlimited_nets()},
          {"floating_nodes", result.reduced.floating_nodes},
          {"layers", json_of(result.unlimited_layers)}};
}

Json json_limits(const IrReport& result) {
  Json limits = json_of(result.limits);
  for (size_t k = 0; result.budget && k < result.budget->nets.size(); ++k) {
    const BudgetNet& net = result.budget->nets[k];
    if (!net.limit_v) continue;
    const BudgetNode worst = net.worst.empty() ? BudgetNode{} : net.worst.front();
    limits.push_back({{"quantity", "worst over budget"},
                      {"net", result.nets[net.net].name},
                      {"limit_v", number_or_null(*net.limit_v)},
                      {"value_v", number_or_null(worst.drop_v)},
                      {"bound_v", number_or_null(std::max(worst.bound_v, net.ceiling_v - worst.drop_v))},
                      {"exceeded", net.exceeded},
                      {"undecided", net.undecided}});
  }
  for (const EmLimitResult& limit : result.em_limits) limits.push_back(json_value(result, limit));
  return limits;
}

/// One entry per load vector, in the order of their file.
Json json_vectors(const IrReport& result) {
  Json rows = Json::array();
  for (const VectorResult& vector : result.vectors) {
    Json row = json_of(vector), nets = Json::array();
    for (size_t k = 0; k < vector.nets.size(); ++k)
      nets.push_back(with_fields(result, {{"name", result.nets[k].name}}, vector.nets[k]));
    row["nets"] = std::move(nets);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// The names under which OpenROAD's analyze_power_grid logs its metrics.
Json openroad_metrics(const IrReport& result) {
  Json metrics = Json::object();
  const std::vector<OpenRoadAverages> averages = openroad_averages(result);
  for (size_t k = 0; k < result.nets.size(); ++k) {
    const NetResult& net = result.nets[k];
    const auto add = [&](std::string_view quantity, double value) {
      metrics[fmt::format("design_powergrid__{}__net:{}__corner:default", quantity, net.name)] = number_or_null(value);
    };
    add("voltage__worst", net.worst_voltage_v);
    add("voltage__average", averages[k].voltage_v);
    add("drop__average", averages[k].drop_v);
    add("drop__worst", net.worst_drop_v);
  }
  return metrics;
}

}  // namespace

Json json_ledger(const Ledger& ledger) {
  Json files = Json::array();
  for (const Ledger::File& file : ledger.files) {
    Json rows = Json::array();
    for (const Ledger::Row& row : file.rows)
      rows.push_back({{"what", row.what}, {"fate", name_of(row.fate)}, {"count", row.count}});
    files.push_back({{"path", file.path}, {"cards", std::move(rows)}});
  }
  return {{"cards", ledger.cards()},
          {"harmless", ledger.count(Fate::harmless)},
          {"skipped", ledger.count(Fate::skipped)},
          {"files", std::move(files)}};
}

Json json_run(const RunFacts& run) {
  Json options = Json::object();
  for (const auto& [name, value] : run.options) options[name] = value;
  return {{"date", run.date}, {"command", run.command}, {"options", std::move(options)}, {"files", json_of(run.files)}};
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_parameters(const ParamList& list) {
  Json parameters = Json::object();
  for (const Param& p : list) parameters[p.name] = p.value;
  return parameters;
}

Json json_value(const IrReport&, const ParamList& parameters) { return json_parameters(parameters); }

Json with_figures(Json solve, const EngineRun& engine) {
  if (engine.figures.method.empty()) return solve;
  Json& own = solve[engine.figures.method];
  for (const auto& [name, value] : engine.figures.figures)
    own[name] = value == std::floor(value) && std::abs(value) < 1e15 ? Json(static_cast<int64_t>(value))
                                                                     : number_or_null(value);
  return solve;
}

std::string json_text(Json document) { return with_strings(std::move(document), as_unicode).dump(2) + "\n"; }

Json with_strings(Json document, std::string (*shown)(std::string_view)) {
  if (document.is_string()) return shown(document.get_ref<const std::string&>());
  for (Json& value : document)
    if (value.is_structured() || value.is_string()) value = with_strings(std::move(value), shown);
  const auto differs = [&](const auto& item) { return shown(item.key()) != item.key(); };
  if (!document.is_object() || std::ranges::none_of(document.items(), differs)) return document;
  Json renamed = Json::object();
  for (auto& [key, value] : document.items()) renamed[shown(key)] = std::move(value);
  return renamed;
}

Json json_value(const IrReport& result, const InstanceResult& instance) {
  const SinkName name = instance_name(*result.circuit, instance);
  Json row = {{"name", name.instance}, {"terminal", name_or_null(name.terminal)}};
  if (const std::string_view cell = instance_cell(*result.circuit, instance); !cell.empty()) row["cell"] = cell;
  return with_fields(result, std::move(row), instance);
}

Json json_node(const IrReport& result, NodeId node) {
  const size_t n = node;
  const NodeTable& nodes = result.nodes;
  return {{"node", node_name(result, node)},
          {"net", name_or_null(net_name(result, nodes.net[n]))},
          {"layer", name_or_null(layer_name(result, nodes.layer[n]))},
          {"x_um", number_or_null(nodes.x_um[n])},
          {"y_um", number_or_null(nodes.y_um[n])},
          {"voltage_v", number_or_null(nodes.voltage_v[n])},
          {"drop_v", number_or_null(nodes.drop_v[n])}};
}

Json json_document(const IrReport& result) {
  Json document = {{"schema", "gridiron.ir/1"},
                   {"tool_version", GRIDIRON_VERSION},
                   {"run", json_run(result.run)},
                   {"input", json_input(result)},
                   {"reduced", json_of(result.reduced)},
                   {"engine", json_of(result.engine)},
                   {"solve", json_solve(result)},
                   {"certificate", json_of(result.certificate)},
                   {"nets", json_nets(result)},
                   {"limits", json_limits(result)},
                   {"unjudged", json_unjudged(result)},
                   {"limit_exceeded", result.limit_exceeded()},
                   {"findings", json_of(result.findings)},
                   {"pads", json_first(result, result.pads)},
                   {"power", json_of(result.power)},
                   {"segments", json_segments(result)},
                   {"where", json_where(result)},
                   {"instances", json_first(result, result.instances)},
                   {"metrics", openroad_metrics(result)},
                   {"timings_s", json_of(result.timings_s)},
                   {"peak_memory_bytes", result.peak_memory_bytes}};
  if (result.circuit && result.circuit->placement && !result.circuit->placement->nets.empty())  // of a layout
    document["opens"] = json_opens(*result.circuit->placement);
  if (result.golden) document["golden"] = json_of(*result.golden);
  if (result.em) document["em"] = json_value(result, *result.em);
  if (result.stress) document["stress"] = json_value(result, *result.stress);
  if (result.budget) document["budget"] = json_value(result, *result.budget);
  return document;
}

std::string json_report(const IrReport& result) {
  Json document = json_document(result);
  if (!result.vectors.empty()) document["vectors"] = json_vectors(result);
  return json_text(document);
}

}  // namespace gridiron
