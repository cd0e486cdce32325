// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/lookup.hpp"
#include "reports/pictures/canvas.hpp"
#include "reports/pictures/layout_marks.hpp"
#include "reports/pictures/plot.hpp"
#include "reports/pictures/png.hpp"
#include "reports/tables/unique_names.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/length_unit.hpp"
#include "reports/text/numbers.hpp"
#include "support/output_file.hpp"
#include "support/parallel.hpp"

namespace gridiron {
std::string map_picture(const IrReport& result, const HeatMap& map) {
  const NetResult& net = result.nets[map.net];
  const NodeId worst = map.worst_node;
  const double drop = result.nodes.drop_v[worst];
  const std::string layer = map.layer ? printable(layer_name(result, *map.layer)) : "worst of all layers";
  const std::string share =
      net.supply_v > 0 ? fmt::format(" ({} of supply)", percent(percent_of_supply(net, drop))) : "";
  const auto [unit, volts] = unit_of_scale(std::max(std::abs(map.scale.low_v), std::abs(map.scale.high_v)));

  Plot plot;
  plot.title = fmt::format("{} · {} · {}", printable(net.name), layer, net.is_ground ? "ground bounce" : "IR drop");
  plot.remark = count_of(map.nodes, "node");
  plot.facts =
      fmt::format("worst {}{} at {}", with_unit(drop, "V", "µ"), share, printable(node_name(result, map.worst_node)));
  const LengthUnit unit_of_length = length_unit(result);
  plot.x_label = fmt::format("x, {}", unit_of_length.name);
  plot.y_label = fmt::format("y, {}", unit_of_length.name);
  plot.left = map.frame.left_um * unit_of_length.per_um;
  plot.top = map.frame.top_um * unit_of_length.per_um;
  plot.per_pixel = map.frame.um_per_pixel * unit_of_length.per_um;
  plot.width = map.frame.width;
  plot.height = map.frame.height;
  plot.pixels = map.pixels;
  plot.low = map.scale.low_v / volts;
  plot.high = map.scale.high_v / volts;
  plot.unit = unit;
  plot.ring = {result.nodes.x_um[worst] * unit_of_length.per_um, result.nodes.y_um[worst] * unit_of_length.per_um};
  const int64_t opens = draw_layout_marks(result, map, unit_of_length.per_um, plot);
  if (opens > 0) plot.remark += fmt::format(", {}", count_of(opens, "open"));
  return plot_png(plot);
}

std::string map_overlay(const HeatMap& map) {
  return encode_png({.width = map.frame.width,
                     .height = map.frame.height,
                     .pixels = map.pixels,
                     .palette = Canvas::palette().first(1 + kHeatColours),
                     .first_is_transparent = true});
}

std::vector<std::string> map_file_names(const IrReport& result, const std::vector<HeatMap>& maps) {
  std::vector<std::string> names;
  UniqueNames unique;
  for (const HeatMap& map : maps) {
    names.push_back(unique.take(fmt::format("map_{}_{}", file_name_part(net_name(result, map.net)),
                                            map.layer ? file_name_part(layer_name(result, *map.layer)) : "all"),
                                ".png"));
  }
  return names;
}

std::vector<std::string> write_pictures(const IrReport& result, const std::vector<HeatMap>& maps,
                                        const OutputPath& directory) {
  std::vector<std::string> names = map_file_names(result, maps);
  parallel_tasks(std::ssize(maps), [&](int64_t k) { write_file(directory / names[k], map_picture(result, maps[k])); });
  return names;
}

}  // namespace gridiron
