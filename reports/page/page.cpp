// SPDX-License-Identifier: Apache-2.0
#include "reports/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "analysis/results/em/judge_em.hpp"
#include "analysis/results/instances.hpp"
#include "analysis/results/segments.hpp"
#include "analysis/run/verdict.hpp"
#include "reports/json/json.hpp"
#include "reports/lookup.hpp"
#include "reports/page/assets.hpp"
#include "reports/page/base64.hpp"
#include "reports/pictures/colormap.hpp"
#include "reports/pictures/picture.hpp"
#include "reports/text/length_unit.hpp"
#include "reports/text/ranking.hpp"
#include "reports/text/utf8.hpp"
#include "support/lists.hpp"
#include "support/output_file.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

std::vector<std::string> overlays(const std::vector<HeatMap>& maps) {
  std::vector<std::string> images(maps.size());
  parallel_tasks(std::ssize(maps), [&](int64_t i) { images[i] = map_overlay(maps[i]); });
  return images;
}

}  // namespace

Json page_maps(const IrReport& result, const std::vector<HeatMap>& maps, size_t image_bytes) {
  std::vector<HeatMap> coarser;
  const std::vector<HeatMap>* shown = &maps;
  std::vector<std::string> images = overlays(maps);
  const auto bytes = [&] {
    size_t sum = 0;
    for (const std::string& image : images) sum += image.size();
    return sum;
  };
  while (bytes() > image_bytes && shown->front().frame.width > 16) {
    if (coarser.empty()) coarser = maps;
    for (HeatMap& map : coarser) halve(map);
    shown = &coarser;
    images = overlays(coarser);
  }

  Json list = Json::array();
  size_t used = 0;
  for (size_t i = 0; i < images.size() && (used += images[i].size()) <= image_bytes; ++i) {
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

Json page_colours(ScaleKind kind) {
  Json list = Json::array();
  for (const Rgb& c : kind == ScaleKind::of_drops ? heat_colours() : diverging_colours())
    list.push_back(fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue));
  return list;
}

const char* page_verdict(const IrReport& result) { return name_of(verdict_of(result).outcome()); }

Json page_length(const IrReport& result) {
  const LengthUnit unit = length_unit(result);
  return {{"unit", unit.name}, {"per_um", unit.per_um}};
}

Json page_instance(const IrReport& result, const InstanceResult& instance) {
  Json row = json_node(result, instance.node());
  row.erase("drop_v");
  row["name"] = instance_name(*result.circuit, instance).text();
  if (const std::string_view cell = instance_cell(*result.circuit, instance); !cell.empty()) row["cell"] = cell;
  return row;
}

Json page_more_pads(const IrReport& result) {
  constexpr size_t kMostPads = 5000;
  Json list = Json::array();
  for (size_t k = kRowsOfPage; k < std::min(result.pads.size(), kMostPads); ++k) {
    const PadResult& pad = result.pads[k];
    if (pad.net < 0 || !result.nodes.has_place(pad.node)) continue;
    list.push_back({pad.net, result.nodes.x_um[pad.node], result.nodes.y_um[pad.node]});
  }
  return list;
}

namespace {

/// Where a segment is, and which.
Json page_segment(const IrReport& result, int64_t i) {
  const NodeTable& nodes = result.nodes;
  const Circuit& circuit = *result.circuit;
  const NodeId a = circuit.resistors.a[i], b = circuit.resistors.b[i], end = grid_end(circuit, i);
  return {{"name", circuit.element_name(kResistor, i)},
          {"node", node_name(result, end)},
          {"net", net_name(result, nodes.net[end])},
          {"layer", layer_text(result.layer_names, layers_of(result, i))},
          {"x_um", number_or_null((nodes.x_um[a] + nodes.x_um[b]) / 2)},
          {"y_um", number_or_null((nodes.y_um[a] + nodes.y_um[b]) / 2)},
          {"ends_um",
           {number_or_null(nodes.x_um[a]), number_or_null(nodes.y_um[a]), number_or_null(nodes.x_um[b]),
            number_or_null(nodes.y_um[b])}}};
}

const char* word_of(EmVerdict verdict) {
  return verdict == EmVerdict::violated ? "violated" : verdict == EmVerdict::kept ? "ok" : "undecided";
}

}  // namespace

Json page_em(const IrReport& result) {
  Json list = Json::array();
  if (!result.em) return list;
  for (const int64_t i : em_worst_first(result, *result.em, kRowsOfPage)) {
    const EmRow row = em_row(result, *result.em, i);
    Json segment = page_segment(result, i);
    segment.update({{"width_um", number_or_null(row.width_um)},
                    {"current_a", row.peak_a},
                    {"rule", result.em->rules[row.rule].name},
                    {"value", row.value},
                    {"limit", row.limit},
                    {"ratio", row.ratio},
                    {"em_verdict", word_of(result.em->verdict[i])}});
    list.push_back(std::move(segment));
  }
  return list;
}

Json page_over_em_limits(const IrReport& result, const CurrentsOf& currents_of) {
  struct Over {
    double ratio;
    int64_t segment;
    double current_a;
    const EmLimitResult* limit;
  };
  std::vector<Over> over;
  for (const EmLimitResult& limit : result.em_limits) {
    if (!limit.exceeded || !result.circuit) continue;
    const std::span<const double> currents = currents_of(limit.quantity);
    for (int64_t i = 0; i < std::ssize(currents); ++i) {
      const double ratio = std::abs(currents[i]) / limit.limit_a;
      if (!(ratio > 1)) continue;
      const int32_t net = result.nodes.net[grid_end(*result.circuit, i)];
      if (net >= 0 && result.nets[net].name == limit.net &&
          layer_text(result.layer_names, layers_of(result, i)) == limit.layer)
        over.push_back({ratio, i, std::abs(currents[i]), &limit});
    }
  }
  std::ranges::stable_sort(over, std::greater(), &Over::ratio);
  over.resize(std::min(over.size(), kRowsOfPage));
  Json list = Json::array();
  for (const Over& row : over) {
    Json segment = page_segment(result, row.segment);
    segment.update({{"current_a", row.current_a}, {"limit_a", row.limit->limit_a}, {"ratio", row.ratio}});
    if (!row.limit->quantity.empty()) segment["quantity"] = row.limit->quantity;
    list.push_back(std::move(segment));
  }
  return list;
}

std::vector<NodeId> nodes_of_page(const IrReport& result) {
  const size_t per_net = std::max<size_t>(1, kRowsOfPage / std::max<size_t>(1, result.nets.size()));
  std::vector<NodeId> all;
  for (const std::vector<NodeId>& nodes : worst_nodes(result, std::min<size_t>(per_net, 100))) append(all, nodes);
  if (all.size() > kRowsOfPage) all.resize(kRowsOfPage);
  return all;
}

size_t cut(Json& list) {
  const size_t count = list.size();
  if (count > kRowsOfPage) list.erase(list.begin() + kRowsOfPage, list.end());
  return count;
}

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

void write_page(const OutputPath& path, std::string_view page, const std::string& title, const Json& data,
                std::map<std::string_view, std::string_view> own) {
  const std::string json = script_json(data);
  own.insert({{"title", title},
              {"data", json},
              {"leaflet_css", assets::leaflet_css()},
              {"report_css", assets::report_css()},
              {"leaflet_js", assets::leaflet_js()},
              {"chart_js", assets::chart_js()},
              {"roving_js", assets::roving_js()},
              {"tables_js", assets::tables_js()},
              {"page_js", assets::page_js()},
              {"charts_js", assets::charts_js()},
              {"map_entries_js", assets::map_entries_js()},
              {"map_marks_js", assets::map_marks_js()},
              {"map_print_js", assets::map_print_js()},
              {"map_place_js", assets::map_place_js()},
              {"map_js", assets::map_js()}});
  OutputFile file(path);
  for (;;) {
    const size_t open = page.find("{{");
    file.write(page.substr(0, open));
    if (open == page.npos) return file.commit();
    const size_t close = page.find("}}", open);
    file.write(own.at(page.substr(open + 2, close - open - 2)));
    page.remove_prefix(close + 2);
  }
}

}  // namespace gridiron
