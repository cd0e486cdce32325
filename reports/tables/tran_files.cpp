// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "analysis/results/segments.hpp"
#include "reports/lookup.hpp"
#include "reports/pictures/heat_map.hpp"
#include "reports/pictures/picture.hpp"
#include "reports/pictures/waveform_pictures.hpp"
#include "reports/report.hpp"
#include "reports/tables/csv.hpp"
#include "reports/tables/csv_line.hpp"
#include "reports/tables/em_csv.hpp"
#include "reports/tables/insight_csv.hpp"
#include "reports/tables/markers.hpp"
#include "reports/tables/unique_names.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/ranking.hpp"
#include "reports/tran_parts.hpp"
#include "reports/tran_report.hpp"
#include "support/output_file.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

/// Whether three decimals tell all rows apart, as in the published files.
bool are_distinct(std::span<const double> times) {
  for (size_t k = 1; k < times.size(); ++k)
    if (fmt::format("{:.3e}", times[k]) == fmt::format("{:.3e}", times[k - 1])) return false;
  return true;
}

void write_nodes_over_time(const TranReport& report, const OutputPath& path) {
  const NodeTable& nodes = report.worst.nodes;
  const std::vector<NodeId> order = rank_nodes(report.worst);
  write_table(path,
              "node,net,layer,x_um,y_um,worst_voltage_v,worst_drop_v,worst_time_s,scenario,average_drop_v,rms_drop_v,"
              "overshoot_v",
              order.size(), [&](size_t row, CsvLine&& line) {
                const NodeId n = order[row];
                line.text(node_name(report.worst, n)).text(net_name(report.worst, nodes.net[n]));
                line.text(layer_name(report.worst, nodes.layer[n])).place(nodes, n);
                line.volts(nodes.voltage_v[n]).volts(nodes.drop_v[n]).number(report.worst_time_s[n]);
                line.text(report.by_scenario[report.worst_scenario[n]].name);
                line.volts(report.average_drop_v[n]).volts(report.rms_drop_v[n]).volts(report.overshoot_v[n]);
              });
}

void write_pads_over_time(const TranReport& report, const OutputPath& path) {
  write_table(
      path, "name,node,net,layer,x_um,y_um,peak_current_a,peak_time_s,rms_current_a,average_current_a,place",
      report.pads.size(), [&](size_t row, CsvLine&& line) {
        const PadResult& pad = report.worst.pads[row];
        const PadOverTime& over_time = report.pads[row];
        const NodeTable& nodes = report.worst.nodes;
        line.text(pad.name).text(node_name(report.worst, pad.node)).text(net_name(report.worst, pad.net));
        line.text(layer_name(report.worst, nodes.layer[pad.node])).place(nodes, pad.node);
        line.volts(over_time.peak_a).number(over_time.peak_time_s).volts(over_time.rms_a).volts(over_time.average_a);
        line.text(pad.place);
      });
}

void write_scenarios(const TranReport& report, const OutputPath& path) {
  const size_t nets = report.nets.size();
  write_table(path, "scenario,net,worst_drop_v,time_s,worst_node", report.by_scenario.size() * nets,
              [&](size_t row, CsvLine&& line) {
                const ScenarioResult& scenario = report.by_scenario[row / nets];
                const ScenarioNet& net = scenario.nets[row % nets];
                line.text(scenario.name).text(report.worst.nets[row % nets].name);
                line.volts(net.worst_drop_v).number(net.time_s).text(node_name(report.worst, net.worst_node));
              });
}

void write_segments_over_time(const TranReport& report, const OutputPath& path) {
  const IrReport& worst = report.worst;
  const std::vector<int64_t> rows = segments_of(worst);
  write_table(path, "resistor,net,layer,from,to,average_current_a,rms_current_a,peak_current_a", rows.size(),
              [&](size_t row, CsvLine&& line) {
                const int64_t i = rows[row];
                add_segment(line, worst, i, layer_text(worst.layer_names, layers_of(worst, i)));
                line.volts(report.segments.average_a[i]).volts(report.segments.rms_a[i]);
                line.volts(report.segments.peak_a[i]);
              });
}

void write_windows(const TranReport& report, const OutputPath& path) {
  write_table(path, "begin_s,end_s,net,worst_drop_v,time_s,worst_node", report.windows.size(),
              [&](size_t row, CsvLine&& line) {
                const WindowResult& window = report.windows[row];
                line.number(window.begin_s).number(window.end_s).text(net_name(report.worst, window.net));
                line.volts(window.worst_drop_v).number(window.time_s).text(node_name(report.worst, window.worst_node));
              });
}

/// A row per time: the worst drop of every net, then the probes.
void write_waveforms(const TranReport& report, const OutputPath& path) {
  std::string header = "time_s";
  const auto add = [&](const std::string& name) {
    header += ',';
    append_csv_field(header, name);
  };
  for (const NetResult& net : report.worst.nets) add("worst drop of " + net.name);
  for (const Probe& probe : report.probes)
    for (int64_t j = 0; j < report.scenarios; ++j) add(waveform_name(report, probe, j));
  write_table(path, header, report.row_time_s.size(), [&](size_t row, CsvLine&& line) {
    line.number(report.row_time_s[row]);
    for (const NetOverTime& net : report.nets) line.volts(net.worst_drop_v[row]);
    for (const Probe& probe : report.probes)
      for (int64_t j = 0; j < report.scenarios; ++j) line.volts(probe.voltage_v[row * report.scenarios + j]);
  });
}

/// Names for a raw file, in which blanks end a name, and parentheses and commas are ngspice's own.
std::vector<std::string> raw_names(const TranReport& report) {
  UniqueNames unique;
  std::vector<std::string> names;
  for (const Probe& probe : report.probes)
    for (int64_t j = 0; j < report.scenarios; ++j) {
      std::string name = printable(waveform_name(report, probe, j));
      for (char& c : name)
        if (std::string_view(" \t\n\v\f\r(),").find(c) != std::string_view::npos) c = '_';
      names.push_back(unique.take("v(" + name, ")"));
    }
  return names;
}

void append_bytes(std::string& out, double value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); }

}  // namespace

std::string waveform_name(const TranReport& report, const Probe& probe, int64_t scenario) {
  const std::string node(node_name(report.worst, probe.node));
  return report.scenarios == 1 ? node : fmt::format("{}@{}", node, report.by_scenario[scenario].name);
}

void write_ibm_output(const TranReport& report, const OutputPath& path) {
  const int decimals = are_distinct(report.row_time_s) ? 3 : 9;
  OutputFile file(path);
  for (const Probe& probe : report.probes)
    for (int64_t j = 0; j < report.scenarios; ++j) {
      const std::string name = printable(waveform_name(report, probe, j));
      std::string text = fmt::format("\nNode: {}\n\n", name);
      for (size_t row = 0; row < report.row_time_s.size(); ++row)
        fmt::format_to(std::back_inserter(text), " {:.{}e} {:.6e}\n", report.row_time_s[row], decimals,
                       probe.voltage_v[row * report.scenarios + j]);
      file.write(text + "END: " + name + "\n");
    }
  file.commit();
}

void write_spice_raw(const TranReport& report, const OutputPath& path) {
  static_assert(std::endian::native == std::endian::little, "ngspice writes the bytes of the machine");
  const auto waveforms = std::ssize(report.probes) * report.scenarios;
  std::string text = fmt::format(
      "Title: {}\nPlotname: Transient Analysis\nFlags: real\nNo. Variables: {}\nNo. Points: {}\nVariables:\n"
      "\t0\ttime\ttime\n",
      printable(report.worst.circuit->title), waveforms + 1, report.row_time_s.size());
  int index = 0;
  for (const std::string& name : raw_names(report)) text += fmt::format("\t{}\t{}\tvoltage\n", ++index, name);
  text += "Binary:\n";
  for (size_t row = 0; row < report.row_time_s.size(); ++row) {
    append_bytes(text, report.row_time_s[row]);
    for (const Probe& probe : report.probes)
      for (int64_t j = 0; j < report.scenarios; ++j) append_bytes(text, probe.voltage_v[row * report.scenarios + j]);
  }
  write_file(path, text);
}

std::vector<Finding> left_out_of_tran_reports(const TranReport& report, const Formats& formats) {
  std::vector<Finding> findings = left_out_of_reports(report.worst, formats);
  if (!formats.contains("png")) return findings;
  if (std::string text = left_out_waveforms(report); !text.empty())
    findings.push_back({Finding::Severity::info, "waveforms-left-out", std::move(text), ""});
  return findings;
}

void write_tran_reports(const TranReport& report, const OutputPath& directory, const Formats& formats, bool compress) {
  make_directory(directory);
  const auto table = [&](const char* file) { return directory / table_name(file, compress); };
  const std::string name = file_name_part(report.worst.netlist_name);
  if (formats.contains("text")) write_file(directory / "summary.txt", tran_text(report));
  if (formats.contains("csv")) {
    write_nodes_over_time(report, table("nodes.csv"));
    write_layers_csv(report.worst, table("layers.csv"), report.worst_time_s);
    write_pads_over_time(report, table("sources.csv"));
    write_hot_spots_csv(report.worst, table("hotspots.csv"), report.worst_time_s);
    write_instances_csv(report.worst, table("instances.csv"), report.instance_time_s);
    if (report.scenarios > 1) write_scenarios(report, table("scenarios.csv"));
    if (!report.segments.peak_a.empty()) write_segments_over_time(report, table("segments.csv"));
    if (report.worst.em) write_em_csv(report.worst, table("em.csv"));
    if (!report.windows.empty()) write_windows(report, table("windows.csv"));
    write_waveforms(report, table("waveforms.csv"));
  }
  if (formats.contains("output")) write_ibm_output(report, directory / (name + ".output"));
  if (formats.contains("raw")) write_spice_raw(report, directory / (name + ".raw"));
  if (formats.contains("lyrdb") || formats.contains("drc")) {
    const Markers markers = markers_of(report.worst);
    if (formats.contains("lyrdb")) write_lyrdb(markers, report.worst.netlist_name, directory / "markers.lyrdb");
    if (formats.contains("drc")) write_drc(markers, directory / "markers.drc");
  }
  if (formats.contains("json")) write_file(directory / "report.json", tran_json(report));
  if (formats.contains("png")) {
    write_waveform_pictures(report, directory);
    write_pictures(report.worst, heat_maps(report.worst), directory);
  }
  if (formats.contains("html")) write_tran_html(report, directory / "report.html");
}

}  // namespace gridiron
