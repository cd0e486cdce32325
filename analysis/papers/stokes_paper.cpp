// SPDX-License-Identifier: Apache-2.0
// The Stokes paper: its kernels, and what it says of its preconditioners (§ Results, Figs. 12 to 14), which are curves
// there.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "analysis/papers/paper.hpp"
#include "analysis/papers/stokes_counts.hpp"
#include "analysis/papers/stokes_iterations.hpp"
#include "analysis/papers/stokes_kernel_tables.hpp"
#include "support/context.hpp"

namespace gridiron {
namespace {

StokesRuns solve(const PaperOptions& options) {
  StokesRuns runs({16, 32, 64, 128});
  for (const StokesPreconditioner* p :
       {&kVanka, &kSimpleVanka, &kBraessSarazin, &kThreeSweeps, &kUzawa, &kBlockTriangular, &kStokesDefault}) {
    options.progress(fmt::format("stokes, {}", p->name));
    runs.add(*p);
  }
  return runs;
}

/// Operations of tuned Vanka relaxation on the finest level, per element, until 1e-8.
double vanka_operations(const StokesRuns& runs, size_t size) {
  const int64_t n = runs.sizes()[size];
  double sum = 0;
  for (const KernelCount& count : count_stokes_kernels(n))
    if (count.name == "residual" || count.name == "Vanka: apply inverses" || count.name == "Vanka: update solution")
      sum += count.flops;
  return runs.of(kVanka)[size].iterations * sum / (n * n);
}

PaperTable work_per_element(const StokesRuns& runs) {
  constexpr size_t kSmall = 1, kLarge = 2;
  const double small = vanka_operations(runs, kSmall), large = vanka_operations(runs, kLarge);
  return {
      fmt::format("Fig. 14: work of Vanka per element, {0} x {0} and {1} x {1}", runs.sizes()[kSmall],
                  runs.sizes()[kLarge]),
      "'The time for the tuned Vanka implementation (per element) remains the same no matter the problem size on the "
      "CPU': operations of its kernels on the finest level times iterations to 1e-8, which do not depend on the "
      "machine.",
      {{"operations per element", Rule::shown, 0, 5},
       {"over the first", Rule::within, 0.1, 4, "a tenth, for the nodes that grids have beside elements", "theory"}},
      {{fmt::format("{0} x {0}", runs.sizes()[kSmall]), {{"", small}, {}}},
       {fmt::format("{0} x {0}", runs.sizes()[kLarge]), {{"", large}, {"1", large / small}}}}};
}

PaperTable times(const StokesRuns& runs) {
  const auto last = [&](const StokesPreconditioner& p) { return runs.of(p).back().seconds; };
  const auto n = static_cast<double>(runs.sizes().back());
  return {fmt::format("Figs. 12 to 14: times on a processor, one thread, {0} x {0}", runs.sizes().back()),
          "Ratios of times vary between machines. Of the two slow preconditioners the paper gives a figure on its GPU "
          "only, 'more "
          "than 3 times'.",
          {{"ratio"}, {"ms per element"}},
          {{"Vanka over Braess-Sarazin", {{"2", last(kVanka) / last(kBraessSarazin)}, {}}},
           {"block-triangular over Vanka", {{"", last(kBlockTriangular) / last(kVanka)}, {}}},
           {"Schur-Uzawa over Vanka", {{"", last(kUzawa) / last(kVanka)}, {}}},
           {"Vanka", {{}, {"0.03", 1e3 * last(kVanka) / (n * n)}}},
           {"our defaults", {{}, {"", 1e3 * last(kStokesDefault) / (n * n)}}}}};
}

}  // namespace

std::vector<PaperTable> stokes_tables(const PaperOptions& options) {
  const ThreadCount one(1);
  const StokesRuns runs = solve(options);
  options.progress("stokes, kernels");
  std::vector<PaperTable> tables = stokes_kernel_tables();
  tables.push_back(stokes_iterations(runs));
  tables.push_back(stokes_iteration_statements(runs));
  tables.push_back(work_per_element(runs));
  tables.push_back(times(runs));
  return tables;
}

}  // namespace gridiron
