// SPDX-License-Identifier: Apache-2.0
#include "reports/report.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "analysis/results/markers.hpp"
#include "reports/page/html.hpp"
#include "reports/pictures/convergence_picture.hpp"
#include "reports/pictures/heat_map.hpp"
#include "reports/pictures/picture.hpp"
#include "reports/tables/budget_tables.hpp"
#include "reports/tables/csv.hpp"
#include "reports/tables/drop_map_file.hpp"
#include "reports/tables/em_csv.hpp"
#include "reports/tables/insight_csv.hpp"
#include "reports/tables/markers.hpp"
#include "reports/tables/solution.hpp"
#include "reports/tables/stress_csv.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "support/output_file.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

void write_drop_maps(const IrReport& result, const Formats& formats, auto&& path_for) {
  const auto names = drop_map_names(result);
  for (const int32_t net : nets_with_places(result)) {
    const auto& [interpolated, worst] = names[net];
    for (const MapMode mode : {MapMode::interpolated, MapMode::worst}) {
      const DropMap map = drop_map(result, net, mode);
      const std::string& name = mode == MapMode::worst ? worst : interpolated;
      if (formats.contains("iccad")) write_drop_map_csv(map, path_for(name + ".csv"));
      if (formats.contains("npy")) write_drop_map_npy(map, path_for(name + ".npy"));
    }
  }
}

void write_csv_tables(const IrReport& result, bool with_own_form, auto&& path_for) {
  write_nodes_csv(result, path_for("nodes.csv"));
  write_layers_csv(result, path_for("layers.csv"));
  write_sources_csv(result, path_for("sources.csv"));
  write_hot_spots_csv(result, path_for("hotspots.csv"));
  if (with_own_form) {
    write_instances_csv(result, path_for("instances.csv"));
    write_segments_csv(result, path_for("segments.csv"));
  }
  if (result.em) write_em_csv(result, path_for("em.csv"));
  if (result.stress) write_stress_csv(result, path_for("stress.csv"));
  if (result.stress && result.stress->lifetime) write_nucleation_csv(result, path_for("nucleation.csv"));
  if (result.stress && result.stress->cascade) write_cascade_csv(result, path_for("cascade.csv"));
  if (!result.vectors.empty()) write_vectors_csv(result, path_for("vectors.csv"));
  if (!result.budget) return;
  write_budget_csv(result, path_for("budget.csv"));
  write_budget_loads_csv(result, path_for("budget_loads.csv"));
}

}  // namespace

std::vector<Finding> left_out_of_reports(const IrReport& result, const Formats& formats) {
  std::vector<Finding> findings;
  const auto find = [&](const char* code, std::string text) {
    if (!text.empty()) findings.push_back({Finding::Severity::info, code, std::move(text), ""});
  };
  if (formats.contains("png") || formats.contains("html")) find("maps-left-out", left_out_maps(result));
  if (formats.contains("lyrdb") || formats.contains("drc")) find("markers-left-out", left_out_markers(result));
  return findings;
}

std::string table_name(const std::string& file, bool compress) { return compress ? file + ".zst" : file; }

std::vector<std::filesystem::path> write_reports(const IrReport& result, const OutputPath& directory,
                                                 const Formats& formats, bool compress,
                                                 const std::function<void(int64_t, int64_t)>& done) {
  make_directory(directory);
  std::vector<std::filesystem::path> written;
  const auto path_for = [&](const std::string& name) {
    written.push_back(directory / name);
    return directory / name;
  };
  const auto table_for = [&](const std::string& name) { return path_for(table_name(name, compress)); };
  int64_t count = 0;
  const auto write = [&](std::initializer_list<const char*> names, auto&& write_them) {
    const auto chosen = std::ranges::count_if(names, [&](const char* name) { return formats.contains(name); });
    if (chosen == 0) return;
    write_them();
    count += chosen;
    done(count, std::ssize(formats));
  };

  write({"iccad", "npy"}, [&] { write_drop_maps(result, formats, path_for); });
  write({"text"}, [&] { write_file(path_for("summary.txt"), text_summary(result)); });
  write({"solution"}, [&] { write_solution(result, table_for(file_name_part(result.netlist_name) + ".solution")); });
  write({"csv"}, [&] { write_csv_tables(result, !formats.contains("openroad"), table_for); });
  write({"openroad"}, [&] {
    write_openroad_instances_csv(result, path_for("instances.csv"));
    write_openroad_segments_csv(result, path_for("segments.csv"));
  });
  write({"lyrdb", "drc"}, [&] {
    const Markers markers = markers_of(result);
    if (formats.contains("lyrdb")) write_lyrdb(markers, result.netlist_name, path_for("markers.lyrdb"));
    if (formats.contains("drc")) write_drc(markers, path_for("markers.drc"));
  });
  write({"json"}, [&] { write_file(path_for("report.json"), json_report(result)); });
  write({"png", "html"}, [&] {
    const std::vector<HeatMap> maps = heat_maps(result);
    const StressMaps stress = result.stress ? stress_maps(result) : StressMaps{};
    if (formats.contains("png")) {
      for (const std::string& name : write_pictures(result, maps, directory)) path_for(name);
      for (const std::string& name : write_stress_pictures(stress, directory)) path_for(name);
      if (result.solve.history.size() > 1)
        write_file(path_for("convergence.png"),
                   convergence_picture(result.netlist_name, count_of(result.reduced.unknowns, "unknown"), result.engine,
                                       result.solve));
    }
    if (formats.contains("html")) write_html(result, maps, stress.maps, path_for("report.html"));
  });
  return written;
}

}  // namespace gridiron
