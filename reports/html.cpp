// SPDX-License-Identifier: Apache-2.0
#include "reports/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/ir/instances.hpp"
#include "reports/assets.hpp"
#include "reports/base64.hpp"
#include "reports/budget_tables.hpp"
#include "reports/colormap.hpp"
#include "reports/escape.hpp"
#include "reports/json.hpp"
#include "reports/length_unit.hpp"
#include "reports/lookup.hpp"
#include "reports/picture.hpp"
#include "reports/ranking.hpp"
#include "reports/utf8.hpp"
#include "support/output_file.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kRows = 300, kHistogramBins = 60;
constexpr std::size_t kImageBytes = 2'200'000;  ///< before base64 makes 4 bytes of 3

std::vector<std::string> overlays(const std::vector<HeatMap>& maps) {
  std::vector<std::string> images(maps.size());
  parallel_tasks(static_cast<std::int64_t>(maps.size()), [&](std::int64_t i) {
    images[static_cast<std::size_t>(i)] = map_overlay(maps[static_cast<std::size_t>(i)]);
  });
  return images;
}

/// The maps of the page: all of them, at the finest resolution that fits.
Json page_maps(const IrReport& result, const std::vector<HeatMap>& maps) {
  std::vector<HeatMap> coarser;
  const std::vector<HeatMap>* shown = &maps;
  std::vector<std::string> images = overlays(maps);
  const auto bytes = [&] {
    std::size_t sum = 0;
    for (const std::string& image : images) sum += image.size();
    return sum;
  };
  while (bytes() > kImageBytes && shown->front().frame.width > 16) {
    if (coarser.empty()) coarser = maps;
    for (HeatMap& map : coarser) halve(map);
    shown = &coarser;
    images = overlays(coarser);
  }

  Json list = Json::array();
  std::size_t used = 0;
  for (std::size_t i = 0; i < images.size() && (used += images[i].size()) <= kImageBytes; ++i) {
    const HeatMap& map = (*shown)[i];
    list.push_back({{"net", net_name(result, map.net)},
                    {"layer", map.layer ? Json(layer_name(result, *map.layer)) : Json(nullptr)},
                    {"left_um", map.frame.left_um},
                    {"bottom_um", map.frame.bottom_um()},
                    {"right_um", map.frame.right_um()},
                    {"top_um", map.frame.top_um},
                    {"low_v", map.scale.low_v},
                    {"high_v", map.scale.high_v},
                    {"worst", json_node(result, map.worst_node)},
                    {"image", base64(images[i])}});
  }
  return list;
}

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
  for (std::size_t net = 0; net < histograms.size() && list.size() < kRows; ++net) {
    const Histogram& h = histograms[net];
    if (std::isfinite(h.low))
      list.push_back({{"net", result.nets[net].name}, {"low_v", h.low}, {"high_v", h.high}, {"counts", h.counts}});
  }
  return list;
}

Json page_worst_nodes(const IrReport& result) {
  const std::size_t per_net = std::max<std::size_t>(1, kRows / std::max<std::size_t>(1, result.nets.size()));
  Json list = Json::array();
  for (const std::vector<NodeId>& nodes : worst_nodes(result, std::min<std::size_t>(per_net, 100)))
    for (const NodeId node : nodes)
      if (list.size() < kRows) list.push_back(json_node(result, node));
  return list;
}

Json page_pads(const IrReport& result) {
  Json list = Json::array();
  for (const PadResult& pad : result.pads) {
    if (list.size() == kRows) break;
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
    if (list.size() == kRows) break;
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

/// Those of the maps, least drop first: the page tells drops from the colours of pixels.
Json page_colours() {
  Json list = Json::array();
  for (const Rgb& c : heat_colours()) list.push_back(fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue));
  return list;
}

Json page_length(const IrReport& result) {
  const LengthUnit unit = length_unit(result);
  return {{"unit", unit.name}, {"per_um", unit.per_um}};
}

/// JSON that is safe in a script element: only ASCII, and nothing that could end the element or open a comment.
std::string script_json(const Json& json) {
  const std::string plain = with_strings(json, with_bytes_shown).dump(-1, ' ', true);
  std::string out;
  out.reserve(plain.size());
  for (const char c : plain) {
    if (c == '<' || c == '>' || c == '&')
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out;
}

/// Writes the template with each {{name}} replaced by its text; the texts themselves are not expanded.
void write_filled(OutputFile& file, std::string_view page, const std::map<std::string_view, std::string_view>& texts) {
  while (true) {
    const std::size_t open = page.find("{{");
    file.write(page.substr(0, open));
    if (open == std::string_view::npos) return;
    const std::size_t close = page.find("}}", open);
    file.write(texts.at(page.substr(open + 2, close - open - 2)));
    page.remove_prefix(close + 2);
  }
}

}  // namespace

void write_html(const IrReport& result, const std::vector<HeatMap>& maps, const std::filesystem::path& path) {
  Json report = json_document(result);
  report.erase("metrics");
  if (result.budget) report["budget"] = json_budget(result);
  Json& findings = report["findings"];
  const std::size_t findings_count = findings.size();
  if (findings_count > kRows) findings.erase(findings.begin() + kRows, findings.end());
  const Json data = {{"name", result.netlist_name},       {"report", std::move(report)},
                     {"layer_names", result.layer_names}, {"worst_nodes", page_worst_nodes(result)},
                     {"pads", page_pads(result)},         {"instances", page_instances(result)},
                     {"findings_count", findings_count},  {"histograms", page_histograms(result)},
                     {"colours", page_colours()},         {"maps", page_maps(result, maps)},
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
                {"map_js", assets::map_js()},
                {"where_js", assets::where_js()},
                {"report_js", assets::report_js()}});
  file.commit();
}

}  // namespace gridiron
