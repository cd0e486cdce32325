// SPDX-License-Identifier: Apache-2.0
#include "reports/json.hpp"
#include "reports/name_or_null.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/results/instances.hpp"
#include "reports/budget_tables.hpp"
#include "reports/input_counts.hpp"
#include "reports/insight_json.hpp"
#include "reports/lookup.hpp"
#include "reports/ranking.hpp"
#include "reports/report.hpp"
#include "reports/utf8.hpp"

namespace gridiron {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kWorstNodes = 10;

Json json_ledger(const Ledger& ledger) {
  constexpr const char* kFates[] = {"used", "harmless", "skipped"};
  Json files = Json::array();
  for (const Ledger::File& file : ledger.files) {
    Json rows = Json::array();
    for (const Ledger::Row& row : file.rows)
      rows.push_back({{"what", row.what}, {"fate", kFates[static_cast<std::size_t>(row.fate)]}, {"count", row.count}});
    files.push_back({{"path", file.path}, {"cards", std::move(rows)}});
  }
  return {{"cards", ledger.cards()},
          {"harmless", ledger.count(Fate::harmless)},
          {"skipped", ledger.count(Fate::skipped)},
          {"files", std::move(files)}};
}

Json json_input(const IrReport& result) {
  const Circuit& circuit = *result.circuit;
  return {{"path", result.input_path},
          {"bytes", result.input_bytes},
          {"nodes", circuit.node_count()},
          {"resistors", circuit.resistors.size()},
          {"current_sources", circuit.current_sources.size()},
          {"voltage_sources", circuit.voltage_sources.size()},
          {"dbu_per_um", result.dbu_per_um > 0 ? Json(result.dbu_per_um) : Json(nullptr)},
          {"dbu_is_guess", result.dbu_is_guess},
          {"left_out_nets", result.left_out_nets},
          {"ledger", json_ledger(circuit.ledger)}};
}

Json json_run(const RunFacts& run) {
  Json options = Json::object(), files = Json::array();
  for (const auto& [name, value] : run.options) options[name] = value;
  for (const RunFacts::InputFile& file : run.files)
    files.push_back({{"path", file.path}, {"bytes", file.bytes}, {"sha256", name_or_null(file.sha256)}});
  return {{"date", run.date}, {"command", run.command}, {"options", std::move(options)}, {"files", std::move(files)}};
}

Json json_hybrid(const IrReport& result) {
  const std::optional<std::int64_t> regular_bytes = result.engine.regular_grid_bytes;
  if (!result.solve.seconds || !regular_bytes) return nullptr;
  const HybridSeconds& seconds = *result.solve.seconds;
  return {{"original_grid_s", number_or_null(seconds.original_grid)},
          {"regular_grid_s", number_or_null(seconds.regular_grid)},
          {"transfers_s", number_or_null(seconds.transfers)},
          {"original_grid_bytes", result.engine.bytes - *regular_bytes},
          {"regular_grid_bytes", *regular_bytes}};
}

Json json_solve(const IrReport& result) {
  const auto unknowns = static_cast<double>(result.reduced.unknowns);
  return with_figures({{"iterations", result.solve.iterations},
                       {"relative_residual", number_or_null(result.solve.relative_residual)},
                       {"max_residual_a", number_or_null(result.solve.max_residual)},
                       {"converged", result.solve.converged},
                       {"history", json_history(result.solve)},
                       {"bytes", result.engine.bytes},
                       {"bytes_per_unknown", number_or_null(static_cast<double>(result.engine.bytes) / unknowns)},
                       {"hybrid", json_hybrid(result)}},
                      result.engine);
}

Json json_certificate(const Certificate& c) {
  return {{"valid", c.valid},
          {"max_error_v", c.valid ? number_or_null(c.max_error_v) : Json(nullptr)},
          {"tolerance_v", number_or_null(c.tolerance_v)},
          {"max_residual_a", number_or_null(c.max_residual_a)},
          {"max_w_ohm", number_or_null(c.max_w_ohm)},
          {"delta", number_or_null(c.delta)},
          {"current_imbalance_a", number_or_null(c.current_imbalance_a)}};
}

Json json_layers(const IrReport& result, const NetResult& net) {
  Json layers = Json::array();
  for (const LayerResult& layer : net.layers)
    layers.push_back({{"name", name_or_null(layer_name(result, layer.layer))},
                      {"nodes", layer.nodes},
                      {"worst_drop_v", number_or_null(layer.worst_drop_v)},
                      {"average_drop_v", number_or_null(layer.average_drop_v)},
                      {"least_drop_v", number_or_null(layer.least_drop_v)},
                      {"worst_node", node_name(result, layer.worst_node)}});
  return layers;
}

Json json_nets(const IrReport& result) {
  const std::vector<std::vector<NodeId>> worst = worst_nodes(result, kWorstNodes);
  Json nets = Json::array();
  for (std::size_t i = 0; i < result.nets.size(); ++i) {
    const NetResult& net = result.nets[i];
    const Percentiles& p = net.percentiles_v;
    Json worst_list = Json::array();
    for (const NodeId node : worst[i]) worst_list.push_back(json_node(result, node));
    nets.push_back({{"name", net.name},
                    {"is_ground", net.is_ground},
                    {"nominal_v", number_or_null(net.nominal_v)},
                    {"supply_v", net.supply_v > 0 ? number_or_null(net.supply_v) : Json(nullptr)},
                    {"nodes", net.nodes},
                    {"loads", net.loads},
                    {"pads", net.pads},
                    {"worst_voltage_v", number_or_null(net.worst_voltage_v)},
                    {"average_voltage_v", number_or_null(net.average_voltage_v)},
                    {"worst_drop_v", number_or_null(net.worst_drop_v)},
                    {"worst_node", node_name(result, net.worst_node)},
                    {"average_drop_v", number_or_null(net.average_drop_v)},
                    {"percentiles_v",
                     {{"p50", number_or_null(p.p50)},
                      {"p95", number_or_null(p.p95)},
                      {"p99", number_or_null(p.p99)},
                      {"p99.9", number_or_null(p.p999)}}},
                    {"load_current_a", number_or_null(net.load_current_a)},
                    {"pad_current_a", number_or_null(net.pad_current_a)},
                    {"total_power_w", number_or_null(net.total_power_w)},
                    {"layers", json_layers(result, net)},
                    {"worst_nodes", std::move(worst_list)}});
  }
  return nets;
}

Json json_pads(const IrReport& result) {
  Json worst = nullptr;
  if (!result.pads.empty()) {
    const PadResult& pad = result.pads.front();
    worst = {{"name", pad.name},
             {"node", node_name(result, pad.node)},
             {"net", name_or_null(net_name(result, pad.net))},
             {"voltage_v", number_or_null(pad.voltage_v)},
             {"current_a", number_or_null(pad.current_a)},
             {"share", number_or_null(pad.share)},
             {"place", name_or_null(pad.place)}};
  }
  return {{"count", result.pads.size()}, {"worst", std::move(worst)}};
}

Json json_instances(const IrReport& result) {
  Json worst = nullptr;
  if (!result.instances.empty()) worst = json_instance(result, result.instances.front());
  return {{"count", result.instances.size()}, {"worst", std::move(worst)}};
}

Json count_or_null(std::int64_t count) { return count < 0 ? Json(nullptr) : Json(count); }

Json json_unjudged(const IrReport& result) {
  Json layers = Json::array();
  for (const UnlimitedLayer& layer : result.unlimited_layers)
    layers.push_back({{"quantity", current_name(layer.quantity)},
                      {"layer", name_or_null(layer.layer)},
                      {"segments", layer.segments}});
  return {{"nets", result.unjudged_nets},
          {"unlimited_nets", result.unlimited_nets()},
          {"floating_nodes", result.reduced.floating_nodes},
          {"layers", std::move(layers)}};
}

Json json_limits(const IrReport& result) {
  Json limits = Json::array();
  for (const LimitResult& limit : result.limits)
    limits.push_back({{"quantity", limit.quantity},
                      {"net", limit.net},
                      {"limit_v", number_or_null(limit.limit_v)},
                      {"value_v", number_or_null(limit.value_v)},
                      {"bound_v", number_or_null(limit.bound_v)},
                      {"exceeded", limit.exceeded},
                      {"undecided", limit.undecided},
                      {"nodes", count_or_null(limit.nodes)},
                      {"failed", count_or_null(limit.failed)},
                      {"failed_instances", count_or_null(limit.failed_instances)}});
  for (std::size_t k = 0; k < limits.size(); ++k) {
    const LimitResult& limit = result.limits[k];
    if (!limit.layer.empty()) limits[k]["layer"] = limit.layer;
    if (limit.time_error_v > 0) limits[k]["time_error_v"] = number_or_null(limit.time_error_v);
    if (limit.is_open) limits[k]["open"] = true;
  }
  for (std::size_t k = 0; result.budget && k < result.budget->nets.size(); ++k) {
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
  append_em_limits(result, limits);
  return limits;
}

/// One entry per load vector, in the order of their file.
Json json_vectors(const IrReport& result) {
  Json rows = Json::array();
  for (const VectorResult& vector : result.vectors) {
    Json nets = Json::array();
    for (std::size_t k = 0; k < vector.nets.size(); ++k)
      nets.push_back({{"name", result.nets[k].name},
                      {"worst_drop_v", number_or_null(vector.nets[k].worst_drop_v)},
                      {"worst_node", node_name(result, vector.nets[k].worst_node)},
                      {"average_drop_v", number_or_null(vector.nets[k].average_drop_v)}});
    rows.push_back({{"iterations", vector.iterations},
                    {"bound_v", vector.bounded ? number_or_null(vector.bound_v) : Json(nullptr)},
                    {"nets", std::move(nets)}});
  }
  return rows;
}

Json json_findings(const IrReport& result) {
  constexpr std::string_view kSeverity[] = {"info", "warning", "error"};
  Json findings = Json::array();
  for (const Finding& finding : result.findings)
    findings.push_back({{"severity", kSeverity[static_cast<int>(finding.severity)]},
                        {"code", finding.code},
                        {"message", finding.message},
                        {"place", name_or_null(finding.place)}});
  return findings;
}

/// The names under which OpenROAD's analyze_power_grid logs its metrics.
Json openroad_metrics(const IrReport& result) {
  Json metrics = Json::object();
  for (const NetResult& net : result.nets) {
    const auto add = [&](std::string_view quantity, double value) {
      metrics[fmt::format("design_powergrid__{}__net:{}__corner:default", quantity, net.name)] = number_or_null(value);
    };
    add("voltage__worst", net.worst_voltage_v);
    add("voltage__average", net.average_voltage_v);
    add("drop__average", net.average_drop_v);
    add("drop__worst", net.worst_drop_v);
  }
  return metrics;
}

Json json_timings(const Timings& t) {
  return {{"read", t.read},     {"check", t.check}, {"reduce", t.reduce},   {"assemble", t.assemble},
          {"setup", t.setup},   {"solve", t.solve}, {"certify", t.certify}, {"recover", t.recover},
          {"report", t.report}, {"total", t.total}};
}

}  // namespace

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_parameters(const ParamList& list) {
  Json parameters = Json::object();
  for (const Param& p : list) parameters[p.name] = p.value;
  return parameters;
}

Json json_history(const SolveStats& solve) {
  Json history = Json::array();
  for (const double residual : solve.history) history.push_back(number_or_null(residual));
  return history;
}

Json json_engine(const EngineRun& engine) {
  Json levels = Json::array();
  for (const LevelSummary& level : engine.levels)
    levels.push_back({{"unknowns", level.unknowns}, {"nonzeros", level.nonzeros}, {"bytes", level.bytes}});
  return {{"name", engine.name},
          {"device", engine.device},
          {"threads", engine.threads},
          {"note", engine.note},
          {"parameters", json_parameters(engine.parameters)},
          {"levels", std::move(levels)}};
}

Json with_figures(Json solve, const EngineRun& engine) {
  if (engine.figures.method.empty()) return solve;
  Json& own = solve[engine.figures.method];
  for (const auto& [name, value] : engine.figures.figures)
    own[name] = value == std::floor(value) && std::abs(value) < 1e15 ? Json(static_cast<std::int64_t>(value))
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

Json json_instance(const IrReport& result, const InstanceResult& instance) {
  const SinkName name = instance_name(*result.circuit, instance);
  return {{"name", name.instance},
          {"terminal", name_or_null(name.terminal)},
          {"vdd_drop_v", number_or_null(instance.vdd_drop_v)},
          {"gnd_bounce_v", number_or_null(instance.gnd_bounce_v)},
          {"combined_v", number_or_null(instance.combined_v)},
          {"current_a", number_or_null(instance.current_a)}};
}

Json json_node(const IrReport& result, NodeId node) {
  const auto n = static_cast<std::size_t>(node);
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
                   {"reduced",
                    {{"unknowns", result.reduced.unknowns},
                     {"nonzeros", result.reduced.nonzeros},
                     {"merged_shorts", result.reduced.merged_shorts},
                     {"eliminated", result.reduced.eliminated},
                     {"floating_nodes", result.reduced.floating_nodes}}},
                   {"engine", json_engine(result.engine)},
                   {"solve", json_solve(result)},
                   {"certificate", json_certificate(result.certificate)},
                   {"nets", json_nets(result)},
                   {"limits", json_limits(result)},
                   {"unjudged", json_unjudged(result)},
                   {"limit_exceeded", result.limit_exceeded()},
                   {"findings", json_findings(result)},
                   {"pads", json_pads(result)},
                   {"power", json_power(result.power)},
                   {"segments", json_segments(result)},
                   {"where", json_where(result)},
                   {"instances", json_instances(result)},
                   {"metrics", openroad_metrics(result)},
                   {"timings_s", json_timings(result.timings_s)},
                   {"peak_memory_bytes", result.peak_memory_bytes}};
  if (const auto& golden = result.golden)
    document["golden"] = {{"path", golden->path},
                          {"nx", golden->nx},
                          {"ny", golden->ny},
                          {"net", golden->net},
                          {"layer", name_or_null(golden->layer)},
                          {"mean_error_v", number_or_null(golden->mean_error_v)},
                          {"largest_error_v", number_or_null(golden->largest_error_v)},
                          {"f1", number_or_null(golden->f1)}};
  if (result.budget) document["budget"] = json_budget(result);
  return document;
}

std::string json_report(const IrReport& result, const InputCounts& counts) {
  Json document = json_document(result);
  Json& input = document["input"];
  input["nodes"] = counts.nodes;
  input["resistors"] = counts.resistors;
  input["current_sources"] = counts.current_sources;
  input["voltage_sources"] = counts.voltage_sources;
  return json_text(document);
}

std::string json_report(const IrReport& result) {
  Json document = json_document(result);
  if (!result.vectors.empty()) document["vectors"] = json_vectors(result);
  return json_text(document);
}

}  // namespace gridiron
