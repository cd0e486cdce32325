// SPDX-License-Identifier: Apache-2.0
#include "reports/json/fields_json.hpp"
#include "reports/json/json.hpp"
#include "reports/lookup.hpp"
#include "reports/tran_parts.hpp"
#include "reports/tran_report.hpp"

namespace gridiron {
namespace {

constexpr size_t kMostPads = 1000;

Json json_nets(const TranReport& report, const Json& of_worst) {
  Json nets = of_worst;
  for (size_t k = 0; k < nets.size(); ++k) {
    for (const char* of_dc : {"load_current_a", "pad_current_a", "total_power_w"}) nets[k].erase(of_dc);
    const NodeId node = report.worst.nets[k].worst_node;
    nets[k]["worst_time_s"] = number_or_null(report.worst_time_s[node]);
    nets[k]["worst_scenario"] = report.worst_scenario[node];
    nets[k] = with_fields(report.worst, std::move(nets[k]), report.nets[k]);
  }
  return nets;
}

Json json_scenarios(const TranReport& report) {
  Json list = Json::array();
  for (const ScenarioResult& scenario : report.by_scenario) {
    Json nets = Json::array();
    for (size_t k = 0; k < scenario.nets.size(); ++k)
      nets.push_back(with_fields(report.worst, {{"net", report.worst.nets[k].name}}, scenario.nets[k]));
    list.push_back({{"name", scenario.name}, {"nets", std::move(nets)}});
  }
  return list;
}

Json json_probes(const TranReport& report) {
  Json list = Json::array();
  const size_t scenarios = report.scenarios;
  for (const Probe& probe : report.probes) {
    Json voltages = Json::array();
    for (size_t j = 0; j < scenarios; ++j) {
      Json of_scenario = Json::array();
      for (size_t k = j; k < probe.voltage_v.size(); k += scenarios)
        of_scenario.push_back(number_or_null(probe.voltage_v[k]));
      voltages.push_back(std::move(of_scenario));
    }
    list.push_back({{"node", node_name(report.worst, probe.node)}, {"voltage_v", std::move(voltages)}});
  }
  return list;
}

Json json_pads(const TranReport& report) {
  Json list = Json::array();
  for (size_t k = 0; k < std::min(kMostPads, report.pads.size()); ++k) {
    const PadResult& pad = report.worst.pads[k];
    list.push_back(
        with_fields(report.worst, {{"name", pad.name}, {"net", net_name(report.worst, pad.net)}}, report.pads[k]));
  }
  return {{"count", report.pads.size()}, {"largest", std::move(list)}};
}

/// Hot spots as those of a run without time, and when each is worst; explanations are of the worst moment.
Json json_where(const TranReport& report, Json of_worst) {
  for (const char* of_dc : {"drop_shares", "pad_gains"}) of_worst.erase(of_dc);
  of_worst["explanations"] = json_value(report.moment.grid, report.moment.grid.explanations);
  Json& spots = of_worst["hot_spots"];
  for (size_t k = 0; k < spots.size(); ++k)
    spots[k]["worst_time_s"] = number_or_null(report.worst_time_s[report.worst.hot_spots[k].node]);
  return of_worst;
}

Json json_instances(const TranReport& report, Json instances) {
  if (!report.instance_time_s.empty()) instances["worst"]["time_s"] = report.instance_time_s.front();
  return instances;
}

}  // namespace

Json tran_document(const TranReport& report) {
  Json worst = json_document(report.worst);
  Json input = worst["input"];
  input["capacitors"] = report.capacitors;
  input["inductors"] = report.inductors;
  Json timings = with_fields(report.worst, worst["timings_s"], report.stage_seconds);
  if (report.step_seconds) timings = with_fields(report.worst, std::move(timings), *report.step_seconds);
  Json document = {{"schema", "gridiron.tran/2"},
                   {"tool_version", worst["tool_version"]},
                   {"run", worst["run"]},
                   {"input", std::move(input)},
                   {"simulation",
                    {{"method", name_of(report.method)},
                     {"starts_from", report.is_from_initial_conditions ? "initial conditions" : "operating point"},
                     {"step_s", report.step_s},
                     {"start_s", report.start_s},
                     {"largest_step_s", report.largest_step_s},
                     {"stop_s", report.stop_s},
                     {"steps", report.steps},
                     {"step_sizes", report.sizes},
                     {"scenarios", report.scenarios},
                     {"iterations", report.iterations},
                     {"most_iterations", report.most_iterations}}},
                   {"engine", worst["engine"]},
                   {"certificate", json_of(TranCertificate{report.accuracy})},
                   {"accuracy", json_of(report.accuracy)},
                   {"charge", json_of(report.charge)},
                   {"time_s", json_of(report.row_time_s)},
                   {"nets", json_nets(report, worst["nets"])},
                   {"limits", worst["limits"]},
                   {"unjudged", worst["unjudged"]},
                   {"limit_exceeded", worst["limit_exceeded"]},
                   {"scenarios", json_scenarios(report)},
                   {"worst_moment", {{"time_s", report.moment.time_s}, {"scenario", report.moment.scenario}}},
                   {"windows", json_value(report.worst, report.windows)},
                   {"probes", json_probes(report)},
                   {"pads", json_pads(report)},
                   {"where", json_where(report, worst["where"])},
                   {"segments", report.segments.peak_a.empty() ? Json(nullptr) : worst["segments"]},
                   {"instances", json_instances(report, worst["instances"])},
                   {"metrics", worst["metrics"]},
                   {"findings", worst["findings"]},
                   {"timings_s", std::move(timings)},
                   {"peak_memory_bytes", worst["peak_memory_bytes"]}};
  if (worst.contains("em")) document["em"] = worst["em"];
  return document;
}

std::string tran_json(const TranReport& report) { return json_text(tran_document(report)); }

}  // namespace gridiron
