// SPDX-License-Identifier: Apache-2.0
#include "reports/regularize_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/json/fields_json.hpp"
#include "reports/json/json.hpp"
#include "reports/pictures/table_picture.hpp"
#include "reports/tables/npy.hpp"
#include "reports/tables/unique_names.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/text_table.hpp"
#include "support/output_file.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

std::string siemens(double value) { return with_unit(value, "S"); }

std::string percent(int64_t part, int64_t whole) {
  return fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(std::max<int64_t>(whole, 1)));
}

std::string grids_text(const std::vector<RegularNet>& nets) {
  TextTable table({"net", "layers>", "columns>", "rows>", "pitch x, um>", "pitch y, um>", "cells>", "nodes>",
                   "cells with nodes>", "edges>", "inside a cell>"});
  for (const RegularNet& net : nets) {
    const GridTables& t = net.tables;
    table.add({printable(net.name), std::to_string(t.layers), std::to_string(t.used_nx), std::to_string(t.used_ny),
               fmt::format("{:.4g}", t.pitch_x_um), fmt::format("{:.4g}", t.pitch_y_um), grouped(net.used_cells()),
               grouped(net.network.nodes), percent(net.cells_with_nodes, net.used_cells()), grouped(net.network.edges),
               percent(net.network.edges_inside_cells, net.network.edges)});
  }
  return table.str();
}

std::string sums_text(const std::vector<RegularNet>& nets) {
  TextTable table({"net", "wires>", "gh>", "gv>", "vias>", "via>", "pads>", "gz>", "injected>", "iz>"});
  for (const RegularNet& net : nets)
    table.add({printable(net.name), siemens(net.network.wires_s), siemens(net.gh_s), siemens(net.gv_s),
               siemens(net.network.vias_s), siemens(net.via_s), siemens(net.network.pads_s), siemens(net.gz_s),
               amperes(net.network.injection_a), amperes(net.iz_a)});
  return table.str();
}

Json json_net(const RegularNet& net, const std::vector<std::string>& files) {
  const GridTables& t = net.tables;
  return {{"name", net.name},
          {"layers", net.layers},
          {"columns", t.used_nx},
          {"rows", t.used_ny},
          {"shape", {t.layers, t.ny, t.nx}},
          {"origin_um", {t.x0_um, t.y0_um}},
          {"pitch_um", {t.pitch_x_um, t.pitch_y_um}},
          {"cells", net.used_cells()},
          {"cells_with_nodes", net.cells_with_nodes},
          {"network", json_of(net.network)},
          {"tables",
           {{"gh_s", number_or_null(net.gh_s)},
            {"gv_s", number_or_null(net.gv_s)},
            {"via_s", number_or_null(net.via_s)},
            {"gz_s", number_or_null(net.gz_s)},
            {"iz_a", number_or_null(net.iz_a)}}},
          {"files", files}};
}

/// One file to write: a whole table, or the picture of one of its layers.
struct Task {
  size_t net;
  const TableKind* kind;
  int32_t layer;  ///< −1: the table
};

bool has_entries(std::span<const double> values) {
  return std::ranges::any_of(values, [](double v) { return v != 0; });
}

}  // namespace

std::string regularize_text(const RegularizeRun& run) {
  const RegularTables& tables = run.tables;
  std::string out = fmt::format("Gridiron {}\n", GRIDIRON_VERSION);
  out += fmt::format("Input        {}: {}, {}, {} after the reduction\n", printable(run.input_path),
                     byte_count(run.input_bytes), count_of(tables.nodes, "node"), grouped(tables.unknowns));
  out += fmt::format("Tables       {}:", count_of(std::ssize(tables.nets), "net"));
  for (const Param& p : tables.parameters) out += fmt::format(" {}={}", p.name, p.value);
  for (const Finding& f : tables.findings)
    out += fmt::format("\nFinding      {}: {}: {} [{}]", printable(f.place), Finding::name_of(f.severity),
                       printable(f.message), f.code);
  out += "\n\nGrids\n" + grids_text(tables.nets);
  out += "\nSums over the network, each followed by those over the tables\n" + sums_text(tables.nets) + "\n";
  out += fmt::format("Time         {:.3f} s: read {:.3f}, reduce {:.3f}, regularize {:.3f}", run.total_s, run.read_s,
                     tables.timings_s.reduce, tables.timings_s.regularize);
  out += run.report_s > 0 ? fmt::format(", report {:.3f}\n", run.report_s) : "\n";
  out += fmt::format("Memory       {} at the peak\n", byte_count(run.peak_memory_bytes));
  return out;
}

std::string regularize_json(const RegularizeRun& run) {
  const RegularTables& tables = run.tables;
  Json nets = Json::array();
  for (size_t i = 0; i < tables.nets.size(); ++i)
    nets.push_back(json_net(tables.nets[i], i < run.files.size() ? run.files[i] : std::vector<std::string>()));
  return json_text(
      {{"schema", "gridiron.regularize/1"},
       {"tool_version", GRIDIRON_VERSION},
       {"input",
        {{"path", run.input_path}, {"bytes", run.input_bytes}, {"nodes", tables.nodes}, {"unknowns", tables.unknowns}}},
       {"parameters", json_parameters(tables.parameters)},
       {"nets", nets},
       {"findings", json_of(tables.findings)},
       {"timings_s",
        {{"read", run.read_s},
         {"reduce", tables.timings_s.reduce},
         {"regularize", tables.timings_s.regularize},
         {"report", run.report_s},
         {"total", run.total_s}}},
       {"peak_memory_bytes", run.peak_memory_bytes}});
}

std::vector<std::vector<std::string>> write_tables(const RegularTables& tables, const OutputPath& directory,
                                                   const Formats& formats) {
  make_directory(directory);
  UniqueNames unique;
  std::vector<std::vector<std::string>> names(tables.nets.size());
  std::vector<Task> tasks;
  std::vector<std::string> name_of_task;
  const auto plan = [&](const Task& task, const std::string& stem, const std::string& extension) {
    tasks.push_back(task);
    name_of_task.push_back(unique.take(stem, extension));
    names[task.net].push_back(name_of_task.back());
  };
  for (size_t n = 0; n < tables.nets.size(); ++n) {
    const RegularNet& net = tables.nets[n];
    for (const TableKind& kind : table_kinds()) {
      const std::string stem = fmt::format("table_{}_{}", file_name_part(net.name), kind.name);
      if (formats.contains("npy")) plan({n, &kind, -1}, stem, ".npy");
      if (!formats.contains("png")) continue;
      for (int32_t layer = 0; layer < net.tables.layers; ++layer)
        if (has_entries(layer_of(net, kind, layer)))
          plan({n, &kind, layer}, stem + "_" + file_name_part(net.layers[layer]), ".png");
    }
  }
  parallel_tasks(std::ssize(tasks), [&](int64_t i) {
    const Task& task = tasks[i];
    const RegularNet& net = tables.nets[task.net];
    const OutputPath path = directory / name_of_task[i];
    if (task.layer >= 0)
      write_file(path, table_picture(net, *task.kind, task.layer));
    else
      write_npy(path, std::array<int64_t, 3>{net.tables.layers, net.tables.ny, net.tables.nx},
                net.tables.*task.kind->values);
  });
  return names;
}

}  // namespace gridiron
