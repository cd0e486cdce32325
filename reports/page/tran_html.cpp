// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "reports/json/json.hpp"
#include "reports/lookup.hpp"
#include "reports/page/assets.hpp"
#include "reports/page/page.hpp"
#include "reports/text/engine_lines.hpp"
#include "reports/text/escape.hpp"
#include "reports/tran_parts.hpp"

namespace gridiron {
namespace {

constexpr size_t kCurves = 400, kPoints = 100'000;
constexpr const char *kOverTime = "worst over time", *kAtMoment = "worst moment";

double short_number(double value) { return std::strtod(fmt::format("{:.7g}", value).c_str(), nullptr); }

/// A curve of at most about this many points: of every stretch of rows the least and the largest value.
Json curve(std::string name, std::span<const double> time, size_t points, auto&& value_at) {
  const size_t rows = time.size(), stretch = std::max<size_t>(1, 2 * rows / std::max<size_t>(2, points));
  Json times = Json::array(), values = Json::array();
  const auto add = [&](size_t row) {
    times.push_back(short_number(time[row]));
    values.push_back(number_or_null(short_number(value_at(row))));
  };
  for (size_t begin = 0; begin < rows; begin += stretch) {
    const size_t end = std::min(rows, begin + stretch);
    size_t least = begin, most = begin;
    for (size_t row = begin; row < end; ++row) {
      if (value_at(row) < value_at(least)) least = row;
      if (value_at(row) > value_at(most)) most = row;
    }
    add(std::min(least, most));
    if (least != most) add(std::max(least, most));
  }
  return {{"name", std::move(name)}, {"time_s", std::move(times)}, {"value", std::move(values)}};
}

Json page_waveforms(const TranReport& report) {
  const std::span<const double> time = report.row_time_s;
  const size_t nets = std::min(kCurves, report.nets.size()), scenarios = static_cast<size_t>(report.scenarios);
  const size_t probes = std::min(kCurves, report.probes.size() * scenarios);
  const size_t points = kPoints / std::max<size_t>(1, nets + probes);
  Json of_nets = Json::array(), of_probes = Json::array();
  for (size_t k = 0; k < nets; ++k)
    of_nets.push_back(
        curve(report.worst.nets[k].name, time, points, [&](size_t row) { return report.nets[k].worst_drop_v[row]; }));
  for (size_t c = 0; c < probes; ++c) {
    const Probe& probe = report.probes[c / scenarios];
    const size_t j = c % scenarios;
    Json of_probe = curve(waveform_name(report, probe, static_cast<int64_t>(j)), time, points,
                          [&](size_t row) { return probe.voltage_v[row * scenarios + j]; });
    of_probe["net"] = net_name(report.worst, report.worst.nodes.net[probe.node]);
    of_probes.push_back(std::move(of_probe));
  }
  return {{"from_s", report.start_s},
          {"to_s", report.stop_s},
          {"nets", std::move(of_nets)},
          {"probes", std::move(of_probes)},
          {"probes_count", report.probes.size() * scenarios}};
}

Json page_nodes(const TranReport& report) {
  const IrReport& worst = report.worst;
  Json list = Json::array();
  for (const NodeId node : nodes_of_page(worst)) {
    Json row = json_node(worst, node);
    row["time_s"] = report.worst_time_s[node];
    row["scenario"] = report.by_scenario[report.worst_scenario[node]].name;
    row["average_drop_v"] = report.average_drop_v[node];
    row["rms_drop_v"] = report.rms_drop_v[node];
    row["overshoot_v"] = report.overshoot_v[node];
    list.push_back(std::move(row));
  }
  return list;
}

Json page_pads(const TranReport& report) {
  Json list = Json::array();
  for (size_t k = 0; k < std::min(kRowsOfPage, report.pads.size()); ++k) {
    const PadResult& pad = report.worst.pads[k];
    const PadOverTime& over_time = report.pads[k];
    Json row = json_node(report.worst, pad.node);
    row.erase("drop_v");
    row.erase("voltage_v");
    row["name"] = pad.name;
    row["peak_a"] = over_time.peak_a;
    row["peak_time_s"] = over_time.peak_time_s;
    row["rms_a"] = over_time.rms_a;
    row["average_a"] = over_time.average_a;
    list.push_back(std::move(row));
  }
  return list;
}

Json page_instances(const TranReport& report) {
  const IrReport& worst = report.worst;
  Json list = Json::array();
  for (size_t k = 0; k < std::min(kRowsOfPage, worst.instances.size()); ++k) {
    const InstanceResult& instance = worst.instances[k];
    Json row = page_instance(worst, instance);
    row.erase("voltage_v");
    row["vdd_drop_v"] = instance.vdd_drop_v;
    row["gnd_bounce_v"] = instance.gnd_bounce_v;
    row["combined_v"] = instance.combined_v;
    row["time_s"] = report.instance_time_s[k];
    list.push_back(std::move(row));
  }
  return list;
}

/// Per resistor, of all of the time.
std::span<const double> currents_of(const SegmentsOverTime& segments, const std::string& quantity) {
  if (quantity == "average") return segments.average_a;
  return quantity == "rms" ? segments.rms_a : segments.peak_a;
}

/// Of every node at its worst moment, and of all nodes at the worst moment of all.
Json page_views(const TranReport& report) {
  Json list = Json::array();
  for (const auto& [grid, view] : {std::pair(&report.worst, kOverTime), std::pair(&report.moment.grid, kAtMoment)})
    for (Json& map : page_maps(*grid, heat_maps(*grid), kImageBytes / 2)) {
      map["view"] = view;
      list.push_back(std::move(map));
    }
  return list;
}

}  // namespace

void write_tran_html(const TranReport& report, const OutputPath& path) {
  const IrReport& worst = report.worst;
  Json document = tran_document(report);
  for (const char* not_shown : {"time_s", "probes", "accuracy"}) document.erase(not_shown);
  for (Json& net : document["nets"]) net.erase("worst_drop_over_time_v");
  const size_t findings = cut(document["findings"]), windows = cut(document["windows"]);
  const Json data = {
      {"name", worst.netlist_name},
      {"report", std::move(document)},
      {"verdict", page_verdict(worst)},
      {"findings_count", findings},
      {"windows_count", windows},
      {"waveforms", page_waveforms(report)},
      {"worst_nodes", page_nodes(report)},
      {"pads", page_pads(report)},
      {"instances", page_instances(report)},
      {"views", {kOverTime, kAtMoment}},
      {"colours", page_colours()},
      {"maps", page_views(report)},
      {"length", page_length(worst)},
      {"em_segments", page_em(worst)},
      {"over_em_limits",
       page_over_em_limits(worst, [&](const std::string& quantity) { return currents_of(report.segments, quantity); })},
      {"more_pads", page_more_pads(worst)},
      {"engine_is_direct", is_direct(worst.engine)}};
  write_page(path, assets::tran_html(), html_text(worst.netlist_name) + " · dynamic IR drop", data,
             {{"where_js", assets::where_js()}, {"waves_js", assets::waves_js()}, {"tran_js", assets::tran_js()}});
}

}  // namespace gridiron
