// SPDX-License-Identifier: Apache-2.0
// The effect of the number of cells on gpuhmd. According to Feng and Li (ICCAD 2008) it is small, from 50 % to 200 % of
// the nodes:
//   bench_grid_scale OUT_DIR NETLIST...
// writes grid_scale.csv and grid_scale.png: iterations to 1e-8, for the engine's defaults and for the paper's iteration
// (one plane, no CG). Runs that stop before that are in the table, not in the picture.
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/model/system.hpp"
#include "engines/engine.hpp"
#include "netlist/reader.hpp"
#include "reports/pictures/chart.hpp"
#include "support/output_file.hpp"
#include "support/stopwatch.hpp"

using namespace gridiron;

namespace {

struct Variant {
  std::string name;
  Settings settings;
};

const Variant kVariants[] = {{"default", {}}, {"paper", {{"plane", "single"}, {"cycle", "stationary"}}}};
constexpr double kScales[] = {0.5, 0.6, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0};

struct Outcome {
  SolveStats stats;
  double setup_s = 0, solve_s = 0;
};

Outcome run(const System& system, Settings settings, double scale) {
  settings["grid_scale"] = fmt::format("{}", scale);
  const std::vector<double> b = system.right_hand_side(Loads(system.design()), 0);
  std::vector<double> x(b.size(), 0.0);
  const auto n = static_cast<int64_t>(b.size());
  const auto engine = find_engine("gpuhmd").make(settings);
  Outcome outcome;
  Stopwatch watch;
  engine->setup(system.problem());
  outcome.setup_s = watch.lap();
  outcome.stats = engine->solve({b.data(), n, 1}, {x.data(), n, 1}, {.relative_residual = 1e-8});
  outcome.solve_s = watch.lap();
  return outcome;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 3) {
    fmt::print(stderr, "usage: {} OUT_DIR NETLIST...\n", argv[0]);
    return 2;
  }
  const std::filesystem::path out_dir = argv[1];
  make_directory(out_dir);
  std::string csv = "case,unknowns,variant,grid_scale,iterations,converged,relative_residual,setup_s,solve_s\n";
  Chart chart{.title = "gpuhmd: cells per place of nodes", .remark = "iterations to 1e-8", .facts = ""};
  for (const Variant& variant : kVariants)
    chart.panels.push_back({.x_label = "grid_scale (" + variant.name + ")",
                            .y_label = "iterations",
                            .x_is_logarithmic = false,
                            .y_is_logarithmic = true,
                            .series = {}});
  for (int k = 2; k < argc; ++k) {
    const std::string name = std::filesystem::path(argv[k]).stem().string();
    const System system(make_design(std::make_shared<const Circuit>(read_netlist(argv[k]))));
    for (size_t v = 0; v < std::size(kVariants); ++v) {
      Panel::Series& curve = chart.panels[v].series.emplace_back();
      curve.name = name;
      for (const double scale : kScales) {
        const Outcome o = run(system, kVariants[v].settings, scale);
        csv += fmt::format("{},{},{},{},{},{},{:.3e},{:.4f},{:.4f}\n", name, system.problem()->matrix.rows,
                           kVariants[v].name, scale, o.stats.iterations, o.stats.converged, o.stats.relative_residual,
                           o.setup_s, o.solve_s);
        if (!o.stats.converged) continue;
        curve.x.push_back(scale);
        curve.y.push_back(o.stats.iterations);
      }
      if (curve.x.empty()) chart.panels[v].series.pop_back();
    }
  }
  write_file(out_dir / "grid_scale.csv", csv);
  write_file(out_dir / "grid_scale.png", chart_png(chart));
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
