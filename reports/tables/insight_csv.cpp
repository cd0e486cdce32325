// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/insight_csv.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "analysis/results/segments.hpp"
#include "reports/lookup.hpp"
#include "reports/tables/csv_line.hpp"
#include "reports/text/voltage_digits.hpp"

namespace gridiron {
namespace {

/// Names and limits of the layers of a net, looked up by segment.
class LayerColumns {
 public:
  explicit LayerColumns(const IrReport& result) : result_(result) {
    for (const SegmentLayerResult& layer : result.segment_layers) {
      const std::string name = layer_text(result.layer_names, layer.layers);
      const auto limit = std::ranges::find_if(result.em_limits, [&](const EmLimitResult& l) {
        return l.layer == name && l.net == net_name(result, layer.net);
      });
      rows_.push_back({name, limit == result.em_limits.end() ? nullptr : &*limit});
    }
  }

  struct Row {
    std::string name;
    const EmLimitResult* limit;
  };
  const Row& of(int64_t resistor) const {
    const int32_t net = result_.nodes.net[grid_end(*result_.circuit, resistor)];
    const LayerPair layers = layers_of(result_, resistor);
    const auto& all = result_.segment_layers;
    const auto found = std::ranges::find_if(
        all, [&](const SegmentLayerResult& layer) { return layer.net == net && layer.layers == layers; });
    return rows_[found - all.begin()];
  }

 private:
  const IrReport& result_;
  std::vector<Row> rows_;
};

void add_limit(CsvLine& line, const EmLimitResult* limit, double amperes) {
  if (!limit) {
    line.text("").text("").text("");
    return;
  }
  line.number(limit->width_um > 0 ? limit->width_um : NAN).number(limit->limit_a);
  line.volts(std::abs(amperes) / limit->limit_a);
}

void add_section(CsvLine& line, const SegmentSection& section) {
  const auto unless_0 = [&](double value) { line.number(value > 0 ? value : NAN); };
  unless_0(section.width_um);
  unless_0(section.cuts);
  line.volts(section.a_per_um).volts(section.a_per_um2);
}

}  // namespace

std::vector<int64_t> segments_of(const IrReport& result) {
  std::vector<int64_t> rows;
  rows.reserve(result.segments.current_a.size());
  for (int64_t i = 0; i < std::ssize(result.segments.current_a); ++i)
    if (result.segments.has(i)) rows.push_back(i);
  return rows;
}

void add_segment(CsvLine& line, const IrReport& result, int64_t i, std::string_view layer) {
  const Elements& resistors = result.circuit->resistors;
  line.text(result.circuit->element_name(kResistor, i));
  line.text(net_name(result, result.nodes.net[grid_end(*result.circuit, i)])).text(layer);
  line.text(node_name(result, resistors.a[i])).text(node_name(result, resistors.b[i]));
}

void write_segments_csv(const IrReport& result, const OutputPath& path) {
  const std::vector<int64_t> rows = segments_of(result);
  const LayerColumns layers(result);
  const bool has_limits = !result.em_limits.empty();
  const bool has_sections = result.circuit && result.circuit->placement;
  std::string header = "resistor,net,layer,from,to,current_a,power_w";
  if (has_limits) header += has_sections ? ",limit_width_um,limit_a,ratio" : ",width_um,limit_a,ratio";
  if (has_sections) header += ",width_um,cuts,a_per_um,a_per_um2";
  write_table(path, header, rows.size(), [&](size_t row, CsvLine&& line) {
    const int64_t i = rows[row];
    const LayerColumns::Row& layer = layers.of(i);
    add_segment(line, result, i, layer.name);
    line.volts(result.segments.current_a[i]).volts(result.segments.power_w[i]);
    if (has_limits) add_limit(line, layer.limit, result.segments.current_a[i]);
    if (has_sections) add_section(line, section_of(result, i));
  });
}

void write_openroad_segments_csv(const IrReport& result, const OutputPath& path) {
  std::vector<int64_t> rows = segments_of(result);
  const TerminalNodes terminals(*result.circuit);
  std::erase_if(rows, [&](int64_t i) { return terminals.has_link(i); });
  const Elements& resistors = result.circuit->resistors;
  const NodeTable& nodes = result.nodes;
  const auto key = [&](int64_t i) {
    const auto of = [&](NodeId n) {
      const bool has_place = nodes.has_place(n);
      return std::tuple(static_cast<uint32_t>(nodes.layer[n]), has_place ? nodes.x_um[n] : 0.0,
                        has_place ? nodes.y_um[n] : 0.0);
    };
    return std::tuple(of(resistors.a[i]), of(resistors.b[i]), i);
  };
  std::ranges::sort(rows, [&](int64_t i, int64_t j) { return key(i) < key(j); });
  write_table(path,
              "Node0 Layer,Node0 X location,Node0 Y location,Node1 Layer,Node1 X location,Node1 Y location,Current",
              rows.size(), [&](size_t row, CsvLine&& line) {
                const int64_t i = rows[row];
                for (const NodeId n : {resistors.a[i], resistors.b[i]})
                  line.text(layer_name(result, nodes.layer[n])).fixed(nodes.x_um[n], 4).fixed(nodes.y_um[n], 4);
                line.scientific(std::abs(result.segments.current_a[i]), 3);
              });
}

void write_hot_spots_csv(const IrReport& result, const OutputPath& path, std::span<const double> time_s) {
  write_table(
      path, with_worst_time("node,net,layer,x_um,y_um,drop_v,bound_v,pad,pad_distance_um", time_s),
      result.hot_spots.size(),
      [&](size_t row, CsvLine&& line) {
        const HotSpot& spot = result.hot_spots[row];
        line.text(node_name(result, spot.node)).text(net_name(result, spot.net));
        line.text(layer_name(result, result.nodes.layer[spot.node])).place(result.nodes, spot.node).volts(spot.drop_v);
        line.number(result.certificate.bound_v());
        if (spot.pad == kGround)
          line.text("").text("");
        else
          line.text(node_name(result, spot.pad)).number(spot.pad_distance_um);
        if (!time_s.empty()) line.number(time_s[spot.node]);
      },
      voltage_digits(result));
}

}  // namespace gridiron
