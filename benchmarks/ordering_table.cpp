// SPDX-License-Identifier: Apache-2.0
// Fill-reducing orderings for CHOLMOD over many cases:
//   bench_ordering [ROUNDS] CASE…
// For cases see case.hpp. Times are processor times of all threads in medians of ROUNDS (3), in which the orderings
// take turns. AMD and METIS order within CHOLMOD's analysis, the time of which is divided by what it takes where the
// ordering is given.
#include <cholmod.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/case.hpp"
#include "engines/cholmod/supernodal.hpp"
#include "engines/cholmod/supernodal_solve.hpp"
#include "engines/cholmod/symbolic.hpp"
#include "engines/cholmod/triangle.hpp"
#include "engines/direct/dissection.hpp"
#include "linalg/one_thread.hpp"
#include "support/error.hpp"

using namespace gridiron;

namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// One factorization and one solve.
struct Figures {
  double order = 0, analyze = 0, analyze_of_cholmod = 0, factorize = 0, of_cholmod = 0, solve = 0;  ///< s
  double nonzeros = 0, operations = 0, bytes = 0;
  double total() const { return order + analyze + factorize + solve; }
};

Figures measure(const Problem& problem, cholmod_sparse a, const Coordinates* places, int ordering) {
  const OneBlasThread one_thread;
  cholmod_common common;
  cholmod_l_start(&common);
  common.supernodal_switch = 40;  // as the engine does
  common.nmethods = 1;
  common.method[0].ordering = ordering;
  Figures figures;
  double before = processor_seconds();
  const auto lap = [&before] {
    const double now = processor_seconds();
    return now - std::exchange(before, now);
  };
  cholmod_factor* factor;
  if (places) {
    const Dissected dissected = *dissect_well(problem.matrix, *places, 1);
    figures.order = lap();
    factor = analyze_dissected(problem.matrix, dissected, common);
    figures.analyze = lap();
    std::vector<SuiteSparse_long> order(dissected.order.begin(), dissected.order.end());
    lap();
    cholmod_factor* theirs = cholmod_l_analyze_p(&a, order.data(), nullptr, 0, &common);
    figures.analyze_of_cholmod = lap();
    cholmod_l_free_factor(&theirs, &common);
    lap();
  } else {
    factor = cholmod_l_analyze(&a, &common);
    figures.analyze = lap();
  }
  figures.nonzeros = common.lnz;
  figures.operations = common.fl;
  std::optional<SupernodalTree> tree;
  if (factor->is_super) {
    tree.emplace(*factor);
    factorize_supernodal(problem.matrix, *tree, *factor, common);
  } else {
    cholmod_l_factorize(&a, factor, &common);
  }
  figures.factorize = lap();
  cholmod_dense* b = cholmod_l_ones(a.nrow, 1, CHOLMOD_REAL, &common);
  cholmod_dense* x = nullptr;
  lap();
  if (tree) {
    x = cholmod_l_allocate_dense(a.nrow, 1, a.nrow, CHOLMOD_REAL, &common);
    const auto block = [](cholmod_dense* dense) {
      return Block<double>{static_cast<double*>(dense->x), static_cast<int64_t>(dense->nrow)};
    };
    SupernodalSolve().run(*tree, static_cast<const double*>(factor->x), block(b), block(x));
  } else {
    x = cholmod_l_solve(CHOLMOD_A, factor, b, &common);
  }
  figures.solve = lap();
  if (common.status != CHOLMOD_OK) throw SolverError(fmt::format("CHOLMOD: status {}", common.status));
  figures.bytes = static_cast<double>(common.memory_usage);
  {
    const OneThread serial;
    lap();
    cholmod_l_factorize(&a, factor, &common);
    figures.of_cholmod = lap();
  }
  cholmod_l_free_dense(&b, &common);
  cholmod_l_free_dense(&x, &common);
  cholmod_l_free_factor(&factor, &common);
  cholmod_l_finish(&common);
  return figures;
}

/// Component by component.
Figures median(std::vector<Figures> rounds) {
  Figures middle = rounds[0];
  for (double Figures::*member : {&Figures::order, &Figures::analyze, &Figures::analyze_of_cholmod, &Figures::factorize,
                                  &Figures::of_cholmod, &Figures::solve}) {
    std::ranges::nth_element(rounds, rounds.begin() + static_cast<ptrdiff_t>(rounds.size() / 2), {}, member);
    middle.*member = rounds[rounds.size() / 2].*member;
  }
  return middle;
}

void print_rows(const std::string& name, int rounds) {
  const std::shared_ptr<const Problem> problem = Case(name).problem;
  Triangle triangle(problem->matrix);
  const std::optional<Coordinates> places = coordinates_of(*problem);
  struct Row {
    const char* ordering;
    int method;
    std::vector<Figures> rounds;
  };
  std::vector<Row> rows{{"amd", CHOLMOD_AMD, {}}, {"metis", CHOLMOD_METIS, {}}};
  if (places) rows.push_back({"geometric", CHOLMOD_GIVEN, {}});
  for (int round = 0; round < rounds; ++round)
    for (Row& row : rows)
      row.rounds.push_back(
          measure(*problem, triangle.view(), row.method == CHOLMOD_GIVEN ? &*places : nullptr, row.method));
  const Figures amd = median(rows[0].rounds), given = median(rows.back().rounds);
  for (Row& row : rows) {
    Figures figures = median(row.rounds);
    if (places && row.method != CHOLMOD_GIVEN) {
      figures.order = std::max(0.0, figures.analyze - given.analyze_of_cholmod);
      figures.analyze -= figures.order;
    }
    const bool is_declined = row.method == CHOLMOD_GIVEN && !dissect_well(problem->matrix, *places, 0.25);
    fmt::print("| {} | {} | {}{} | {:.3f} | {:.3f} | {:.3f} | {:.3f} | {:.3f} | {:.2f} | {:.3g} | {:.3g} | {:.0f} |\n",
               std::filesystem::path(name).filename().string(), problem->matrix.rows, row.ordering,
               is_declined ? " (not by auto)" : "", figures.order, figures.analyze, figures.factorize,
               figures.of_cholmod, figures.solve, figures.total() / amd.total(), figures.nonzeros / 1e6,
               figures.operations / 1e9, figures.bytes / 1e6);
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<std::string> cases(argv + 1, argv + argc);
  int rounds = 3;
  if (!cases.empty() && cases[0].find_first_not_of("0123456789") == std::string::npos) {
    rounds = std::max(1, std::stoi(cases[0]));
    cases.erase(cases.begin());
  }
  if (cases.empty()) {
    fmt::print(stderr, "usage: {} [ROUNDS] CASE...\n", argv[0]);
    return 2;
  }
  fmt::print(
      "| case | unknowns | ordering | order s | symbolic s | numeric s | of CHOLMOD | solve s | total / amd | "
      "10⁶ nonzeros | Gflop | peak MB |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const std::string& name : cases) print_rows(name, rounds);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
