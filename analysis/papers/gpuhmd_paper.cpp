// SPDX-License-Identifier: Apache-2.0
// What the abstract of the GpuHMD paper claims of a grid of 1.6 million nodes, and where the time goes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "analysis/papers/paper.hpp"
#include "analysis/solve/solver.hpp"
#include "netlist/generator.hpp"
#include "netlist/reader.hpp"
#include "support/stopwatch.hpp"
#include "support/temporary_folder.hpp"

namespace gridiron {
namespace {

/// By way of a netlist in a file that is removed again.
System generated(int64_t nodes) {
  const TemporaryFolder folder;
  const std::filesystem::path deck = folder.path() / "generated.sp";
  GeneratorOptions options;
  options.nodes = nodes;
  generate(options, deck);
  return System(make_design(std::make_shared<const Circuit>(read_netlist(deck.string()))));
}

struct HybridRun {
  double seconds = 0, original_s = 0, regular_s = 0;
  double megabytes = 0, regular_megabytes = NAN;
  int iterations = 0;
  std::vector<double> voltage_v;
};

HybridRun run(const System& system, const char* engine, const Settings& settings) {
  constexpr double kTolerance = 1e-3;  // volts
  const Stopwatch watch;
  Solver solver(system, {.engine = engine, .settings = settings, .tolerance_v = kTolerance});
  Answer answer = solver.solve();
  const EngineRun engine_run = solver.engine_run();
  HybridRun result;
  result.seconds = watch.seconds();
  result.megabytes = 1e-6 * engine_run.bytes;
  result.iterations = answer.stats.iterations;
  result.voltage_v = std::move(answer.voltage_v);
  if (const auto& parts = solver.stats().hybrid) {
    result.regular_megabytes = 1e-6 * parts->regular_grid_bytes;
    result.original_s = parts->original_grid_s;
    result.regular_s = parts->regular_grid_s;
  }
  return result;
}

constexpr int64_t kPaperNodes = 1'600'000;

PaperTable abstract(const HybridRun& defaults, const HybridRun& one_plane, const HybridRun& direct) {
  PaperTable table{
      "Abstract: DC analysis of 1.6 million nodes",
      "The paper's grid is a chip's and its device a GPU of 2008, which holds the regular grid alone; ours is "
      "generated (`gridiron generate`) and runs on this machine's processor, certified to 1 mV. Judged is the "
      "memory of the regular grid. '100X over a direct solver' compares with the row of cholmod.",
      {{"seconds"},
       {"regular grid, MB", Rule::at_most, 0},
       {"engine, MB"},
       {"iterations"},
       {"original grid, s"},
       {"regular grid, s"}},
      {}};
  const auto add = [&](const char* name, const char* seconds, const char* megabytes, const HybridRun& r,
                       bool is_hybrid) {
    PaperRow row{
        name, {{seconds, r.seconds}, {megabytes}, {"", r.megabytes}, {"", static_cast<double>(r.iterations)}, {}, {}}};
    if (is_hybrid) {
      row.cells[1].ours = r.regular_megabytes;
      row.cells[4].ours = r.original_s;
      row.cells[5].ours = r.regular_s;
    }
    table.rows.push_back(std::move(row));
  };
  add("gpuhmd, our defaults", "3", "", defaults, true);
  add("gpuhmd, one plane as in the paper", "", "50", one_plane, true);
  add("cholmod", "", "", direct, false);
  return table;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

PaperTable growth_table() {
  return {"Abstract: growth with the grid",
          "'About one second per million nodes', 'more than 100X faster than direct methods', 'the required number of "
          "iterations is typically small'; memory from 50 MB for 1.6 million nodes. Our defaults on generated grids, "
          "certified to 1 mV; errors are the largest of any node against cholmod. The paper's benchmarks are "
          "industrial and not published, the GPU-CPU ratio of 15 needs its GPU: neither is compared.",
          {{"s per million nodes"},
           {"over cholmod, times"},
           {"iterations"},
           {"largest error, mV", Rule::shown, 0, 2},
           {"regular grid, MB per million", Rule::at_most, 0}},
          {}};
}

PaperRow scaling_row(int64_t nodes, const HybridRun& hybrid, const HybridRun& direct) {
  const double millions = 1e-6 * nodes;
  return {fmt::format("{:g} million nodes", millions),
          {{"1", hybrid.seconds / millions},
           {"100", direct.seconds / hybrid.seconds},
           {"", static_cast<double>(hybrid.iterations)},
           {"", 1e3 * largest_difference(hybrid.voltage_v, direct.voltage_v)},
           {"31.25", hybrid.regular_megabytes / millions}}};
}

}  // namespace

std::vector<PaperTable> gpuhmd_tables(const PaperOptions& options) {
  PaperTable growth = growth_table();
  for (const int64_t nodes : {int64_t{100'000}, int64_t{400'000}}) {
    options.progress(fmt::format("gpuhmd, {} nodes", nodes));
    const System system = generated(nodes);
    growth.rows.push_back(scaling_row(nodes, run(system, "gpuhmd", {}), run(system, "cholmod", {})));
  }
  options.progress("gpuhmd, 1.6 million nodes");
  const System system = generated(kPaperNodes);
  options.progress("gpuhmd, our defaults");
  const HybridRun defaults = run(system, "gpuhmd", {});
  options.progress("gpuhmd, one plane");
  const HybridRun one_plane = run(system, "gpuhmd", {{"plane", "single"}});
  options.progress("gpuhmd, cholmod");
  const HybridRun direct = run(system, "cholmod", {});
  growth.rows.push_back(scaling_row(kPaperNodes, defaults, direct));
  return {abstract(defaults, one_plane, direct), std::move(growth)};
}

}  // namespace gridiron
