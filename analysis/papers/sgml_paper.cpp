// SPDX-License-Identifier: Apache-2.0
// Figures 3 and 4 of the SGML paper: convergence and cost of a cycle.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/papers/paper.hpp"
#include "analysis/pde/accuracy.hpp"
#include "analysis/pde/pde_system.hpp"
#include "engines/engine.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

struct Cycles {
  std::vector<double> residual, l1_error;  ///< after each cycle
  double seconds_per_cycle = 0;
};

/// Cycles on poisson2d, each on what the one before has left: the residual is accumulated, r - A c for every correction
/// c, as in the paper. That of the sum, b - A x, would end at the rounding of x.
Cycles run_cycles(std::int64_t size, int cycles, const Settings& settings) {
  const auto model = std::make_shared<const PdeModel>(make_model(find_pde_problem("poisson2d"), {.size = size}));
  const PdeSystem system = system_of(model);
  const auto n = system.problem->matrix.rows;
  const auto engine = make_engine(find_engine("sgml"), "cpu", settings);
  engine->setup(system.problem);
  Cycles result;
  std::vector<double> x(static_cast<std::size_t>(n), 0.0), r = system.b, c(x.size()), product(x.size());
  const auto largest = [](const std::vector<double>& values) {
    double most = 0;
    for (const double v : values) most = std::max(most, std::abs(v));
    return most;
  };
  double seconds = 0;
  for (int k = 0; k < cycles; ++k) {
    std::ranges::fill(c, 0.0);
    const Stopwatch watch;
    engine->solve({r.data(), n, 1}, {c.data(), n, 1}, {.relative_residual = 0, .max_iterations = 1});
    seconds += watch.seconds();
    multiply(system.problem->matrix, c.data(), product.data());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += c[i];
      r[i] -= product[i];
    }
    result.residual.push_back(largest(r) / largest(system.b));
    result.l1_error.push_back(error_against_exact(*model, x).l1_relative);
  }
  result.seconds_per_cycle = seconds / cycles;
  return result;
}

const Settings kPaperCycle = {{"preset", "paper"}, {"precision", "double"}};
const Settings kOurCycle = {{"cycle", "stationary"}, {"precision", "double"}};

PaperTable convergence() {
  constexpr int kCycles = 12;
  PaperTable table{
      "Fig. 3: convergence on the 2-D Poisson problem (7), 257 x 257",
      "The accumulated residual in the maximum norm over that of the sources, and the normalised L1 error (9). The "
      "paper shows curves: the residual falls to 1e-14 in all, and the error falls by 'a little less than "
      "10^-2' per cycle to the error of the discretisation.",
      {{"residual, paper's cycle", Rule::at_most, 0, 3},
       {"residual, our cycle", Rule::at_most, 0, 3},
       {"L1 error, paper's cycle", Rule::shown, 0, 3},
       {"L1 error, our cycle", Rule::shown, 0, 3}},
      {}};
  const Cycles paper = run_cycles(257, kCycles, kPaperCycle), ours = run_cycles(257, kCycles, kOurCycle);
  for (int k = 0; k < kCycles; ++k) {
    const char* const bound = k == kCycles - 1 ? "1e-14" : "";
    table.rows.push_back(
        {fmt::format("cycle {}", k + 1),
         {{bound, paper.residual[k]}, {bound, ours.residual[k]}, {"", paper.l1_error[k]}, {"", ours.l1_error[k]}}});
  }
  return table;
}

PaperTable scaling() {
  PaperTable table{"Fig. 4: time of a cycle against the size",
                   "The paper shows curves for GPUs; what it claims is that operations are linear in the "
                   "nodes. Host memory to host memory, two cores.",
                   {{"ms, paper's schedule"}, {"ms, ours"}, {"ns per node, ours"}},
                   {}};
  for (const std::int64_t size : {129, 257, 513, 1025}) {
    const double nodes = static_cast<double>(size) * static_cast<double>(size);
    const double faithful = run_cycles(size, 3, kPaperCycle).seconds_per_cycle,
                 compact = run_cycles(size, 3, kOurCycle).seconds_per_cycle;
    table.rows.push_back(
        {fmt::format("{0} x {0}", size), {{"", 1e3 * faithful}, {"", 1e3 * compact}, {"", 1e9 * compact / nodes}}});
  }
  return table;
}

}  // namespace

std::vector<PaperTable> sgml_tables(const PaperOptions& options) {
  options.progress("sgml, Fig. 3");
  PaperTable first = convergence();
  options.progress("sgml, Fig. 4");
  return {std::move(first), scaling()};
}

}  // namespace gridiron
