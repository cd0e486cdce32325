// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/stokes/stokes_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "analysis/pde/choices.hpp"
#include "analysis/pde/fields/npy_field.hpp"
#include "analysis/pde/stokes/stokes_rows.hpp"
#include "engines/stokes_matrix.hpp"
#include "support/error_text.hpp"
#include "support/number_of.hpp"

namespace gridiron {
namespace {

using Vector = StokesModel::Vector;

/// Gauss-Legendre on [0, 1] with five points, and the quadratic and linear functions of an element there.
struct Quadrature {
  static constexpr int kPoints = 5;
  double point[kPoints], weight[kPoints], quadratic[kPoints][3], linear[kPoints][2];

  Quadrature() {
    const double inner = std::sqrt(5 - 2 * std::sqrt(10. / 7)) / 3, outer = std::sqrt(5 + 2 * std::sqrt(10. / 7)) / 3;
    const double inner_weight = (322 + 13 * std::sqrt(70.)) / 900, outer_weight = (322 - 13 * std::sqrt(70.)) / 900;
    const double on_minus_one_to_one[kPoints] = {-outer, -inner, 0, inner, outer};
    const double weights[kPoints] = {outer_weight, inner_weight, 128. / 225, inner_weight, outer_weight};
    for (int q = 0; q < kPoints; ++q) {
      const double t = point[q] = (1 + on_minus_one_to_one[q]) / 2;
      weight[q] = weights[q] / 2;
      quadratic[q][0] = (1 - t) * (1 - 2 * t);
      quadratic[q][1] = 4 * t * (1 - t);
      quadratic[q][2] = t * (2 * t - 1);
      linear[q][0] = 1 - t;
      linear[q][1] = t;
    }
  }
};

Vector place(const StokesGrid& grid, int64_t x, int64_t y) {
  return {x * grid.spacing[0] / 2, y * grid.spacing[1] / 2};
}

class Assembler {
 public:
  explicit Assembler(const StokesModel& model) : model_(model), grid_(model.grid), b_(grid_.unknowns(), 0.0) {
    for (int a = 0; a < 9; ++a)
      for (int component = 0; component < 2; ++component)
        for (int corner = 0; corner < 4; ++corner)
          divergence_[component][corner][a] = stokes_element_divergence(grid_, component, corner, a);
  }

  std::vector<double> run() {
    for_each_element_row(grid_.elements[1], [&](int64_t j) {
      for (int64_t i = 0; i < grid_.elements[0]; ++i) {
        if (model_.force) add_force(i, j);
        if (i == 0 || j == 0 || i + 1 == grid_.elements[0] || j + 1 == grid_.elements[1]) subtract_boundary(i, j);
      }
    });
    const auto first = b_.begin() + 2 * grid_.velocities();
    double sum = 0;
    for (auto value = first; value != b_.end(); ++value) sum += *value;
    const double mean = sum / grid_.pressures();
    for (auto value = first; value != b_.end(); ++value) *value -= mean;
    return std::move(b_);
  }

 private:
  void add_force(int64_t i, int64_t j) {
    const auto [hx, hy] = grid_.spacing;
    double sum[2][9] = {};
    for (int qy = 0; qy < Quadrature::kPoints; ++qy)
      for (int qx = 0; qx < Quadrature::kPoints; ++qx) {
        const Vector f = model_.force((i + gauss_.point[qx]) * hx, (j + gauss_.point[qy]) * hy);
        const double weight = gauss_.weight[qx] * gauss_.weight[qy] * hx * hy;
        for (int a = 0; a < 9; ++a)
          for (int c = 0; c < 2; ++c)
            sum[c][a] += weight * f[c] * gauss_.quadratic[qx][a % 3] * gauss_.quadratic[qy][a / 3];
      }
    for (int a = 0; a < 9; ++a)
      for (int c = 0; c < 2; ++c)
        if (const int64_t row = grid_.velocity(c, {2 * i + a % 3, 2 * j + a / 3}); row >= 0) b_[row] += sum[c][a];
  }

  void subtract_boundary(int64_t i, int64_t j) {
    for (int node = 0; node < 9; ++node) {
      const int64_t x = 2 * i + node % 3, y = 2 * j + node / 3;
      if (grid_.velocity(0, {x, y}) >= 0) continue;
      const auto [px, py] = place(grid_, x, y);
      const Vector known = model_.velocity(px, py);
      for (int c = 0; c < 2; ++c) {
        for (int a = 0; a < 9; ++a)
          if (const int64_t row = grid_.velocity(c, {2 * i + a % 3, 2 * j + a / 3}); row >= 0)
            b_[row] -= stokes_element_velocity(grid_, grid_.viscosity_of(i, j), a, node) * known[c];
        for (int corner = 0; corner < 4; ++corner)
          b_[grid_.pressure(i + corner % 2, j + corner / 2)] -= divergence_[c][corner][node] * known[c];
      }
    }
  }

  const StokesModel& model_;
  const StokesGrid& grid_;
  const Quadrature gauss_;
  double divergence_[2][4][9];
  std::vector<double> b_;
};

}  // namespace

namespace {

std::vector<double> viscosities(const std::string& text, const StokesGrid::Index& elements) {
  constexpr double kLeast = 1e-9, kLargest = 1e9;
  const auto require = [&](double value, const std::string& where) {
    if (!(value >= kLeast && value <= kLargest))
      throw field_error("viscosity", "{}: expected {} from {:g} to {:g}{}", text,
                        where.empty() ? "a positive number" : "positive numbers", kLeast, kLargest, where);
  };
  if (!text.ends_with(".npy")) {
    const double value = number_of(text).value_or(NAN);
    require(value, "");
    return {value};
  }
  const int64_t shape[] = {elements[1], elements[0]};
  std::vector<double> values = read_npy_field(text, shape);
  for (size_t k = 0; k < values.size(); ++k) {
    const int64_t at = k;
    require(values[k], fmt::format(", but element ({}, {}) has {}", at % elements[0], at / elements[0], values[k]));
  }
  return values;
}

/// With a viscosity from a file, the force stays that of the viscosity 1.
StokesModel with_any_viscosity(StokesModel model) {
  if (model.grid.has_constant_viscosity()) return model;
  model.is_known = false;
  model.why_unknown = "viscosity comes from a file, so f is that of viscosity = 1";
  return model;
}

double viscosity_of_force(const StokesGrid& grid) { return grid.has_constant_viscosity() ? grid.viscosity[0] : 1; }

}  // namespace

StokesModel polynomial_stokes(const StokesGrid& grid) {
  StokesModel model;
  model.grid = grid;
  model.is_known = true;
  model.velocity = [](double x, double y) -> Vector {
    return {x * (1 - x) * (2 * x - 1) * (6 * y * y - 6 * y + 1), y * (y - 1) * (2 * y - 1) * (6 * x * x - 6 * x + 1)};
  };
  model.pressure = [](double x, double y) { return x * x - 3 * y * y + 8. / 3 * x * y; };
  model.force = [nu = viscosity_of_force(grid), a = grid.reaction, u = model.velocity](double x, double y) -> Vector {
    const Vector v = u(x, y);
    return {
        -nu * ((6 - 12 * x) * (6 * y * y - 6 * y + 1) + 12 * x * (1 - x) * (2 * x - 1)) + 2 * x + 8 * y / 3 + a * v[0],
        -nu * ((12 * y - 6) * (6 * x * x - 6 * x + 1) + 12 * y * (y - 1) * (2 * y - 1)) - 6 * y + 8 * x / 3 + a * v[1]};
  };
  return with_any_viscosity(std::move(model));
}

StokesModel sine_stokes(const StokesGrid& grid) {
  using std::numbers::pi;
  StokesModel model;
  model.grid = grid;
  model.is_known = true;
  // ψ = sin²πx sin²πy / π has u = ∂ψ/∂y, v = −∂ψ/∂x.
  model.velocity = [](double x, double y) -> Vector {
    const double sx = std::sin(pi * x), sy = std::sin(pi * y);
    return {sx * sx * std::sin(2 * pi * y), -std::sin(2 * pi * x) * sy * sy};
  };
  model.pressure = [](double x, double y) { return std::sin(pi * x) * std::cos(pi * y); };
  model.force = [nu = viscosity_of_force(grid), a = grid.reaction, u = model.velocity](double x, double y) -> Vector {
    const double sx = std::sin(pi * x), sy = std::sin(pi * y);
    // ∇² (sin²πx sin 2πy) = 2π² cos 2πx sin 2πy − 4π² sin²πx sin 2πy, and likewise for v.
    const double curved_u = 2 * pi * pi * std::sin(2 * pi * y) * (std::cos(2 * pi * x) - 2 * sx * sx);
    const double curved_v = -2 * pi * pi * std::sin(2 * pi * x) * (std::cos(2 * pi * y) - 2 * sy * sy);
    const Vector v = u(x, y);
    return {-nu * curved_u + pi * std::cos(pi * x) * std::cos(pi * y) + a * v[0],
            -nu * curved_v - pi * std::sin(pi * x) * std::sin(pi * y) + a * v[1]};
  };
  return with_any_viscosity(std::move(model));
}

StokesModel cavity_stokes(const StokesGrid& grid, bool is_smooth) {
  StokesModel model;
  model.grid = grid;
  const double top = 1 - grid.spacing[1] / 4, corner = grid.spacing[0] / 4;
  model.velocity = [=](double x, double y) -> Vector {
    if (y < top || x < corner || x > 1 - corner) return {0, 0};
    return {is_smooth ? 16 * x * x * (1 - x) * (1 - x) : 1.0, 0};
  };
  return model;
}

StokesGrid stokes_grid(const std::array<int64_t, 3>& shape, const PdeChoices& choices) {
  StokesGrid grid;
  grid.elements = {shape[0], shape[1]};
  for (int axis = 0; axis < 2; ++axis) grid.spacing[axis] = 1.0 / shape[axis];
  grid.viscosity = viscosities(choices.viscosity.value_or("1"), grid.elements);
  grid.reaction = choices.reaction.value_or(0);
  return grid;
}

std::vector<double> right_hand_side(const StokesModel& model) { return Assembler(model).run(); }

StokesFields stokes_fields(const StokesModel& model, const std::vector<double>& solution) {
  const StokesGrid& grid = model.grid;
  const int64_t nx = grid.elements[0], ny = grid.elements[1];
  assert(nx > 0 && ny > 0);
  StokesFields fields;
  for (int c = 0; c < 2; ++c) {
    fields.velocity[c].resize((2 * nx + 1) * (2 * ny + 1));
    for (int64_t y = 0; y <= 2 * ny; ++y)
      for (int64_t x = 0; x <= 2 * nx; ++x) {
        const int64_t unknown = grid.velocity(c, {x, y});
        const auto [px, py] = place(grid, x, y);
        fields.velocity[c][y * (2 * nx + 1) + x] = unknown >= 0 ? solution[unknown] : model.velocity(px, py)[c];
      }
  }
  fields.pressure.assign(solution.begin() + 2 * grid.velocities(), solution.end());
  double integral = 0;
  for (int64_t j = 0; j <= ny; ++j)
    for (int64_t i = 0; i <= nx; ++i)
      integral += fields.pressure[j * (nx + 1) + i] * (i % nx == 0 ? 0.5 : 1) * (j % ny == 0 ? 0.5 : 1);
  for (double& p : fields.pressure) p -= integral / (nx * ny);
  return fields;
}

StokesError stokes_error(const StokesModel& model, const StokesFields& fields) {
  const StokesGrid& grid = model.grid;
  const int64_t nx = grid.elements[0], ny = grid.elements[1];
  const double hx = grid.spacing[0], hy = grid.spacing[1];
  const Quadrature gauss;
  std::vector<std::array<double, 2>> of_row(ny);
  for_each_element_row(ny, [&](int64_t j) {
    for (int64_t i = 0; i < nx; ++i)
      for (int qy = 0; qy < Quadrature::kPoints; ++qy)
        for (int qx = 0; qx < Quadrature::kPoints; ++qx) {
          const double x = (i + gauss.point[qx]) * hx;
          const double y = (j + gauss.point[qy]) * hy;
          const double weight = gauss.weight[qx] * gauss.weight[qy] * hx * hy;
          const Vector exact = model.velocity(x, y);
          for (int c = 0; c < 2; ++c) {
            double value = 0;
            for (int a = 0; a < 9; ++a)
              value += fields.velocity[c][(2 * j + a / 3) * (2 * nx + 1) + 2 * i + a % 3] * gauss.quadratic[qx][a % 3] *
                       gauss.quadratic[qy][a / 3];
            of_row[j][0] += weight * (value - exact[c]) * (value - exact[c]);
          }
          double p = 0;
          for (int a = 0; a < 4; ++a)
            p +=
                fields.pressure[(j + a / 2) * (nx + 1) + i + a % 2] * gauss.linear[qx][a % 2] * gauss.linear[qy][a / 2];
          p -= model.pressure(x, y);
          of_row[j][1] += weight * p * p;
        }
  });
  double sum[2] = {};
  for (const auto& row : of_row) sum[0] += row[0], sum[1] += row[1];
  return {std::sqrt(sum[0]), std::sqrt(sum[1])};
}

double largest_divergence(const StokesModel& model, const StokesFields& fields) {
  const StokesGrid& grid = model.grid;
  const int64_t nx = grid.elements[0], ny = grid.elements[1];
  std::vector<double> rows((nx + 1) * (ny + 1), 0.0);
  for_each_element_row(ny, [&](int64_t j) {
    for (int64_t i = 0; i < nx; ++i)
      for (int corner = 0; corner < 4; ++corner)
        for (int c = 0; c < 2; ++c)
          for (int a = 0; a < 9; ++a)
            rows[(j + corner / 2) * (nx + 1) + i + corner % 2] +=
                stokes_element_divergence(grid, c, corner, a) *
                fields.velocity[c][(2 * j + a / 3) * (2 * nx + 1) + 2 * i + a % 3];
  });
  double largest = 0;
  for (const double value : rows) largest = std::max(largest, std::abs(value));
  return largest;
}

namespace {

/// The least value of the quadratic through three values at 0, ½, 1, and where it is.
std::pair<double, double> least_of_parabola(double left, double middle, double right) {
  std::pair<double, double> least = left < right ? std::pair{left, 0.0} : std::pair{right, 1.0};
  const double curvature = 2 * left - 4 * middle + 2 * right, slope = -3 * left + 4 * middle - right;
  if (const double t = -slope / (2 * curvature); curvature > 0 && t > 0 && t < 1)
    least = {left + t * (slope + t * curvature), t};
  return least;
}

}  // namespace

CavityExtrema cavity_extrema(const StokesModel& model, const StokesFields& fields) {
  const auto [nx, ny] = model.grid.elements;
  const auto [hx, hy] = model.grid.spacing;
  const int64_t width = 2 * nx + 1;
  CavityExtrema found;
  const auto u = [&](int64_t x, int64_t y) { return fields.velocity[0][y * width + x]; };
  const auto v = [&](int64_t x, int64_t y) { return fields.velocity[1][y * width + x]; };
  for (int64_t j = 0; j < ny; ++j)
    if (const auto [least, t] = least_of_parabola(u(nx, 2 * j), u(nx, 2 * j + 1), u(nx, 2 * j + 2));
        least < found.least_u)
      found.least_u = least, found.least_u_y = (j + t) * hy;
  for (int64_t i = 0; i < nx; ++i)
    if (const auto [least, t] = least_of_parabola(-v(2 * i, ny), -v(2 * i + 1, ny), -v(2 * i + 2, ny));
        - least > found.largest_v)
      found.largest_v = -least, found.largest_v_x = (i + t) * hx;
  for (int64_t x = 0; x < width; ++x) {
    double psi = 0;
    for (int64_t j = 0; j < ny; ++j) {
      const double low = u(x, 2 * j), middle = u(x, 2 * j + 1), high = u(x, 2 * j + 2);
      const double halfway = psi + hy * (5 * low + 8 * middle - high) / 24;
      psi += hy * (low + 4 * middle + high) / 6;
      for (const auto& [value, y] : {std::pair{halfway, 2 * j + 1}, std::pair{psi, 2 * j + 2}})
        if (value < found.least_psi)
          found.least_psi = value, found.least_psi_x = x * hx / 2, found.least_psi_y = y * hy / 2;
    }
  }
  return found;
}

}  // namespace gridiron
