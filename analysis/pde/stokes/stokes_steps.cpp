// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/stokes/stokes_steps.hpp"

#include <cmath>

#include "analysis/pde/stokes/stokes_rows.hpp"
#include "engines/stokes_matrix.hpp"

namespace gridiron {
namespace {

StokesModel with_reaction(StokesModel model, double reaction) {
  model.grid.reaction = reaction;
  return model;
}

/// b += ∫ a u ψ for velocities at the lattice of velocity nodes.
void add_mass(const StokesGrid& mass, const StokesFields& fields, std::vector<double>& b) {
  const auto [nx, ny] = mass.elements;
  const int64_t width = 2 * nx + 1;
  double element[9][9];
  for (int a = 0; a < 9; ++a)
    for (int node = 0; node < 9; ++node) element[a][node] = stokes_element_velocity(mass, 0, a, node);
  for_each_element_row(ny, [&, nx = nx](int64_t j) {
    for (int64_t i = 0; i < nx; ++i)
      for (int a = 0; a < 9; ++a)
        for (int c = 0; c < 2; ++c) {
          const int64_t row = mass.velocity(c, {2 * i + a % 3, 2 * j + a / 3});
          if (row < 0) continue;
          for (int node = 0; node < 9; ++node)
            b[row] += element[a][node] * fields.velocity[c][(2 * j + node / 3) * width + 2 * i + node % 3];
        }
  });
}

}  // namespace

StokesSteps::StokesSteps(const StokesModel& steady, double time_step)
    : of_step_(with_reaction(steady, steady.grid.reaction + 1 / time_step)),
      time_step_(time_step),
      from_data_(gridiron::right_hand_side(of_step_)) {
  if (!steady.is_known) return;
  StokesModel rate = of_step_;
  rate.force = [u = steady.velocity](double x, double y) -> StokesModel::Vector {
    const StokesModel::Vector v = u(x, y);
    return {-v[0], -v[1]};
  };
  rate.velocity = [](double, double) { return StokesModel::Vector{}; };
  from_rate_ = gridiron::right_hand_side(rate);
}

double StokesSteps::factor(int steps) const { return of_step_.is_known ? std::exp(-steps * time_step_) : 1; }

StokesModel StokesSteps::after(int steps) const {
  StokesModel model = of_step_;
  const double g = of_step_.is_known || steps > 0 ? factor(steps) : 0;
  model.velocity = [g, u = of_step_.velocity](double x, double y) -> StokesModel::Vector {
    const StokesModel::Vector v = u(x, y);
    return {g * v[0], g * v[1]};
  };
  if (model.pressure) model.pressure = [g, p = of_step_.pressure](double x, double y) { return g * p(x, y); };
  return model;
}

std::vector<double> StokesSteps::start() const {
  const StokesGrid& grid = of_step_.grid;
  std::vector<double> unknowns(grid.unknowns(), 0.0);
  if (!of_step_.is_known) return unknowns;
  for (int64_t y = 1; y < 2 * grid.elements[1]; ++y)
    for (int64_t x = 1; x < 2 * grid.elements[0]; ++x) {
      const auto velocity = of_step_.velocity(x * grid.spacing[0] / 2, y * grid.spacing[1] / 2);
      for (int c = 0; c < 2; ++c) unknowns[grid.velocity(c, {x, y})] = velocity[c];
    }
  return unknowns;
}

std::vector<double> StokesSteps::right_hand_side(int step, const std::vector<double>& before) const {
  const double g = factor(step);
  std::vector<double> b = from_data_;
  for (size_t i = 0; i < b.size(); ++i) b[i] = g * (b[i] + (from_rate_.empty() ? 0 : from_rate_[i]));
  StokesGrid mass = of_step_.grid;
  mass.reaction = 1 / time_step_;
  add_mass(mass, stokes_fields(after(step - 1), before), b);
  return b;
}

}  // namespace gridiron
