// SPDX-License-Identifier: Apache-2.0
#include "analysis/papers/psc_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/papers/cheap_tables.hpp"
#include "analysis/papers/psc_precision.hpp"
#include "analysis/pde/pde_system.hpp"
#include "engines/engine.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

/// The refinement of the least error, from 1 on.
double best_level(const std::vector<double>& errors) {
  return static_cast<double>(std::ranges::min_element(errors) - errors.begin() + 1);
}

/// The refinement at which the error of discretization, C h^2, meets that of computation, K / h^2: C from levels on
/// which `exact` has the former alone, K from those on which it is small beside the latter, by geometric means.
double meeting_level(const std::vector<double>& errors, const std::vector<double>& exact) {
  constexpr int kFirst = 4, kLast = 12;
  constexpr double kMost = 0.1;
  double discretization = 0, computation = 0;
  int levels = 0;
  for (int level = kFirst; level <= kLast; ++level)
    discretization += (std::log2(exact[level - 1]) + 2 * level) / (kLast - kFirst + 1);
  for (size_t k = 0; k < errors.size(); ++k) {
    if (errors[k] < 2 * exact[k] || errors[k] > kMost) continue;
    computation += 0.5 * std::log2(errors[k] * errors[k] - exact[k] * exact[k]) - 2.0 * (static_cast<double>(k) + 1);
    ++levels;
  }
  return (discretization - computation / levels) / 4;
}

/// Millions of unknowns times right-hand sides per second, for matrices that are set up.
double rate(Engine& engine, const PdeSystem& system, int columns) {
  const int64_t n = system.problem->matrix.rows;
  std::vector<double> b, x(n * columns, 0.0);
  for (int k = 0; k < columns; ++k) b.insert(b.end(), system.b.begin(), system.b.end());
  const Stopwatch watch;
  engine.solve({b.data(), n, columns}, {x.data(), n, columns}, {.relative_residual = 1e-8});
  return 1e-6 * static_cast<double>(n) * columns / watch.seconds();
}

PaperTable speeds(const PaperOptions& options) {
  constexpr int kMany = 16;
  PaperTable table{
      "Figs. 12 to 14: millions of unknowns per second, Q1 on the unit square",
      "Standard multigrid on this machine is the engine aggamg to 1e-8, the paper's FEAT3 on an AMD CPU "
      "solves for 8 million per second on average with many right-hand sides; (M1) in fp16 on Tensor Cores with 4096 "
      "right-hand sides is that of an H200, from benchmarks/results/h200.md of 2026-11-22, h0 = 1/16, the paper's of a "
      "V100, there with h0 = 1/32 for h = 1/1024.",
      {{"multigrid, one"}, {fmt::format("multigrid, {}", kMany)}, {"(M1), fp16, H200", Rule::shown, 0, 5}},
      {}};
  struct Mesh {
    int64_t elements;
    double h200;
    const char* v100;
  };
  for (const Mesh& mesh : {Mesh{256, 41145, "12'906"}, Mesh{512, 43924.6, "8'730"}, Mesh{1024, 34532.6, "5'113"}}) {
    options.progress(fmt::format("psc, Figs. 12 to 14, h = 1/{}", mesh.elements));
    const PdeSystem system = make_system(find_pde_problem("poisson2d-q1"), {.size = mesh.elements});
    const auto engine = make_engine(find_engine("aggamg"), "cpu", {});
    engine->setup(system.problem);
    table.rows.push_back(
        {fmt::format("h = 1/{}", mesh.elements),
         {{"", rate(*engine, system, 1)}, {"8", rate(*engine, system, kMany)}, {mesh.v100, mesh.h200}}});
  }
  return table;
}

}  // namespace

std::vector<PaperTable> psc_errors_by_precision() {
  constexpr int kLevels = 18, kFirst = 4;
  const std::vector<double> single = errors_in_one_dimension<float>(kLevels),
                            twice = errors_in_one_dimension<double>(kLevels),
                            extended = errors_in_one_dimension<long double>(kLevels);
  PaperTable errors{"Fig. 6: L2 errors of linear elements in 1-D by precision",
                    "The paper shows curves and does not tell its solution; ours is sin(pi x), relative, all from the "
                    "matrix to the solution in the precision of the column. Its quad precision is our extended one of "
                    "64 bits.",
                    {{"single", Rule::shown, 0, 3}, {"double", Rule::shown, 0, 3}, {"extended", Rule::shown, 0, 3}},
                    {}};
  for (int level = kFirst; level <= kLevels; level += 2)
    errors.rows.push_back({fmt::format("h = 2^-{}", level),
                           {{"", single[level - 1]}, {"", twice[level - 1]}, {"", extended[level - 1]}}});
  const double in_single = meeting_level(single, extended), in_double = meeting_level(twice, extended);
  return {std::move(errors),
          {"Section 3: where the errors meet",
           "'The intersection of discretization and computational error is at h ~ TOL^(1/4)': from TOL = 1.2e-7 to "
           "2.2e-16 this is 7.25 refinements further. Lines of h^2 and 1/h^2 are laid through the two errors; where an "
           "error is least, which is a whole number of refinements, stands beside it.",
           {{"they meet at refinement", Rule::within, 0.75, 3,
             "a tenth of it, by which constants that are not the same in both precisions, up to a factor of 8, move it",
             "theory"},
            {"least error at", Rule::shown, 0, 3}},
           {{"single", {{"", in_single}, {"", best_level(single)}}},
            {"double", {{"", in_double}, {"", best_level(twice)}}},
            {"double after single", {{"7.25", in_double - in_single}, {"", best_level(twice) - best_level(single)}}}}}};
}

std::vector<PaperTable> psc_figures(const PaperOptions& options) {
  std::vector<PaperTable> tables = psc_errors_by_precision();
  tables.push_back(speeds(options));
  return tables;
}

}  // namespace gridiron
