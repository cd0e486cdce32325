// SPDX-License-Identifier: Apache-2.0
// What the abstract of the GpuHMD paper claims of a grid of 1.6 million nodes, and where the time goes.
#include <filesystem>
#include <limits>

#include "analysis/ir/solver.hpp"
#include "analysis/papers/paper.hpp"
#include "netlist/generator.hpp"
#include "netlist/reader.hpp"
#include "support/stopwatch.hpp"
#include "support/temporary_folder.hpp"

namespace gridiron {
namespace {

/// By way of a netlist in a file that is removed again.
System generated(std::int64_t nodes) {
  const TemporaryFolder folder;
  const std::filesystem::path deck = folder.path() / "generated.sp";
  GeneratorOptions options;
  options.nodes = nodes;
  generate(options, deck);
  return System(make_design(std::make_shared<const Circuit>(read_netlist(deck.string()))));
}

struct Run {
  double seconds = 0, original_s = 0, regular_s = 0;
  double megabytes = 0, regular_megabytes = std::numeric_limits<double>::quiet_NaN();
  int iterations = 0;
};

Run run(const System& system, const char* engine, const Settings& settings) {
  constexpr double kTolerance = 1e-3;  // volts
  const Stopwatch watch;
  Solver solver(system, {.engine = engine, .settings = settings, .tolerance_v = kTolerance});
  const Answer answer = solver.solve();
  const EngineRun engine_run = solver.engine_run();
  Run result;
  result.seconds = watch.seconds();
  result.megabytes = 1e-6 * static_cast<double>(engine_run.bytes);
  if (const auto bytes = engine_run.regular_grid_bytes) result.regular_megabytes = 1e-6 * static_cast<double>(*bytes);
  result.iterations = answer.stats.iterations;
  if (const auto& seconds = solver.stats().seconds) {
    result.original_s = seconds->original_grid;
    result.regular_s = seconds->regular_grid;
  }
  return result;
}

}  // namespace

std::vector<PaperTable> gpuhmd_tables(const PaperOptions& options) {
  options.progress("gpuhmd, 1.6 million nodes");
  const System system = generated(1'600'000);
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
  const auto add = [&](const char* name, const char* seconds, const char* megabytes, const Run& r, bool is_hybrid) {
    PaperRow row{
        name, {{seconds, r.seconds}, {megabytes}, {"", r.megabytes}, {"", static_cast<double>(r.iterations)}, {}, {}}};
    if (is_hybrid) {
      row.cells[1].ours = r.regular_megabytes;
      row.cells[4].ours = r.original_s;
      row.cells[5].ours = r.regular_s;
    }
    table.rows.push_back(std::move(row));
  };
  options.progress("gpuhmd, our defaults");
  add("gpuhmd, our defaults", "3", "", run(system, "gpuhmd", {}), true);
  options.progress("gpuhmd, one plane");
  add("gpuhmd, one plane as in the paper", "", "50", run(system, "gpuhmd", {{"plane", "single"}}), true);
  options.progress("gpuhmd, cholmod");
  add("cholmod", "", "", run(system, "cholmod", {}), false);
  return {std::move(table)};
}

}  // namespace gridiron
