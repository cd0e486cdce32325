// SPDX-License-Identifier: Apache-2.0
#include "reports/report.hpp"

#include "reports/convergence_picture.hpp"
#include "reports/csv.hpp"
#include "reports/escape.hpp"
#include "reports/heat_map.hpp"
#include "reports/html.hpp"
#include "reports/insight_csv.hpp"
#include "reports/numbers.hpp"
#include "reports/picture.hpp"
#include "reports/solution.hpp"
#include "support/output_file.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

std::vector<std::string> write_pictures(const IrReport& result, const std::vector<HeatMap>& maps,
                                        const std::filesystem::path& directory) {
  std::vector<std::string> names = map_file_names(result, maps);
  parallel_tasks(static_cast<std::int64_t>(maps.size()), [&](std::int64_t i) {
    const auto map = static_cast<std::size_t>(i);
    write_file(directory / names[map], map_picture(result, maps[map]));
  });
  return names;
}

}  // namespace

std::vector<std::filesystem::path> write_reports(const IrReport& result, const std::filesystem::path& directory,
                                                 const std::set<std::string, std::less<>>& formats) {
  make_directory(directory);
  std::vector<std::filesystem::path> written;
  const auto path_for = [&](const std::string& name) { return written.emplace_back(directory / name); };

  if (formats.contains("text")) write_file(path_for("summary.txt"), text_summary(result));
  if (formats.contains("solution")) write_solution(result, path_for(file_name_part(result.netlist_name) + ".solution"));
  if (formats.contains("csv")) {
    write_nodes_csv(result, path_for("nodes.csv"));
    write_layers_csv(result, path_for("layers.csv"));
    write_sources_csv(result, path_for("sources.csv"));
    write_hot_spots_csv(result, path_for("hotspots.csv"));
    if (!formats.contains("openroad")) {
      write_instances_csv(result, path_for("instances.csv"));
      write_segments_csv(result, path_for("segments.csv"));
    }
    if (!result.vectors.empty()) write_vectors_csv(result, path_for("vectors.csv"));
  }
  if (formats.contains("openroad")) {
    write_openroad_instances_csv(result, path_for("instances.csv"));
    write_openroad_segments_csv(result, path_for("segments.csv"));
  }
  if (formats.contains("json")) write_file(path_for("report.json"), json_report(result));
  if (formats.contains("png") || formats.contains("html")) {
    const std::vector<HeatMap> maps = heat_maps(result);
    if (formats.contains("png")) {
      for (const std::string& name : write_pictures(result, maps, directory)) path_for(name);
      if (result.solve.history.size() > 1)
        write_file(path_for("convergence.png"),
                   convergence_picture(result.netlist_name, count_of(result.reduced.unknowns, "unknown"), result.engine,
                                       result.solve));
    }
    if (formats.contains("html")) write_html(result, maps, path_for("report.html"));
  }
  return written;
}

void remove_old_reports(const std::filesystem::path& directory, const std::string& netlist_name,
                        const std::set<std::string, std::less<>>& formats) {
  const auto format_of = [&](const std::string& name) -> std::string_view {
    if ((name == "instances.csv" || name == "segments.csv") && formats.contains("openroad")) return "openroad";
    if (name == "summary.txt") return "text";
    if (name == file_name_part(netlist_name) + ".solution") return "solution";
    for (const char* table :
         {"nodes.csv", "layers.csv", "sources.csv", "instances.csv", "segments.csv", "hotspots.csv", "vectors.csv"})
      if (name == table) return "csv";
    if (name == "report.json") return "json";
    if (name == "report.html") return "html";
    if (name == "convergence.png" || (name.starts_with("map_") && name.ends_with(".png"))) return "png";
    return "";
  };
  std::error_code error;
  std::vector<std::filesystem::path> old;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(directory, error))
    if (formats.contains(format_of(entry.path().filename().string()))) old.push_back(entry.path());
  for (const std::filesystem::path& path : old) std::filesystem::remove(path, error);
}

}  // namespace gridiron
