// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/study.hpp"

#include <algorithm>
#include <cmath>

#include "support/error.hpp"
#include "support/freed_memory.hpp"
#include "support/lists.hpp"

namespace gridiron {
namespace {

void drop_fields(PdeResult& result) {
  free_memory(result.solution);
  result.slice = {};
  result.error_slice.reset();
  free_memory(result.further_slices, result.lines, result.lines_in_slice, result.sources, result.fields);
  result.mesh.reset();
}

std::optional<PdeStudy::StokesOrders> stokes_orders(const std::vector<PdeResult>& runs) {
  std::vector<double> spacings, velocity, pressure;
  for (const PdeResult& run : runs) {
    if (!run.flow || !run.flow->error) return std::nullopt;
    spacings.push_back(run.spacing[0]);
    velocity.push_back(run.flow->error->velocity_l2);
    pressure.push_back(run.flow->error->pressure_l2);
  }
  return PdeStudy::StokesOrders{fitted_order(spacings, velocity), fitted_order(spacings, pressure)};
}

PdeStudy::Orders error_orders(const std::vector<PdeResult>& runs) {
  const auto order = [&](double PdeError::*norm) {
    std::vector<double> spacings, errors;
    for (const PdeResult& run : runs) {
      spacings.push_back(run.spacing[0]);
      errors.push_back((*run.error).*norm);
    }
    return fitted_order(spacings, errors);
  };
  return {order(&PdeError::l1_relative), order(&PdeError::l2), order(&PdeError::linf)};
}

}  // namespace

double fitted_order(const std::vector<double>& x, const std::vector<double>& y) {
  double n = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double log_x = std::log(x[i]), log_y = std::log(y[i]);
    n += 1;
    sum_x += log_x;
    sum_y += log_y;
    sum_xx += log_x * log_x;
    sum_xy += log_x * log_y;
  }
  const double order = (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
  return std::isfinite(order) ? order : NAN;
}

PdeStudy study_pde(const PdeOptions& options, std::vector<int64_t> sizes) {
  sort_unique(sizes);
  if (sizes.size() < 2) throw InputError(field("study") + " needs at least two different sizes, separated by commas");
  const PdeProblem& problem = find_pde_problem(options.problem);
  std::vector<PdeOptions> each;
  for (const int64_t size : sizes) {  // check all of them before solving the first
    each.push_back(options);
    each.back().choices.size = size;
    pde_shape(problem, each.back().choices);
  }
  PdeStudy study;
  for (const PdeOptions& one : each) {
    study.runs.push_back(solve_pde(one));
    drop_fields(study.runs.back());
  }
  std::vector<double> unknowns, seconds;
  for (const PdeResult& run : study.runs) {
    unknowns.push_back(run.unknowns);
    seconds.push_back(run.timings_s.setup + run.timings_s.solve);
  }
  study.time_order = fitted_order(unknowns, seconds);
  const auto is_known = [](const PdeResult& run) { return run.error.has_value(); };
  if (std::ranges::all_of(study.runs, is_known)) study.error_orders = error_orders(study.runs);
  study.stokes_orders = stokes_orders(study.runs);
  return study;
}

}  // namespace gridiron
