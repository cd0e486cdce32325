// SPDX-License-Identifier: Apache-2.0
// Tables 1 and 2 of the aggregation multigrid paper, and its variants.
#include <fmt/format.h>

#include <cmath>
#include <span>

#include "analysis/papers/aggregation_sizes.hpp"
#include "analysis/papers/cheap_tables.hpp"
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

/// CUSP's threshold of strong couplings is not given either; with this one level 3 has the paper's size.
constexpr double kSmoothedStrength = 0.115;

/// 1000 x 1000 interior points.
PdeSystem anisotropic() {
  return make_system(find_pde_problem("anisotropic2d"), {.size = 1002, .epsilon = kAnisotropy});
}

struct PrintedLevel {
  const char *unknowns, *per_row;
  const char* explanation = "";
  double known_unknowns = NAN, known_per_row = NAN;
  bool is_given = false;
};
constexpr PrintedLevel kPlain[] = {
    {"1000000", "5.00", "", NAN, NAN, true},
    {"274979", "6.44"},
    {"77433", "6.79"},
    {"21823", "6.77"},
    {"6150", "6.39"},
    {"938", "5.47"},
    {"169", "3.79",
     "level 4 is six unknowns wide along the strong couplings, and what these become on the last levels follows from "
     "the random order of aggregates: ours end as a chain, with three nonzeros per row, the paper's not quite; no "
     "anisotropy or threshold brings both levels 5 and 6 within the tolerance",
     128, 3.14}};
constexpr const char* kThresholds =
    "CUSP's thresholds of strong couplings are not given, and one for all levels does not fit them all";
constexpr PrintedLevel kSmoothed[] = {{"1000000", "5.00", "", NAN, NAN, true},
                                      {"275264", "16.60"},
                                      {"76002", "57.88"},
                                      {"8601", "85.74", "", NAN, NAN, true},  // the threshold was chosen for it
                                      {"923", "88.89", kThresholds, 633, 73.7},
                                      {"246", "114.39", kThresholds, 59, 31.2}};

PaperTable hierarchy(const char* title, const char* note, std::span<const PrintedLevel> paper,
                     std::span<const MatrixSize> levels) {
  PaperTable table{title,
                   note,
                   {{"unknowns", Rule::as_printed, 0.1, 7, "as aggregates come from a random order"},
                    {"nonzeros per row", Rule::as_printed, 0.05, 4, "for the same reason"}},
                   {}};
  for (size_t k = 0; k < paper.size(); ++k) {
    const PrintedLevel& level = paper[k];
    PaperRow row{fmt::format("level {}", k),
                 {{level.unknowns, NAN, level.known_unknowns, level.is_given},
                  {level.per_row, NAN, level.known_per_row, level.is_given}},
                 level.explanation};
    if (k < levels.size()) {
      row.cells[0].ours = static_cast<double>(levels[k].unknowns);
      row.cells[1].ours = static_cast<double>(levels[k].nonzeros) / static_cast<double>(levels[k].unknowns);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

PaperTable smoothed_hierarchy() {
  constexpr int64_t kCoarsest = 246;
  return hierarchy(
      "Table 1, CUSP: the same by smoothed aggregation",
      "Not an engine of ours: the aggregates of GAMPACK with the threshold 0.115 and an interpolation "
      "smoothed by a damped Jacobi step, row by row on the host. The threshold is chosen so that level 3 has the "
      "paper's size; that level, and level 0, which the problem is, are not judged.",
      kSmoothed,
      aggregation_sizes(anisotropic().problem->matrix, kSmoothedStrength, kCoarsest, Interpolation::smoothed));
}

/// Iterations, NaN without convergence, and seconds of setup, solve, and an update with the same values.
struct MultigridRun {
  double iterations = PaperCell().ours, setup_s = PaperCell().ours, solve_s = PaperCell().ours,
         update_s = PaperCell().ours;
};

MultigridRun run_multigrid(const PdeSystem& system, const char* name, const Settings& settings) {
  const EngineInfo& info = find_engine(name);
  MultigridRun result;
  if (info.declines(*system.problem)) return result;
  const auto n = system.problem->matrix.rows;
  const auto engine = make_engine(info, "cpu", settings);
  Stopwatch watch;
  engine->setup(system.problem);
  result.setup_s = watch.seconds();
  std::vector<double> x(n, 0.0);
  watch = {};
  const SolveStats stats = engine->solve({system.b.data(), n, 1}, {x.data(), n, 1}, {.relative_residual = 1e-6});
  result.solve_s = watch.seconds();
  if (stats.converged) result.iterations = stats.iterations;
  watch = {};
  engine->update(system.problem);
  result.update_s = watch.seconds();
  return result;
}

const Settings kPaper = {{"preset", "paper"}, {"krylov", "gmres"}};

PaperTable independence(const PaperOptions& options) {
  constexpr int64_t kSizes[] = {129, 257, 513, 1025, 2049};
  PaperTable table{
      "Section 2.2: K-cycles and the size of the grid, 2-D Poisson problem, iterations to 1e-6",
      "'It is sufficient to use K-cycles for only two levels at the top and V-cycles for the remaining levels to "
      "achieve grid independence convergence'. preset=paper.",
      {},
      {}};
  for (const int64_t size : kSizes) table.columns.push_back({fmt::format("{0} x {0}", size)});
  table.columns.push_back({"2049 over 257", Rule::within, 0.2, 3,
                           "as the iterations of Table 2 vary from 14 to 15, by a fifteenth, and this is three times "
                           "twice the side",
                           "text"});
  struct Variant {
    const char *name, *k_levels, *explanation;
    double known;
  };
  constexpr Variant kVariants[] = {{"K-cycles on two levels", "2",
                                    "below two K-levels V-cycles of plain aggregation go over up to four further grids "
                                    "here, and take more iterations "
                                    "the more there are; on the paper's own matrices, in Table 2, they do not",
                                    2.76},
                                   {"K-cycles on all levels", "9", "", NAN}};
  std::vector<PdeSystem> systems;
  for (const int64_t size : kSizes) systems.push_back(system_of_size("poisson2d", size));
  for (const Variant& variant : kVariants) {
    options.progress(fmt::format("aggamg, {}", variant.name));
    PaperRow row{variant.name, {}, variant.explanation};
    for (const PdeSystem& system : systems)
      row.cells.push_back(
          {"", run_multigrid(system, "aggamg", {{"preset", "paper"}, {"k_levels", variant.k_levels}}).iterations});
    row.cells.push_back({"1", row.cells.back().ours / row.cells[1].ours, variant.known});
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// A row of Table 2: the least time on one to four GPUs, and iterations there.
struct Cells {
  const char* name;
  int64_t size;  ///< of porous3d
  const char *iterations, *seconds, *classical_iterations, *classical_seconds;
  double known_growth;  ///< over the first; NaN where it is within the tolerance
};
constexpr Cells kCells[] = {{"0.14 M", 110, "", "", "", "", NAN},
                            {"0.40 M", 156, "", "", "", "", NAN},
                            {"1.1 M", 220, "15", "0.469", "10", "0.583", 1.18},
                            {"2.2 M", 277, "15", "0.821", "10", "1.121", 1.29},
                            {"4.4 M", 349, "15", "1.488", "11", "2.237", 1.35},
                            {"8.9 M", 440, "14", "1.636", "12", "2.556", 1.47},
                            {"13.5 M", 506, "15", "1.813", "12", "2.769", 1.53}};

constexpr int64_t kLargestUsual = 220;

constexpr const char* kGrows =
    "K-cycles on two levels let iterations grow with further grids below, as in the table of section 2.2";

PaperTable scaling(const PaperOptions& options) {
  PaperTable table{
      "Table 2: SPE10-like pressure problems to a relative residual of 1e-6",
      "The paper's matrices are of SPE10 and not to be had; ours (porous3d) have as many cells and a permeability of "
      "like contrast, so that iterations are not judged, but their growth is, from 0.14 million cells on, which the "
      "paper does not have. Its seconds are those of one Tesla M2090, of two for 8.9 and three for 13.5 million cells; "
      "ours of this machine's processor. Above 1.1 million cells with --large. Classical "
      "multigrid is the engine hypre.",
      {{"iterations"},
       {"over 0.14 M", Rule::within, 0.067, 3, "as the paper's own range is 14 to 15", "text"},
       {"setup and solve, s"},
       {"classical: iterations"},
       {"classical: s"}},
      {}};
  double first = 0;
  for (const Cells& cells : kCells) {
    if (cells.size > kLargestUsual && !options.large) break;
    options.progress(fmt::format("aggamg, Table 2, {} cells", cells.name));
    const PdeSystem system = system_of_size("porous3d", cells.size);
    const MultigridRun ours = run_multigrid(system, "aggamg", kPaper), classical = run_multigrid(system, "hypre", {});
    if (first == 0) first = ours.iterations;
    table.rows.push_back({fmt::format("{} cells", cells.name),
                          {{cells.iterations, ours.iterations},
                           {table.rows.empty() ? "" : "1", ours.iterations / first, cells.known_growth},
                           {cells.seconds, ours.setup_s + ours.solve_s},
                           {cells.classical_iterations, classical.iterations},
                           {cells.classical_seconds, classical.setup_s + classical.solve_s}},
                          kGrows});
  }
  return table;
}

/// From the columns of four GPUs in Table 2, beside a GPU of today.
PaperTable rates() {
  return {
      "Fig. 5: millions of unknowns per second, setup and solve",
      "The paper shows a curve of four Tesla M2090 from some 2 million unknowns on; beside ours stand cells over "
      "seconds of its Table 2, to a relative residual of 1e-6. Those of one H200 are the engine's defaults to 1e-8 "
      "from "
      "benchmarks/results/h200.md of 2026-11-26, porous3d of 1.122 and 13.84 million unknowns in 22.8 and 149.2 ms. "
      "Both grow with the size.",
      {{"one H200", Rule::shown, 0, 3}},
      {{"1.1 M cells", {{"2.7", 1.122 / 22.8e-3}}},
       {"2.2 M cells", {{"4.4"}}},
       {"4.4 M cells", {{"5.0"}}},
       {"8.9 M cells", {{"7.6"}}},
       {"13.5 M cells", {{"9.2", 13.84 / 149.2e-3}}}}};
}

PaperTable variants(const PaperOptions& options) {
  PaperTable table{
      "Variants of the cycle, 1.1 million cells",
      "'The entire Galerkin product can be performed in less than 1/10th of the regular spmm compute time' where only "
      "values change: an update, which forms smoothers and coarse factors too, over a setup. V-cycles are what "
      "K-cycles are to improve on.",
      {{"iterations"},
       {"setup, s", Rule::shown, 0, 3},
       {"solve, s", Rule::shown, 0, 3},
       {"update over setup", Rule::shown, 0, 2}},
      {}};
  options.progress("aggamg, variants");
  const PdeSystem system = system_of_size("porous3d", kLargestUsual);
  const auto add = [&](const char* name, const char* update, const Settings& settings) {
    const MultigridRun run = run_multigrid(system, "aggamg", settings);
    table.rows.push_back(
        {name, {{"", run.iterations}, {"", run.setup_s}, {"", run.solve_s}, {update, run.update_s / run.setup_s}}});
  };
  add("as in the paper: one Jacobi sweep, two K-levels, flexible GMRES", "0.1", kPaper);
  add("the same, flexible CG", "", {{"preset", "paper"}});
  add("the same, V-cycle", "", {{"preset", "paper"}, {"k_levels", "0"}});
  add("our defaults", "", {});
  return table;
}

}  // namespace

PaperTable aggamg_hierarchy() {
  const PdeSystem system = anisotropic();
  const auto engine = make_engine(find_engine("aggamg"), "cpu", {{"preset", "paper"}});
  engine->setup(system.problem);
  std::vector<MatrixSize> levels;
  for (const LevelSummary& level : engine->levels())
    levels.push_back({static_cast<int64_t>(level.unknowns), static_cast<int64_t>(level.nonzeros)});
  return hierarchy(
      "Table 1, GAMPACK: hierarchy of the 2-D anisotropic Poisson problem, 1000 x 1000",
      "preset=paper. The anisotropy is not given; here it is 0.003, in the middle of what the sizes of the "
      "paper's levels allow. Level 0, which the problem is, is not judged.",
      kPlain, levels);
}

std::vector<PaperTable> aggamg_tables(const PaperOptions& options) {
  options.progress("aggamg, Table 1");
  std::vector<PaperTable> tables = {aggamg_hierarchy(), smoothed_hierarchy()};
  tables.push_back(independence(options));
  tables.push_back(scaling(options));
  tables.push_back(rates());
  tables.push_back(variants(options));
  return tables;
}

}  // namespace gridiron
