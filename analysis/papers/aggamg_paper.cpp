// SPDX-License-Identifier: Apache-2.0
// Tables 1 and 2 of the aggregation multigrid paper, and its variants.
#include <fmt/format.h>

#include "analysis/papers/paper.hpp"
#include "analysis/pde/pde_system.hpp"
#include "engines/engine.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

PdeSystem system_of_size(const char* problem, int64_t size) {
  return make_system(find_pde_problem(problem), {.size = size});
}

/// The paper does not give the anisotropy. Each of its levels but the last is 3.6 times smaller than the one before:
/// aggregates are lines, of which each makes couplings across it as many times stronger, up to a quarter of those along
/// it on the fourth coarse grid but not on the third. So it is between 0.0016 and 0.0056.
constexpr double kAnisotropy = 0.003;

/// 1000 x 1000 interior points.
PaperTable hierarchy() {
  struct Level {
    const char *unknowns, *per_row;
  };
  constexpr Level kPaper[] = {{"1000000", "5.00"}, {"274979", "6.44"}, {"77433", "6.79"},
                              {"21823", "6.77"},   {"6150", "6.39"},   {"938", "5.47"}};
  PaperTable table{"Table 1: hierarchy of the 2-D anisotropic Poisson problem, 1000 x 1000",
                   "preset=paper. Aggregates come from a random order. The anisotropy is not given; here it is 0.003, "
                   "in the middle of "
                   "what the sizes of the paper's levels allow.",
                   {{"unknowns", Rule::as_printed, 0.1, 7}, {"nonzeros per row", Rule::as_printed, 0.05, 3}},
                   {}};
  const PdeSystem system = make_system(find_pde_problem("anisotropic2d"), {.size = 1002, .epsilon = kAnisotropy});
  const auto engine = make_engine(find_engine("aggamg"), "cpu", {{"preset", "paper"}});
  engine->setup(system.problem);
  const std::vector<LevelSummary> levels = engine->levels();
  for (size_t k = 0; k < std::size(kPaper); ++k) {
    PaperRow row{fmt::format("level {}", k), {{kPaper[k].unknowns}, {kPaper[k].per_row}}};
    if (k < levels.size()) {
      const double unknowns = levels[k].unknowns;
      row.cells[0].ours = unknowns;
      row.cells[1].ours = levels[k].nonzeros / unknowns;
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

PaperTable solves(const PaperOptions& options) {
  PaperTable table{
      "Table 2: SPE10-like pressure problem, 1.1 million cells, to a relative residual of 1e-6",
      "The paper's matrix is a part of SPE10, ours (porous3d) is generated like it, so that iterations are "
      "not judged; its seconds are those of a Tesla M2090, hypre's those of one core. Below, variants of the cycle, "
      "and "
      "classical multigrid.",
      {{"iterations"}, {"setup and solve, s"}},
      {}};
  struct Variant {
    const char *name, *iterations, *seconds;
    Settings settings;
    const char* engine = "aggamg";
  };
  const Variant variants[] = {{"as in the paper: one Jacobi sweep, two K-levels, GMRES",
                               "15",
                               "0.469",
                               {{"preset", "paper"}, {"krylov", "gmres"}}},
                              {"the same, flexible CG", "", "", {{"preset", "paper"}}},
                              {"the same, V-cycle", "", "", {{"preset", "paper"}, {"k_levels", "0"}}},
                              {"our defaults", "", "", {}},
                              {"classical multigrid (engine hypre)", "10", "0.583", {}, "hypre"}};
  options.progress("aggamg, Table 2");
  const PdeSystem system = system_of_size("porous3d", 220);
  const auto n = system.problem->matrix.rows;
  for (const Variant& variant : variants) {
    const EngineInfo& info = find_engine(variant.engine);
    if (info.declines(*system.problem)) {
      table.rows.push_back({variant.name, {{variant.iterations}, {variant.seconds}}});
      continue;
    }
    const auto engine = make_engine(info, "cpu", variant.settings);
    const Stopwatch watch;
    engine->setup(system.problem);
    std::vector<double> x(n, 0.0);
    const SolveStats stats = engine->solve({system.b.data(), n, 1}, {x.data(), n, 1}, {.relative_residual = 1e-6});
    const double seconds = watch.seconds();
    table.rows.push_back(
        {variant.name,
         {{variant.iterations, stats.converged ? stats.iterations : PaperCell().ours}, {variant.seconds, seconds}}});
  }
  return table;
}

}  // namespace

std::vector<PaperTable> aggamg_tables(const PaperOptions& options) {
  options.progress("aggamg, Table 1");
  return {hierarchy(), solves(options)};
}

}  // namespace gridiron
