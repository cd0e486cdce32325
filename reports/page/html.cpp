// SPDX-License-Identifier: Apache-2.0
#include "reports/page/html.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <span>

#include "reports/json/fields_json.hpp"
#include "reports/json/json.hpp"
#include "reports/lookup.hpp"
#include "reports/page/assets.hpp"
#include "reports/page/page.hpp"
#include "reports/text/engine_lines.hpp"
#include "reports/text/escape.hpp"
#include "support/output_file.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

constexpr size_t kHistogramBins = 60;
using Counts = std::array<int64_t, kHistogramBins>;

/// The drops of a net, and the steps in which they are counted.
struct Spread {
  double low = INFINITY, high = -INFINITY;
  int64_t nodes = 0;
  size_t bins = 1;           ///< fewer for few nodes, one where all have the same drop
  size_t row = kRowsOfPage;  ///< of the list; those beyond have no histogram

  void add(const Spread& some) {
    low = std::min(low, some.low);
    high = std::max(high, some.high);
    nodes += some.nodes;
  }
  size_t bin_of(double drop) const {
    return bins == 1 ? 0 : std::min(static_cast<size_t>((drop - low) / (high - low) * bins), bins - 1);
  }
};

/// Of each net; as many as the page has rows for have histograms.
std::vector<Spread> spreads_of(const IrReport& result, auto&& in_ranges, auto&& add_drops) {
  constexpr double kSame = 1e-9;  // of the larger of two drops
  auto spreads = in_ranges(
      [&](int64_t begin, int64_t end) {
        std::vector<Spread> some(result.nets.size());
        add_drops(begin, end, [&](size_t net, double drop) { some[net].add({drop, drop, 1}); });
        return some;
      },
      [](std::vector<Spread>& all, const std::vector<Spread>& some) {
        all.resize(some.size());
        for (size_t net = 0; net < some.size(); ++net) all[net].add(some[net]);
      });
  size_t rows = 0;
  for (Spread& of : spreads) {
    if (of.nodes == 0 || rows == kRowsOfPage) continue;
    of.row = rows++;
    if (of.high - of.low > kSame * std::max(std::abs(of.low), std::abs(of.high)))
      of.bins = std::clamp<size_t>(2 * std::ceil(std::sqrt(of.nodes)), 2, kHistogramBins);
    else
      of.low = of.high;
  }
  return spreads;
}

/// Histogram of the drops of each net, in equal steps from the least to the worst.
Json page_histograms(const IrReport& result) {
  const NodeTable& nodes = result.nodes;
  const auto add_drops = [&](int64_t begin, int64_t end, auto&& add) {
    for (size_t n = begin; n < static_cast<size_t>(end); ++n)
      if (has_drop(nodes, n)) add(static_cast<size_t>(nodes.net[n]), nodes.drop_v[n]);
  };
  const int64_t count = std::ssize(nodes.state), grain = std::max<int64_t>(1 << 14, count / 32 + 1);
  const auto in_ranges = [&](auto&& of_range, auto&& join) {
    return joined_ranges<decltype(of_range(int64_t{}, int64_t{}))>(count, of_range, join, grain);
  };
  const std::vector<Spread> spreads = spreads_of(result, in_ranges, add_drops);
  const auto rows = std::ranges::count_if(spreads, [](const Spread& of) { return of.row < kRowsOfPage; });
  const auto counts = in_ranges(
      [&](int64_t begin, int64_t end) {
        std::vector<Counts> some(rows);
        add_drops(begin, end, [&](size_t net, double drop) {
          const Spread& of = spreads[net];
          if (of.row < kRowsOfPage) ++some[of.row][of.bin_of(drop)];
        });
        return some;
      },
      [](std::vector<Counts>& all, const std::vector<Counts>& some) {
        all.resize(some.size());
        for (size_t row = 0; row < some.size(); ++row)
          std::ranges::transform(all[row], some[row], all[row].begin(), std::plus());
      });

  Json list = Json::array();
  for (size_t net = 0; net < spreads.size(); ++net) {
    const Spread& of = spreads[net];
    if (of.row == kRowsOfPage) continue;
    const std::span bins = std::span(counts[of.row]).first(of.bins);
    list.push_back({{"net", result.nets[net].name},
                    {"low_v", of.low},
                    {"high_v", of.high},
                    {"counts", std::vector<int64_t>(bins.begin(), bins.end())}});
  }
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

/// A load vector at the net that comes nearest to its limit on the worst drop, or exceeds it most; without such limits,
/// at the net that drops most. Its verdict is that of all nets.
struct VectorRow {
  double need = -INFINITY;  ///< by which rows are sorted
  size_t vector = 0, net = 0;
  std::optional<double> limit_v;
  bool exceeded = false, undecided = false;
};

VectorRow vector_row(const VectorResult& result, size_t vector, const std::vector<std::optional<double>>& limit_v,
                     bool has_limits) {
  VectorRow row;
  row.vector = vector;
  for (size_t net = 0; net < result.nets.size(); ++net) {
    const double drop = result.nets[net].worst_drop_v;
    const double need = !has_limits ? drop : limit_v[net] ? drop / *limit_v[net] : -1;
    if (need > row.need) row.need = need, row.net = net, row.limit_v = limit_v[net];
    if (!limit_v[net]) continue;
    row.exceeded = row.exceeded || drop > *limit_v[net];
    row.undecided = row.undecided || !result.bounded || drop + result.bound_v > *limit_v[net];
  }
  return row;
}

/// Worst first; {"rows", "count", "exceeded"}.
Json page_vectors(const IrReport& result) {
  std::vector<std::optional<double>> limit_v(result.nets.size());
  for (const LimitResult& limit : result.limits)
    for (size_t net = 0; net < result.nets.size(); ++net)
      if (limit.quantity == "worst" && limit.layer.empty() && result.nets[net].name == limit.net)
        limit_v[net] = limit.limit_v;
  const bool has_limits = std::ranges::any_of(limit_v, [](const auto& limit) { return limit.has_value(); });
  std::vector<VectorRow> rows;
  for (size_t k = 0; k < result.vectors.size(); ++k)
    rows.push_back(vector_row(result.vectors[k], k, limit_v, has_limits));
  std::ranges::stable_sort(rows, std::greater(), &VectorRow::need);
  Json list = Json::array();
  for (const VectorRow& row : std::span(rows).first(std::min(rows.size(), kRowsOfPage))) {
    const DropSummary& net = result.vectors[row.vector].nets[row.net];
    Json entry = json_node(result, net.worst_node);
    entry.erase("voltage_v");
    entry["drop_v"] = net.worst_drop_v;
    entry["average_v"] = net.average_drop_v;
    entry["vector"] = row.vector;
    entry["limit_v"] = row.limit_v ? Json(*row.limit_v) : Json(nullptr);
    entry["verdict"] = !row.limit_v ? "no limit" : row.exceeded ? "exceeded" : row.undecided ? "undecided" : "ok";
    list.push_back(std::move(entry));
  }
  return {{"rows", std::move(list)},
          {"count", rows.size()},
          {"has_limits", has_limits},
          {"exceeded", std::ranges::count(rows, true, &VectorRow::exceeded)}};
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

Json over_em_limits(const IrReport& result) {
  return page_over_em_limits(result,
                             [&](const std::string&) -> std::span<const double> { return result.segments.current_a; });
}

}  // namespace

void write_html(const IrReport& result, const std::vector<HeatMap>& maps, const std::vector<HeatMap>& stress_maps,
                const OutputPath& path) {
  Json report = json_document(result);
  report.erase("metrics");
  const size_t findings_count = cut(report["findings"]);
  Json data = {{"name", result.netlist_name},
               {"report", std::move(report)},
               {"verdict", page_verdict(result)},
               {"layer_names", result.layer_names},
               {"worst_nodes", page_worst_nodes(result)},
               {"pads", page_pads(result)},
               {"instances", page_instances(result)},
               {"findings_count", findings_count},
               {"histograms", page_histograms(result)},
               {"colours", page_colours()},
               {"length", page_length(result)},
               {"em_segments", page_em(result)},
               {"over_em_limits", over_em_limits(result)},
               {"more_pads", page_more_pads(result)},
               {"engine_is_direct", is_direct(result.engine)}};
  if (!result.vectors.empty()) data["vectors"] = page_vectors(result);
  add_maps(result, maps, stress_maps, data);
  if (result.circuit && result.circuit->placement) data["macros"] = page_macros(*result.circuit->placement);
  if (result.stress) add_stress(result, data);
  write_page(path, assets::report_html(), html_text(result.netlist_name) + " · IR drop", data,
             {{"drop_charts_js", assets::drop_charts_js()},
              {"where_js", assets::where_js()},
              {"report_js", assets::report_js()}});
}

}  // namespace gridiron
