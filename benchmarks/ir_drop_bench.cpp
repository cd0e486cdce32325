// SPDX-License-Identifier: Apache-2.0
// The stages of `gridiron ir` one by one, on decks from `gridiron generate`: ibm/<nodes> and openroad/<nodes>. Each
// deck first goes through the whole analysis and must be certified before anything is timed.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <stdexcept>

#include "analysis/certify/error_bound.hpp"
#include "analysis/model/grid.hpp"
#include "analysis/run/ir_drop.hpp"
#include "engines/assemble.hpp"
#include "engines/engine.hpp"
#include "netlist/generator.hpp"
#include "netlist/reader.hpp"
#include "regularize/eliminate.hpp"
#include "reports/report.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;

/// A generated deck and everything the stages need, created once per size.
struct Case {
  fs::path deck;
  Circuit circuit;
  IrReport result;
  Grid grid;
  Merge merge;
  MergedNetwork network;
  Elimination elimination;
  Problem problem;
};

Case& get_case(const std::string& style, int64_t nodes) {
  static std::map<std::pair<std::string, int64_t>, std::unique_ptr<Case>> cases;
  std::unique_ptr<Case>& c = cases[{style, nodes}];
  if (c) return *c;
  c = std::make_unique<Case>();
  c->deck = fs::temp_directory_path() / fmt::format("gridiron_bench_{}_{}.sp", style, nodes);
  GeneratorOptions options;
  options.style = style;
  options.nodes = nodes;
  generate(options, c->deck);
  c->circuit = read_netlist(c->deck.string());
  c->result = analyse_ir_drop(c->circuit, {});
  if (!c->result.certificate.valid || c->result.certificate.max_error_v > 1e-5)
    throw std::runtime_error("the answer is not certified");
  c->result.netlist_name = "bench";
  c->grid = make_grid(c->circuit);
  c->merge = merge_ties(c->grid.network);
  c->network =
      merged_network(c->grid.network, c->merge, node_injection(c->circuit, c->circuit.current_sources.value), {});
  c->elimination = eliminate(c->network);
  c->problem.matrix = assemble(c->elimination.network);
  return *c;
}

/// Registers `body(case)` for a style; items are nodes, so the report shows nodes per second.
template <class Body>
void add(const std::string& name, Body body) {
  for (const std::string style : {"ibm", "openroad"}) {
    const auto run = [=](benchmark::State& state) {
      Case& c = get_case(style, state.range(0));
      for (auto _ : state) benchmark::DoNotOptimize(body(c));
      state.SetItemsProcessed(state.iterations() * c.circuit.node_count());
    };
    benchmark::RegisterBenchmark((name + "/" + style).c_str(), run)
        ->Arg(100'000)
        ->Arg(1'000'000)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
}

}  // namespace

void register_benchmarks() {
  add("read", [](Case& c) { return read_netlist(c.deck.string()).node_count(); });
  add("merge", [](Case& c) { return merge_ties(c.grid.network).groups; });
  add("reduce", [](Case& c) { return eliminate(c.network).kept.size(); });
  add("assemble", [](Case& c) { return assemble(c.elimination.network).nonzeros(); });
  add("setup_cholmod", [](Case& c) {
    const auto engine = find_engine("cholmod").make({});
    engine->setup(c.problem);
    return engine->bytes();
  });
  add("bound", [](Case& c) {
    const std::vector<int32_t> system(static_cast<size_t>(c.network.nodes), 0);
    ErrorBound bound(c.network, system, 1);
    return bound.set_barrier(std::vector<double>(c.network.nodes, 1.0));
  });
  for (const std::string format : {"solution", "csv", "json", "png", "html"})
    add("write_" + format, [format](Case& c) {
      return write_reports(c.result, fs::temp_directory_path() / "gridiron_bench_reports", {format}).size();
    });
  add("whole_run", [](Case& c) {
    const Circuit circuit = read_netlist(c.deck.string());
    return analyse_ir_drop(circuit, {}).nets.size();
  });
}

}  // namespace gridiron

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  gridiron::register_benchmarks();
  benchmark::RunSpecifiedBenchmarks();
}
