// SPDX-License-Identifier: Apache-2.0
// The SGML paper: convergence (Fig. 3), cost of a cycle (Fig. 4), applications (sections 3.2 to 3.4).
#include <algorithm>
#include <cmath>

#include "analysis/papers/sgml_tables.hpp"
#include "analysis/pde/accuracy.hpp"
#include "analysis/pde/pde_system.hpp"
#include "engines/engine.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {

const Settings kPaperCycle = {{"preset", "paper"}, {"precision", "double"}};
const Settings kOurCycle = {{"cycle", "stationary"}, {"precision", "double"}};

SgmlCycles run_sgml_cycles(const std::shared_ptr<const PdeModel>& model, int cycles, const Settings& settings,
                           double enough, const std::function<void(const std::vector<double>&)>& see) {
  const PdeSystem system = system_of(model);
  const CsrMatrix& matrix = system.problem->matrix;
  const int64_t n = matrix.rows;
  const int columns = model->components();
  const auto engine = make_engine(find_engine("sgml"), "cpu", settings);
  engine->setup(system.problem);
  SgmlCycles result;
  std::vector<double> x(system.b.size(), 0.0), r = system.b, c(x.size()), product(x.size());
  const auto largest = [](const std::vector<double>& values) {
    double most = 0;
    for (const double v : values) most = std::max(most, std::abs(v));
    return most;
  };
  double seconds = 0;
  while (std::ssize(result.residual) < cycles && (result.residual.empty() || result.residual.back() > enough)) {
    std::ranges::fill(c, 0.0);
    const Stopwatch watch;
    engine->solve({r.data(), n, columns}, {c.data(), n, columns}, {.relative_residual = 0, .max_iterations = 1});
    seconds += watch.seconds();
    see(c);
    for (int k = 0; k < columns; ++k) multiply(matrix, c.data() + k * n, product.data() + k * n);
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] += c[i];
      r[i] -= product[i];
    }
    result.residual.push_back(largest(r) / largest(system.b));
    if (model->exact) result.l1_error.push_back(error_against_exact(*model, x).l1_relative);
  }
  result.bytes_per_cycle = engine->bytes_per_iteration();
  result.seconds_per_cycle = seconds / result.residual.size();
  result.solution = std::move(x);
  return result;
}

std::vector<PaperTable> sgml_tables(const PaperOptions& options) {
  std::vector<PaperTable> tables = sgml_convergence(options);
  for (PaperTable& table : sgml_applications(options)) tables.push_back(std::move(table));
  return tables;
}

}  // namespace gridiron
