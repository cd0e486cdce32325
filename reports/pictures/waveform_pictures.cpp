// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/waveform_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reports/lookup.hpp"
#include "reports/pictures/chart.hpp"
#include "reports/pictures/picture.hpp"
#include "reports/tables/unique_names.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/tran_parts.hpp"
#include "support/output_file.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

/// A net in every scenario, or a node in one.
struct WaveCurve {
  size_t of;
  int64_t scenario = 0;
};

/// The curves of a picture.
struct WaveSheet {
  std::string file;
  std::string title;
  std::vector<WaveCurve> curves;
  bool is_of_nets = false;
};

/// As many as it takes; the first has the title alone.
void add_sheets(const std::string& stem, const std::string& title, bool is_of_nets,
                const std::vector<WaveCurve>& curves, UniqueNames& names, std::vector<WaveSheet>& sheets) {
  for (size_t begin = 0; begin < curves.size(); begin += kCurvesOfPicture) {
    const size_t end = std::min(curves.size(), begin + kCurvesOfPicture);
    const std::string part =
        curves.size() > kCurvesOfPicture ? fmt::format(" ({} to {} of {})", begin + 1, end, curves.size()) : "";
    sheets.push_back(
        {names.take(stem, ".png"), title + part, {curves.begin() + begin, curves.begin() + end}, is_of_nets});
  }
}

std::vector<WaveSheet> sheets_of(const TranReport& report) {
  const IrReport& worst = report.worst;
  std::vector<WaveSheet> sheets;
  UniqueNames names;
  std::vector<WaveCurve> curves;
  for (size_t k = 0; k < report.nets.size(); ++k) curves.push_back({k});
  if (curves.empty()) curves.push_back({0});  // an empty picture
  add_sheets("waveforms", "drop over time", true, curves, names, sheets);
  for (int32_t net = -1; net < std::ssize(worst.nets); ++net) {
    curves.clear();
    for (size_t p = 0; p < report.probes.size(); ++p)
      if (worst.nodes.net[report.probes[p].node] == net)
        for (int64_t j = 0; j < report.scenarios; ++j) curves.push_back({p, j});
    const std::string name = net < 0 ? "0" : worst.nets[net].name;
    add_sheets("waveforms_" + file_name_part(name), "recorded nodes of " + printable(name), false, curves, names,
               sheets);
  }
  return sheets;
}

std::string sheet_png(const TranReport& report, const WaveSheet& sheet) {
  std::vector<double> nanoseconds = report.row_time_s;
  for (double& t : nanoseconds) t *= 1e9;
  Panel panel{"time, ns", sheet.is_of_nets ? "worst drop, mV" : "voltage, V", false, false, {}};
  for (const WaveCurve& curve : sheet.curves) {
    if (sheet.is_of_nets && report.nets.empty()) continue;
    std::vector<double> values;
    for (size_t row = 0; row < report.row_time_s.size(); ++row)
      values.push_back(sheet.is_of_nets ? 1e3 * report.nets[curve.of].worst_drop_v[row]
                                        : report.probes[curve.of].voltage_v[row * report.scenarios + curve.scenario]);
    panel.series.push_back(
        {printable(sheet.is_of_nets ? report.worst.nets[curve.of].name
                                    : waveform_name(report, report.probes[curve.of], curve.scenario)),
         nanoseconds, std::move(values)});
  }
  Chart chart;
  chart.title = fmt::format("{}: {}", report.worst.netlist_name, sheet.title);
  chart.facts = fmt::format("{}, {} of {} · gridiron " GRIDIRON_VERSION, name_of(report.method),
                            count_of(report.steps, "step"), seconds(report.largest_step_s));
  chart.panels.push_back(std::move(panel));
  return chart_png(chart);
}

}  // namespace

std::vector<std::string> write_waveform_pictures(const TranReport& report, const OutputPath& directory) {
  std::vector<WaveSheet> sheets = sheets_of(report);
  if (sheets.size() > kMostWaveformPictures) sheets.resize(kMostWaveformPictures);
  parallel_tasks(std::ssize(sheets),
                 [&](int64_t k) { write_file(directory / sheets[k].file, sheet_png(report, sheets[k])); });
  std::vector<std::string> names;
  for (const WaveSheet& sheet : sheets) names.push_back(sheet.file);
  return names;
}

std::string left_out_waveforms(const TranReport& report) {
  if (report.probes.size() * report.scenarios + report.nets.size() < kMostWaveformPictures) return "";
  const std::vector<WaveSheet> sheets = sheets_of(report);
  size_t left_out = 0;
  for (size_t k = kMostWaveformPictures; k < sheets.size(); ++k) left_out += sheets[k].curves.size();
  if (left_out == 0) return "";
  return fmt::format("{} are in no picture, as there would be {}; waveforms.csv has all",
                     count_of(static_cast<int64_t>(left_out), "waveform"), sheets.size());
}

}  // namespace gridiron
