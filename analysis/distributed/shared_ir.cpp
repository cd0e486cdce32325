// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/shared_ir.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/distributed/shared_loads.hpp"
#include "analysis/distributed/shared_summary.hpp"
#include "analysis/model/double_range.hpp"
#include "analysis/model/findings.hpp"
#include "analysis/results/asked_names.hpp"
#include "analysis/results/loose_bound.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/memory.hpp"
#include "support/stopwatch.hpp"

namespace gridiron::distributed {
namespace {

void require_rows(const Communicator& all, const System& system) {
  const double least = -largest(all, -static_cast<double>(system.problem()->matrix.rows));
  if (least > 0) return;
  together(all, [&] {
    throw input_error("{} processes are too many for this grid: one of them has no unknowns; start fewer", all.count());
  });
}

void add_run(const Communicator& all, const Solver& solver, IrReport& report) {
  append(report.findings, solver.findings());
  append(report.findings, check_bound(report, solver.options().rtol));
  report.findings.push_back({Finding::Severity::info, "several-processes",
                             fmt::format("{} processes shared the grid; hot spots, instances and tables of segments "
                                         "are found by a run of one process only",
                                         all.count()),
                             ""});
  add_work(report, solver);
  report.engine.note += fmt::format("{}{} processes", report.engine.note.empty() ? "" : "; ", all.count());
  report.engine.bytes = sum(all, report.engine.bytes);
}

}  // namespace

SharedIr analyse_shared_ir_drop(const Communicator& all, const std::vector<std::string>& paths, const ReadOptions& read,
                                const IrOptions& options) {
  const Progress& progress = options.context.progress;
  SharedIr out;
  Stopwatch watch;
  progress("read");
  LocalCircuit local = read_shared_netlist(all, paths, read, options.loads ? &*options.loads : nullptr);
  if (options.loads) set_loads(all, *options.loads, local);
  const double read_s = watch.lap();
  progress("check");
  out.grid = make_shared_design(all, std::move(local), options);
  const double check_s = watch.lap();
  together(all, [&] {
    const AskedNames names(*out.grid.design, *out.grid.design->topology, options.net);
    names.require(options.limits);
  });
  if (!options.em_limits.empty()) {
    const std::vector<LayerPair> layers =
        gather(all, AskedNames(*out.grid.design, *out.grid.design->topology, options.net).layers_of_segments());
    together(all, [&] { require_layers(layers, out.grid.design->places.layers, options.em_limits); });
  }
  progress("reduce");
  const Loads loads(out.grid.design);
  const System system(out.grid.design, options.reduce, out.grid.shared);
  together(all, [&] { system.check(loads); });
  require_rows(all, system);
  Context context = options.context;
  context.communicator = all.handle();
  Solver solver(system, options, context);
  const Answer answer = std::move(solver.solve(loads).front());
  solver.release();  // its memory is better used for what follows
  progress("recover");
  watch.lap();
  together(all, [&] {
    if (!answer.is_finite()) throw SolverError(kNotFinite);
  });
  out.report = summarise_shared(all, out.grid, system, answer, options, out.nodes);
  if (options.loads) {
    append(out.report.findings, atto_findings(options.loads->atto));
    append(out.report.findings, unnamed_load_findings(*options.loads, out.grid.local->elements_in_all[kCurrentSource]));
  }
  const double recover_s = watch.lap();
  add_run(all, solver, out.report);
  out.report.timings_s.read = read_s;
  out.report.timings_s.check = check_s;
  out.report.timings_s.recover = recover_s;
  const double memory = peak_memory_bytes();
  out.most_nodes = static_cast<int64_t>(largest(all, static_cast<double>(out.grid.local->own)));
  out.largest_memory_bytes = static_cast<int64_t>(largest(all, memory));
  out.report.peak_memory_bytes = static_cast<int64_t>(sum(all, memory));
  out.report.input_path = paths.front();
  out.report.netlist_name = netlist_name(paths.front());
  for (const auto& file : out.grid.local->circuit.files) out.report.input_bytes += file->bytes_on_disk();
  return out;
}

}  // namespace gridiron::distributed
