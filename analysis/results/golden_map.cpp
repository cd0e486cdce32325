// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "analysis/results/drop_map.hpp"
#include "netlist/source_text.hpp"
#include "support/byte_order_mark.hpp"
#include "support/error_text.hpp"
#include "support/field.hpp"
#include "support/plural.hpp"

namespace gridiron {

GoldenMap read_golden_map(const std::string& path) {
  const auto source = SourceText::open(path);
  const std::string_view text = source->text();
  const char *at = without_byte_order_mark(text).data(), *const end = text.data() + text.size();
  const auto fail = [&](const std::string& what) -> void {
    throw input_error("{}: {}", source->describe(static_cast<uint64_t>(at - text.data())), what);
  };
  GoldenMap map;
  map.path = path;
  int64_t in_line = 0;
  while (at != end) {
    while (at != end && (*at == ' ' || *at == '\t')) ++at;
    double value = 0;
    const auto [after, error] = std::from_chars(at, end, value);
    if (error != std::errc() || !std::isfinite(value))
      fail("expected a drop in volts; a line holds numbers and commas");
    at = after;
    map.drop_v.push_back(value);
    ++in_line;
    while (at != end && (*at == ' ' || *at == '\t' || *at == '\r')) ++at;
    if (at != end && *at == ',') {
      ++at;
      continue;
    }
    if (at != end && *at != '\n') fail("expected a comma or the end of the line");
    if (map.nx++ == 0) map.ny = in_line;
    if (in_line != map.ny)
      fail(fmt::format("this line has {}, those before have {}", counted(in_line, "value"), map.ny));
    in_line = 0;
    while (at != end && (*at == '\n' || *at == '\r')) ++at;
  }
  if (in_line > 0) fail("expected a value after the last comma");
  if (map.nx == 0) fail("the map is empty");
  return map;
}

MapScore score_map(const IrReport& report, const GoldenMap& golden) {
  if (report.nets.size() != 1)
    throw input_error("{}: a golden map is of one net, and the run reports {}; choose one by {}", golden.path,
                      report.nets.size(), field("net"));
  const auto [nx, ny] = pixels_from_origin(report, 0);
  if (nx > 0 && ny > 0 && (nx != golden.nx || ny != golden.ny))
    throw input_error(
        "{}: the map is {} x {} pixels, a line per x with a value per µm along y, but that of net {} is {} x "
        "{}; is it of another design, or turned, or {} another?",
        golden.path, golden.nx, golden.ny, report.nets[0].name, nx, ny, field("dbu"));
  const DropMap map = drop_map(report, 0, MapMode::interpolated, std::pair(golden.nx, golden.ny));
  double most = 0, sum = 0;
  for (const double drop : golden.drop_v) most = std::max(most, drop);
  MapScore score;
  score.path = golden.path;
  score.nx = golden.nx;
  score.ny = golden.ny;
  score.net = report.nets[0].name;
  if (map.layer >= 0) score.layer = report.layer_names[map.layer];
  int64_t hits = 0, marked = 0, wanted = 0;
  for (size_t i = 0; i < golden.drop_v.size(); ++i) {
    const double error = std::abs(map.drop_v[i] - golden.drop_v[i]);
    sum += error;
    score.largest_error_v = std::max(score.largest_error_v, error);
    const bool is_hot = map.drop_v[i] > 0.9 * most, should_be = golden.drop_v[i] > 0.9 * most;
    hits += is_hot && should_be;
    marked += is_hot;
    wanted += should_be;
  }
  score.mean_error_v = sum / golden.drop_v.size();
  score.f1 = marked + wanted > 0 ? 2.0 * static_cast<double>(hits) / static_cast<double>(marked + wanted) : 1.0;
  return score;
}

}  // namespace gridiron
