// SPDX-License-Identifier: Apache-2.0
#include "reports/json.hpp"
#include "reports/lookup.hpp"
#include "reports/tran_parts.hpp"
#include "reports/tran_report.hpp"

namespace gridiron {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPads = 1000;

Json numbers(std::span<const double> values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number_or_null(value));
  return list;
}

Json json_nets(const TranReport& report, const Json& of_worst) {
  Json nets = of_worst;
  for (std::size_t k = 0; k < nets.size(); ++k) {
    for (const char* of_dc : {"load_current_a", "pad_current_a", "total_power_w"}) nets[k].erase(of_dc);
    const NodeId node = report.worst.nets[k].worst_node;
    nets[k]["worst_time_s"] = number_or_null(report.worst_time_s[node]);
    nets[k]["worst_scenario"] = report.worst_scenario[node];
    nets[k]["overshoot_v"] = number_or_null(report.nets[k].overshoot_v);
    nets[k]["overshoot_node"] = node_name(report.worst, report.nets[k].overshoot_node);
    nets[k]["worst_drop_over_time_v"] = numbers(report.nets[k].worst_drop_v);
  }
  return nets;
}

Json json_scenarios(const TranReport& report) {
  Json list = Json::array();
  for (const ScenarioResult& scenario : report.by_scenario) {
    Json nets = Json::array();
    for (std::size_t k = 0; k < scenario.nets.size(); ++k)
      nets.push_back({{"net", report.worst.nets[k].name},
                      {"worst_drop_v", number_or_null(scenario.nets[k].worst_drop_v)},
                      {"time_s", number_or_null(scenario.nets[k].time_s)},
                      {"worst_node", node_name(report.worst, scenario.nets[k].worst_node)}});
    list.push_back({{"name", scenario.name}, {"nets", std::move(nets)}});
  }
  return list;
}

Json json_windows(const TranReport& report) {
  Json list = Json::array();
  for (const WindowResult& window : report.windows)
    list.push_back({{"begin_s", window.begin_s},
                    {"end_s", window.end_s},
                    {"net", net_name(report.worst, window.net)},
                    {"worst_drop_v", number_or_null(window.worst_drop_v)},
                    {"time_s", window.time_s},
                    {"worst_node", node_name(report.worst, window.worst_node)}});
  return list;
}

Json json_probes(const TranReport& report) {
  Json list = Json::array();
  const auto scenarios = static_cast<std::size_t>(report.scenarios);
  for (const Probe& probe : report.probes) {
    Json voltages = Json::array();
    for (std::size_t j = 0; j < scenarios; ++j) {
      Json of_scenario = Json::array();
      for (std::size_t k = j; k < probe.voltage_v.size(); k += scenarios)
        of_scenario.push_back(number_or_null(probe.voltage_v[k]));
      voltages.push_back(std::move(of_scenario));
    }
    list.push_back({{"node", node_name(report.worst, probe.node)}, {"voltage_v", std::move(voltages)}});
  }
  return list;
}

Json json_pads(const TranReport& report) {
  Json list = Json::array();
  for (std::size_t k = 0; k < std::min(kMostPads, report.pads.size()); ++k) {
    const PadOverTime& pad = report.pads[k];
    list.push_back({{"name", report.worst.pads[k].name},
                    {"net", net_name(report.worst, report.worst.pads[k].net)},
                    {"average_a", number_or_null(pad.average_a)},
                    {"rms_a", number_or_null(pad.rms_a)},
                    {"peak_a", number_or_null(pad.peak_a)},
                    {"peak_time_s", number_or_null(pad.peak_time_s)}});
  }
  return {{"count", report.pads.size()}, {"largest", std::move(list)}};
}

Json json_instances(const TranReport& report, Json instances) {
  if (!report.instance_time_s.empty()) instances["worst"]["time_s"] = report.instance_time_s.front();
  return instances;
}

Json json_timings(const TranReport& report, Json timings) {
  const StageSeconds& stages = report.stage_seconds;
  for (const auto& [name, seconds] :
       {std::pair("operating_point", stages.operating_point), std::pair("tables", stages.tables),
        std::pair("steps", stages.steps), std::pair("results", stages.results)})
    timings[name] = seconds;
  if (!report.step_seconds) return timings;
  const StepSeconds& steps = *report.step_seconds;
  for (const auto& [name, seconds] :
       {std::pair("step_loads", steps.loads), std::pair("step_right_hand_side", steps.right_hand_side),
        std::pair("step_solve", steps.solve), std::pair("step_recover", steps.recover),
        std::pair("step_certify", steps.certify), std::pair("step_measure", steps.measure)})
    timings[name] = seconds;
  return timings;
}

}  // namespace

nlohmann::ordered_json tran_document(const TranReport& report) {
  Json worst = json_document(report.worst);
  const auto& accuracy = report.accuracy;
  Json input = worst["input"];
  input["capacitors"] = report.capacitors;
  input["inductors"] = report.inductors;
  Json json_accuracy = {{"bounded", accuracy.is_bounded},
                        {"tolerance_v", number_or_null(accuracy.tolerance_v)},
                        {"tolerance_met", accuracy.is_met},
                        {"operating_point_error_v", number_or_null(accuracy.operating_point_v)},
                        {"step_error_v", number_or_null(accuracy.step_v)},
                        {"accumulated_error_v", number_or_null(accuracy.accumulated_v)},
                        {"accumulated_is_guaranteed", accuracy.is_guaranteed},
                        {"local_time_error_v", number_or_null(accuracy.local_time_error_v)}};
  if (accuracy.accumulated_time_error_v)
    json_accuracy["accumulated_time_error_v"] = number_or_null(*accuracy.accumulated_time_error_v);
  return {{"schema", "gridiron.tran/1"},
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
          {"accuracy", std::move(json_accuracy)},
          {"charge",
           {{"supplied_c", number_or_null(report.charge.supplied_c)},
            {"drawn_c", number_or_null(report.charge.drawn_c)},
            {"stored_c", number_or_null(report.charge.stored_c)},
            {"imbalance_c", number_or_null(report.charge.imbalance_c())}}},
          {"time_s", numbers(report.row_time_s)},
          {"nets", json_nets(report, worst["nets"])},
          {"limits", worst["limits"]},
          {"unjudged", worst["unjudged"]},
          {"limit_exceeded", worst["limit_exceeded"]},
          {"scenarios", json_scenarios(report)},
          {"worst_moment", {{"time_s", report.moment.time_s}, {"scenario", report.moment.scenario}}},
          {"windows", json_windows(report)},
          {"probes", json_probes(report)},
          {"pads", json_pads(report)},
          {"segments", report.segments.peak_a.empty() ? Json(nullptr) : worst["segments"]},
          {"instances", json_instances(report, worst["instances"])},
          {"findings", worst["findings"]},
          {"timings_s", json_timings(report, worst["timings_s"])},
          {"peak_memory_bytes", worst["peak_memory_bytes"]}};
}

std::string tran_json(const TranReport& report) { return json_text(tran_document(report)); }

}  // namespace gridiron
