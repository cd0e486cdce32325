// SPDX-License-Identifier: Apache-2.0
#include "reports/page/html.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "analysis/results/em/judge_em.hpp"
#include "analysis/results/segments.hpp"
#include "reports/json/fields_json.hpp"
#include "reports/json/json.hpp"
#include "reports/lookup.hpp"
#include "reports/page/assets.hpp"
#include "reports/page/page.hpp"
#include "reports/text/escape.hpp"
#include "support/output_file.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

constexpr size_t kHistogramBins = 60;

/// Histogram of the drops of each net, in equal steps from the least to the worst.
Json page_histograms(const IrReport& result) {
  struct Drops {
    double low = INFINITY, high = -INFINITY;
    size_t row = kRowsOfPage;  ///< of the list; those beyond have no histogram
  };
  using Counts = std::array<int64_t, kHistogramBins>;
  const NodeTable& nodes = result.nodes;
  const auto add_drops = [&](int64_t begin, int64_t end, auto&& add) {
    for (size_t n = begin; n < static_cast<size_t>(end); ++n)
      if (has_drop(nodes, n)) add(static_cast<size_t>(nodes.net[n]), nodes.drop_v[n]);
  };
  const int64_t count = std::ssize(nodes.state), grain = std::max<int64_t>(1 << 14, count / 32 + 1);
  auto drops = joined_ranges<std::vector<Drops>>(
      count,
      [&](int64_t begin, int64_t end) {
        std::vector<Drops> some(result.nets.size());
        add_drops(begin, end, [&](size_t net, double drop) {
          some[net].low = std::min(some[net].low, drop);
          some[net].high = std::max(some[net].high, drop);
        });
        return some;
      },
      [&](std::vector<Drops>& all, const std::vector<Drops>& some) {
        all.resize(some.size());
        for (size_t net = 0; net < some.size(); ++net) {
          all[net].low = std::min(all[net].low, some[net].low);
          all[net].high = std::max(all[net].high, some[net].high);
        }
      },
      grain);
  size_t rows = 0;
  for (Drops& of : drops) {
    if (!(of.high > of.low)) of.high = of.low + 1e-6;
    if (std::isfinite(of.low) && rows < kRowsOfPage) of.row = rows++;
  }
  auto counts = joined_ranges<std::vector<Counts>>(
      count,
      [&](int64_t begin, int64_t end) {
        std::vector<Counts> some(rows);
        add_drops(begin, end, [&](size_t net, double drop) {
          const auto& [low, high, row] = drops[net];
          if (row == kRowsOfPage) return;
          const size_t bin = (drop - low) / (high - low) * kHistogramBins;
          ++some[row][std::min(bin, kHistogramBins - 1)];
        });
        return some;
      },
      [](std::vector<Counts>& all, const std::vector<Counts>& some) {
        all.resize(some.size());
        for (size_t row = 0; row < some.size(); ++row)
          std::ranges::transform(all[row], some[row], all[row].begin(), std::plus());
      },
      grain);

  Json list = Json::array();
  for (size_t net = 0; net < drops.size(); ++net)
    if (const auto& [low, high, row] = drops[net]; row < kRowsOfPage)
      list.push_back({{"net", result.nets[net].name}, {"low_v", low}, {"high_v", high}, {"counts", counts[row]}});
  return list;
}

Json page_worst_nodes(const IrReport& result) {
  Json list = Json::array();
  for (const NodeId node : nodes_of_page(result)) list.push_back(json_node(result, node));
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
    list.push_back(with_fields(result, page_instance(result, instance), instance));
  }
  return list;
}

/// The segments that come nearest to rules of electromigration, or violate them most.
Json page_em(const IrReport& result) {
  Json list = Json::array();
  if (!result.em) return list;
  const NodeTable& nodes = result.nodes;
  for (const int64_t i : em_worst_first(result, *result.em, kRowsOfPage)) {
    const NodeId a = result.circuit->resistors.a[i], b = result.circuit->resistors.b[i];
    const EmRow row = em_row(result, *result.em, i);
    list.push_back({{"name", result.circuit->element_name(kResistor, i)},
                    {"node", node_name(result, grid_end(*result.circuit, i))},
                    {"net", net_name(result, nodes.net[grid_end(*result.circuit, i)])},
                    {"layer", layer_text(result.layer_names, layers_of(result, i))},
                    {"x_um", number_or_null((nodes.x_um[a] + nodes.x_um[b]) / 2)},
                    {"y_um", number_or_null((nodes.y_um[a] + nodes.y_um[b]) / 2)},
                    {"ends_um",
                     {number_or_null(nodes.x_um[a]), number_or_null(nodes.y_um[a]), number_or_null(nodes.x_um[b]),
                      number_or_null(nodes.y_um[b])}},
                    {"width_um", number_or_null(row.width_um)},
                    {"current_a", row.peak_a},
                    {"rule", result.em->rules[row.rule].name},
                    {"value", row.value},
                    {"limit", row.limit},
                    {"ratio", row.ratio}});
  }
  return list;
}

/// Of a layout.
Json page_macros(const Placement& placement) {
  Json list = Json::array();
  for (const Placement::Macro& macro : placement.macros) {
    if (list.size() == kRowsOfPage) break;
    const Placement::Box& box = macro.box;
    list.push_back({{"name", macro.name},
                    {"cell", macro.cell},
                    {"left_um", box.left_um},
                    {"bottom_um", box.bottom_um},
                    {"right_um", box.right_um},
                    {"top_um", box.top_um}});
  }
  return list;
}

/// Rows with the place of a node that each tree has.
template <class Tree>
Json page_trees(const IrReport& result, const std::vector<Tree>& trees, NodeId Tree::*node) {
  Json list = Json::array();
  for (const Tree& tree : trees) {
    Json row = json_node(result, tree.*node);
    row.erase("drop_v");
    list.push_back(with_fields(result, std::move(row), tree));
  }
  return list;
}

/// Of metal: the trees with the largest stress, those in which voids nucleate first, and segments as they fail.
void add_stress(const IrReport& result, Json& data) {
  const StressReport& stress = *result.stress;
  data["stress_trees"] = page_trees(result, stress.worst_trees(), &StressTree::worst);
  if (stress.cascade) data["failures"] = page_trees(result, stress.cascade->stages, &CascadeStage::node);
  if (!stress.lifetime) return;
  data["voids"] = page_trees(result, stress.lifetime->first_trees(), &TreeLifetime::node);
  data["stress_curves"] = Json::array();
  for (size_t k = 0; k < stress.lifetime->curves.size(); ++k) {
    const StressCurve& curve = stress.lifetime->curves[k];
    data["stress_curves"].push_back({{"tree", stress.lifetime->trees[stress.lifetime->first[k]].tree},
                                     {"time_s", curve.time_s},
                                     {"stress_pa", curve.stress_pa}});
  }
}

/// Maps of drops, then those of stress as another view, which are coarser where a page of drops would grow much.
void add_maps(const IrReport& result, const std::vector<HeatMap>& maps, const std::vector<HeatMap>& stress_maps,
              Json& data) {
  constexpr const char *kDrops = "IR drop", *kStress = "stress of metal";
  if (stress_maps.empty()) {
    data["maps"] = page_maps(result, maps, kImageBytes);
    return;
  }
  constexpr size_t kMost = kImageBytes / 4, kLeast = 1 << 16;
  data["views"] = {kDrops, kStress};
  data["stress_colours"] = page_colours(ScaleKind::around_zero);
  data["maps"] = page_maps(result, maps, kImageBytes - kMost);
  size_t of_drops = 0;
  for (Json& map : data["maps"]) {
    map["view"] = kDrops;
    of_drops += map["image"].get_ref<const std::string&>().size();
  }
  Json of_stress = page_maps(result, stress_maps, std::clamp(of_drops / 5, kLeast, kMost));
  for (size_t k = 0; k < of_stress.size(); ++k) {
    Json& map = of_stress[k];
    const NodeId worst = stress_maps[k].worst_node;
    map["view"] = kStress;
    map["low_pa"] = map["low_v"];
    map["high_pa"] = map["high_v"];
    map["worst"]["stress_pa"] =
        result.stress->stress_at(result.stress->trees[result.stress->tree[worst]], result.nodes.voltage_v[worst]);
    for (const char* volts : {"low_v", "high_v"}) map.erase(volts);
    map["worst"].erase("drop_v");
    data["maps"].push_back(std::move(map));
  }
}

}  // namespace

void write_html(const IrReport& result, const std::vector<HeatMap>& maps, const std::vector<HeatMap>& stress_maps,
                const OutputPath& path) {
  Json report = json_document(result);
  report.erase("metrics");
  const size_t findings_count = cut(report["findings"]);
  Json data = {{"name", result.netlist_name},       {"report", std::move(report)},
               {"layer_names", result.layer_names}, {"worst_nodes", page_worst_nodes(result)},
               {"pads", page_pads(result)},         {"instances", page_instances(result)},
               {"findings_count", findings_count},  {"histograms", page_histograms(result)},
               {"colours", page_colours()},         {"length", page_length(result)},
               {"em_segments", page_em(result)}};
  add_maps(result, maps, stress_maps, data);
  if (result.circuit && result.circuit->placement) data["macros"] = page_macros(*result.circuit->placement);
  if (result.stress) add_stress(result, data);
  write_page(path, assets::report_html(), html_text(result.netlist_name) + " · IR drop", data,
             {{"where_js", assets::where_js()}, {"report_js", assets::report_js()}});
}

}  // namespace gridiron
