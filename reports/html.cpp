// SPDX-License-Identifier: Apache-2.0
#include "reports/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/ir/instances.hpp"
#include "reports/assets.hpp"
#include "reports/escape.hpp"
#include "reports/json.hpp"
#include "reports/lookup.hpp"
#include "reports/page.hpp"
#include "reports/ranking.hpp"
#include "support/output_file.hpp"

namespace gridiron {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kHistogramBins = 60;

/// Histogram of the drops of each net, in equal steps from the least to the worst.
Json page_histograms(const IrReport& result) {
  struct Histogram {
    double low = INFINITY, high = -INFINITY;
    std::vector<std::int64_t> counts = std::vector<std::int64_t>(kHistogramBins);
  };
  const NodeTable& nodes = result.nodes;
  std::vector<Histogram> histograms(result.nets.size());
  const auto for_each_drop = [&](auto&& f) {
    for (std::size_t n = 0; n < nodes.state.size(); ++n)
      if (has_drop(nodes, n)) f(histograms[static_cast<std::size_t>(nodes.net[n])], nodes.drop_v[n]);
  };
  for_each_drop([](Histogram& h, double drop) {
    h.low = std::min(h.low, drop);
    h.high = std::max(h.high, drop);
  });
  for (Histogram& h : histograms)
    if (!(h.high > h.low)) h.high = h.low + 1e-9;
  for_each_drop([](Histogram& h, double drop) {
    const auto bin = static_cast<std::size_t>((drop - h.low) / (h.high - h.low) * kHistogramBins);
    ++h.counts[std::min(bin, kHistogramBins - 1)];
  });

  Json list = Json::array();
  for (std::size_t net = 0; net < histograms.size() && list.size() < kRowsOfPage; ++net) {
    const Histogram& h = histograms[net];
    if (std::isfinite(h.low))
      list.push_back({{"net", result.nets[net].name}, {"low_v", h.low}, {"high_v", h.high}, {"counts", h.counts}});
  }
  return list;
}

Json page_worst_nodes(const IrReport& result) {
  const std::size_t per_net = std::max<std::size_t>(1, kRowsOfPage / std::max<std::size_t>(1, result.nets.size()));
  Json list = Json::array();
  for (const std::vector<NodeId>& nodes : worst_nodes(result, std::min<std::size_t>(per_net, 100)))
    for (const NodeId node : nodes)
      if (list.size() < kRowsOfPage) list.push_back(json_node(result, node));
  return list;
}

Json page_pads(const IrReport& result) {
  Json list = Json::array();
  for (const PadResult& pad : result.pads) {
    if (list.size() == kRowsOfPage) break;
    Json row = json_node(result, pad.node);
    row.erase("drop_v");
    row["name"] = pad.name;
    row["voltage_v"] = pad.voltage_v;
    row["current_a"] = pad.current_a;
    row["share"] = pad.share;
    row["place"] = pad.place;
    list.push_back(std::move(row));
  }
  return list;
}

Json page_instances(const IrReport& result) {
  Json list = Json::array();
  for (const InstanceResult& instance : result.instances) {
    if (list.size() == kRowsOfPage) break;
    Json row = json_node(result, instance.node());
    row.erase("drop_v");
    row["name"] = instance_name(*result.circuit, instance).text();
    row["vdd_drop_v"] = instance.vdd_drop_v;
    row["gnd_bounce_v"] = instance.gnd_bounce_v;
    row["combined_v"] = instance.combined_v;
    row["current_a"] = instance.current_a;
    list.push_back(std::move(row));
  }
  return list;
}

}  // namespace

void write_html(const IrReport& result, const std::vector<HeatMap>& maps, const std::filesystem::path& path) {
  Json report = json_document(result);
  report.erase("metrics");
  Json& findings = report["findings"];
  const std::size_t findings_count = findings.size();
  if (findings_count > kRowsOfPage) findings.erase(findings.begin() + kRowsOfPage, findings.end());
  const Json data = {{"name", result.netlist_name},       {"report", std::move(report)},
                     {"layer_names", result.layer_names}, {"worst_nodes", page_worst_nodes(result)},
                     {"pads", page_pads(result)},         {"instances", page_instances(result)},
                     {"findings_count", findings_count},  {"histograms", page_histograms(result)},
                     {"colours", page_colours()},         {"maps", page_maps(result, maps, kImageBytes)},
                     {"length", page_length(result)}};
  const std::string title = html_text(result.netlist_name) + " · IR drop";
  const std::string json = script_json(data);

  OutputFile file(path);
  write_filled(file, assets::report_html(),
               {{"title", title},
                {"leaflet_css", assets::leaflet_css()},
                {"report_css", assets::report_css()},
                {"data", json},
                {"leaflet_js", assets::leaflet_js()},
                {"chart_js", assets::chart_js()},
                {"page_js", assets::page_js()},
                {"map_js", assets::map_js()},
                {"where_js", assets::where_js()},
                {"report_js", assets::report_js()}});
  file.commit();
}

}  // namespace gridiron
