// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "reports/json/json.hpp"
#include "reports/pde_report.hpp"
#include "reports/pictures/chart.hpp"
#include "reports/text/engine_lines.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/text_table.hpp"
#include "support/output_file.hpp"
#include "support/shown_number.hpp"

namespace gridiron {
namespace {

double seconds(const PdeResult& run) { return run.timings_s.setup + run.timings_s.solve; }

/// One sentence with the fitted orders.
std::string orders_text(const PdeStudy& study) {
  std::string text;
  if (study.error_orders)
    text = fmt::format("error falls as h^{:.2f} (L1), h^{:.2f} (L2), h^{:.2f} (largest); ",
                       Shown{study.error_orders->l1}, Shown{study.error_orders->l2}, Shown{study.error_orders->linf});
  if (study.stokes_orders)
    text = fmt::format("error falls as h^{:.2f} (velocity), h^{:.2f} (pressure); ",
                       Shown{study.stokes_orders->velocity_l2}, Shown{study.stokes_orders->pressure_l2});
  return text + fmt::format("time grows as unknowns^{:.2f}", Shown{study.time_order});
}

/// The order between this run and the previous one.
std::string order_between(const PdeResult& before, const PdeResult& run, double PdeError::*norm) {
  return fmt::format("{:.2f}", Shown{std::log((*before.error).*norm / (*run.error).*norm) /
                                     std::log(before.spacing[0] / run.spacing[0])});
}

/// y = factor · xᵖ through the last point of a series: a reference slope.
Panel::Series slope(const Panel::Series& series, double power, std::string name) {
  Panel::Series line{std::move(name), series.x, {}, true};
  for (const double x : series.x) line.y.push_back(series.y.back() * std::pow(x / series.x.back(), power));
  return line;
}

}  // namespace

std::string pde_study_text(const PdeStudy& study) {
  const PdeResult& first = study.runs.front();
  const bool has_errors = study.error_orders.has_value();
  std::string out = fmt::format("Gridiron {}\n", GRIDIRON_VERSION);
  out += fmt::format("Problem      {}: {}{}\n", first.problem->name, first.problem->about,
                     parameters_text(first.parameters));
  out += fmt::format("Engine       {} on {}, {} threads\n\n", first.engine.name, first.engine.device,
                     first.engine.threads);
  std::vector<std::string> headers{"size>", "unknowns>", "iterations>", "residual>", "setup s>", "solve s>", "memory>"};
  if (has_errors) headers.insert(headers.end(), {"L1 relative>", "order>", "L2>", "order>", "largest>", "order>"});
  if (study.stokes_orders) headers.insert(headers.end(), {"velocity L2>", "pressure L2>"});
  TextTable table(headers);
  for (size_t i = 0; i < study.runs.size(); ++i) {
    const PdeResult& run = study.runs[i];
    std::vector<std::string> row{grouped(run.size),
                                 grouped(run.unknowns),
                                 std::to_string(run.solve.iterations),
                                 fmt::format("{:.1e}", Shown{run.solve.relative_residual}),
                                 fmt::format("{:.3f}", run.timings_s.setup),
                                 fmt::format("{:.3f}", run.timings_s.solve),
                                 byte_count(run.engine.bytes)};
    if (study.stokes_orders)
      for (const double error : {run.flow->error->velocity_l2, run.flow->error->pressure_l2})
        row.push_back(fmt::format("{:.3e}", Shown{error}));
    if (has_errors)
      for (double PdeError::*norm : {&PdeError::l1_relative, &PdeError::l2, &PdeError::linf}) {
        row.push_back(fmt::format("{:.3e}", Shown{(*run.error).*norm}));
        row.push_back(i == 0 ? "" : order_between(study.runs[i - 1], run, norm));
      }
    table.add(row);
  }
  return out + table.str() + "\nFit          " + orders_text(study) + "\n";
}

std::string pde_study_json(const PdeStudy& study) {
  Json runs = Json::array();
  for (const PdeResult& run : study.runs) runs.push_back(Json::parse(pde_json(run)));
  Json errors = nullptr;
  if (study.error_orders)
    errors = {{"l1_relative", number_or_null(study.error_orders->l1)},
              {"l2", number_or_null(study.error_orders->l2)},
              {"linf", number_or_null(study.error_orders->linf)}};
  return json_text({{"schema", "gridiron.pde_study/1"},
                    {"tool_version", GRIDIRON_VERSION},
                    {"problem", study.runs.front().problem->name},
                    {"error_orders", errors},
                    {"time_order", number_or_null(study.time_order)},
                    {"runs", runs}});
}

std::string pde_study_picture(const PdeStudy& study) {
  const PdeResult& first = study.runs.front();
  Chart chart{
      fmt::format("{} · error and time against size", first.problem->name), first.engine.name, orders_text(study), {}};
  std::vector<double> sizes;
  for (const PdeResult& run : study.runs) sizes.push_back(static_cast<double>(run.size));
  if (study.error_orders) {
    Panel panel{"points per dimension", "error", true, true, {}};
    const auto add = [&](const char* name, double PdeError::*norm) {
      panel.series.push_back({name, sizes, {}});
      for (const PdeResult& run : study.runs) panel.series.back().y.push_back((*run.error).*norm);
    };
    add("L1 relative", &PdeError::l1_relative);
    add("L2", &PdeError::l2);
    add("largest", &PdeError::linf);
    panel.series.push_back(slope(panel.series.front(), -2, "second order"));
    chart.panels.push_back(std::move(panel));
  }
  Panel panel{"points per dimension", "seconds", true, true, {}};
  panel.series = {{"setup + solve", sizes, {}}, {"solve", sizes, {}}};
  for (const PdeResult& run : study.runs) {
    panel.series[0].y.push_back(seconds(run));
    panel.series[1].y.push_back(run.timings_s.solve);
  }
  panel.series.push_back(slope(panel.series.front(), first.problem->dimensions, "linear in the unknowns"));
  chart.panels.push_back(std::move(panel));
  return chart_png(chart);
}

void write_pde_study(const PdeStudy& study, const OutputPath& directory, const Formats& formats) {
  make_directory(directory);
  if (formats.contains("text")) write_file(directory / "study.txt", pde_study_text(study));
  if (formats.contains("json")) write_file(directory / "study.json", pde_study_json(study));
  if (formats.contains("png")) write_file(directory / "study.png", pde_study_picture(study));
}

}  // namespace gridiron
