// SPDX-License-Identifier: Apache-2.0
// The Stokes paper: its kernels, and what it says of its preconditioners (§ Results, Figs. 12 to 14), which are curves
// there.
#include <fmt/format.h>

#include <map>

#include "analysis/papers/paper.hpp"
#include "analysis/papers/stokes_kernel_tables.hpp"
#include "analysis/pde/problems.hpp"
#include "engines/engine.hpp"
#include "engines/stokes_matrix.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

struct Preconditioner {
  const char* name;
  Settings settings;
};

const Preconditioner kVanka = {"Vanka V(1,1)", {{"relaxation", "vanka"}, {"pre", "1"}, {"post", "1"}}};
const Preconditioner kBraessSarazin = {"Braess-Sarazin, one sweep, V(1,1)",
                                       {{"schur_sweeps", "1"},
                                        {"schur_scale", "0.92"},
                                        {"schur_weight", "0.85"},
                                        {"schur_jacobi", "0.82"},
                                        {"pre", "1"},
                                        {"post", "1"}}};
const Preconditioner kUzawa = {"Schur-Uzawa V(1,1)",
                               {{"relaxation", "schur-uzawa"}, {"restart", "100"}, {"pre", "1"}, {"post", "1"}}};
const Preconditioner kBlockTriangular = {"block-triangular", {{"preconditioner", "block-triangular"}}};
const Preconditioner kThreeSweeps = {"Braess-Sarazin, three sweeps, V(1,1)", {{"pre", "1"}, {"post", "1"}}};
const Preconditioner kDefault = {"our defaults: three sweeps, V(1,2)", {}};

constexpr int64_t kSizes[] = {16, 32, 64, 128};

struct StokesRun {
  double iterations = PaperCell().ours, seconds = PaperCell().ours;
};

/// stokes2d to 1e-8, the second of two solves.
StokesRun run(const Preconditioner& preconditioner, int64_t n) {
  const StokesModel model = make_stokes_model(find_pde_problem("stokes2d"), {.size = n});
  const std::vector<double> b = right_hand_side(model);
  const auto engine = make_engine(find_engine("stokes"), "cpu", preconditioner.settings);
  engine->setup(stokes_problem_without_matrix(std::make_shared<const StokesGrid>(model.grid)));
  const auto rows = std::ssize(b);
  StokesRun result;
  for (int round = 0; round < 2; ++round) {
    std::vector<double> x(b.size(), 0.0);
    const Stopwatch watch;
    const SolveStats stats = engine->solve({b.data(), rows, 1}, {x.data(), rows, 1}, {.relative_residual = 1e-8});
    result.seconds = watch.seconds();
    if (stats.converged) result.iterations = stats.iterations;
  }
  return result;
}

}  // namespace

std::vector<PaperTable> stokes_tables(const PaperOptions& options) {
  const ThreadCount one(1);
  PaperTable iterations{"Iterations of stokes2d to 1e-8", "The paper gives no numbers of iterations.", {}, {}};
  for (const int64_t n : kSizes) iterations.columns.push_back({fmt::format("{0} x {0}", n)});
  std::map<std::string, std::vector<StokesRun>> runs;
  for (const Preconditioner& p : {kVanka, kBraessSarazin, kThreeSweeps, kUzawa, kBlockTriangular, kDefault}) {
    options.progress(fmt::format("stokes, {}", p.name));
    PaperRow row{p.name, {}};
    for (const int64_t n : kSizes) {
      runs[p.name].push_back(run(p, n));
      row.cells.push_back({"", runs[p.name].back().iterations});
    }
    iterations.rows.push_back(std::move(row));
  }
  const auto last = [&](const Preconditioner& p) { return runs.at(p.name).back(); };
  const auto growth = [&](const Preconditioner& p) {
    return runs.at(p.name).back().iterations - runs.at(p.name)[1].iterations;
  };
  const double elements = 128.0 * 128.0;
  PaperTable counts{
      "Statements about iterations, 128 x 128",
      "'Vanka relaxation typically requires one fewer iteration'; monolithic multigrid is scalable: the "
      "number of iterations does not grow from 32 x 32 on. One iteration of difference is allowed.",
      {{"iterations", Rule::within, 1}},
      {{"Braess-Sarazin more than Vanka", {{"1", last(kBraessSarazin).iterations - last(kVanka).iterations}}},
       {"growth with Vanka", {{"0", growth(kVanka)}}},
       {"growth with Braess-Sarazin", {{"0", growth(kBraessSarazin)}}}}};
  PaperTable times{
      "Statements about time on a processor, one thread, 128 x 128",
      "Figs. 12 and 14; ratios of times vary between machines and are not judged.",
      {{"ratio"}, {"ms per element"}},
      {{"Vanka over Braess-Sarazin", {{"2", last(kVanka).seconds / last(kBraessSarazin).seconds}, {}}},
       {"block-triangular over Vanka (up to)", {{"3", last(kBlockTriangular).seconds / last(kVanka).seconds}, {}}},
       {"Schur-Uzawa over Vanka (up to)", {{"3", last(kUzawa).seconds / last(kVanka).seconds}, {}}},
       {"Vanka", {{}, {"0.03", 1e3 * last(kVanka).seconds / elements}}},
       {"our defaults", {{}, {"", 1e3 * last(kDefault).seconds / elements}}}}};
  options.progress("stokes, kernels");
  std::vector<PaperTable> tables = stokes_kernel_tables();
  for (PaperTable* table : {&iterations, &counts, &times}) tables.push_back(std::move(*table));
  return tables;
}

}  // namespace gridiron
