// SPDX-License-Identifier: Apache-2.0
#include "engines/stokes/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "device/cpu_device.hpp"
#include "engines/stokes/coarsest.hpp"
#include "engines/stokes/schur.hpp"
#include "engines/stokes/stokes_kernels.hpp"
#include "engines/stokes/vanka.hpp"
#include "engines/stokes_matrix.hpp"
#include "support/error_text.hpp"
#include "support/memory.hpp"

namespace gridiron::stokes {
namespace {

/// Elements longer than this times their width are halved along the shorter side only.
constexpr double kMuchLonger = 1.4;

constexpr int64_t kSmall = 12;  ///< elements per side of the grids on which eigenvalues are measured

/// The mean viscosity of the elements that make up one of the coarse level.
std::vector<double> averaged(const StokesGrid& fine, const StokesGrid& coarse) {
  const int64_t wide = fine.elements[0] / coarse.elements[0], high = fine.elements[1] / coarse.elements[1];
  std::vector<double> mean(coarse.elements[0] * coarse.elements[1], 0.0);
  for (int64_t j = 0; j < fine.elements[1]; ++j)
    for (int64_t i = 0; i < fine.elements[0]; ++i)
      mean[j / high * coarse.elements[0] + i / wide] += fine.viscosity_of(i, j) / (wide * high);
  return mean;
}

/// The next level, or none.
std::optional<std::pair<StokesGrid, Transfer>> coarser(const StokesGrid& fine) {
  const auto can_halve = [&](int axis) { return fine.elements[axis] % 2 == 0 && fine.elements[axis] > 2; };
  const double ratio = fine.spacing[1] / fine.spacing[0];
  bool halved[2] = {can_halve(0), can_halve(1)};
  if (ratio > kMuchLonger && halved[0]) halved[1] = false;
  if (ratio < 1 / kMuchLonger && halved[1]) halved[0] = false;
  if (!halved[0] && !halved[1]) return std::nullopt;
  StokesGrid coarse = fine;
  for (int axis = 0; axis < 2; ++axis)
    if (halved[axis]) {
      coarse.elements[axis] /= 2;
      coarse.spacing[axis] *= 2;
    }
  const double wider = std::sqrt(coarse.spacing[0] * coarse.spacing[1]);
  for (double& side : coarse.spacing) side /= wider;
  coarse.reaction *= wider * wider;
  if (!fine.has_constant_viscosity()) coarse.viscosity = averaged(fine, coarse);
  return std::pair{coarse, Transfer{halved[0], halved[1], 1 / wider}};
}

StokesGrid scaled(const StokesGrid& grid) {
  StokesGrid unit = grid;
  const double h = std::sqrt(grid.spacing[0] * grid.spacing[1]);
  for (double& side : unit.spacing) side /= h;
  const double reference = reference_viscosity(grid);
  for (double& viscosity : unit.viscosity) viscosity /= reference;
  if (grid.has_constant_viscosity()) unit.viscosity = {1.0};
  unit.reaction = grid.reaction * h * h / reference;
  return unit;
}

/// Largest eigenvalue of diag(A)⁻¹ A for a symmetric matrix by power iteration from a start that no eigenvector is
/// orthogonal to.
double largest_eigenvalue(const std::vector<double>& diagonal, auto product) {
  constexpr int kSteps = 60;
  const size_t n = diagonal.size();
  std::vector<double> x(n), y(n);
  for (size_t i = 0; i < n; ++i) x[i] = std::sin(1.0 + 12.9898 * i);
  double eigenvalue = 0;
  for (int step = 0; step < kSteps; ++step) {
    product(x, y);
    double xy = 0, xdx = 0;
    for (size_t i = 0; i < n; ++i) xy += x[i] * y[i], xdx += x[i] * diagonal[i] * x[i];
    eigenvalue = xy / xdx;
    double norm = 0;
    for (size_t i = 0; i < n; ++i) x[i] = y[i] / diagonal[i], norm = std::max(norm, std::abs(x[i]));
    for (double& value : x) value /= norm;
  }
  return eigenvalue;
}

/// The eigenvalue bounds of a level, measured on a small grid of the same elements.
void measure(LevelPlan& level) {
  StokesGrid small = level.grid;
  small.viscosity = {1.0};
  for (int64_t& n : small.elements) n = kSmall;
  const CsrMatrix a = stokes_matrix(small);
  const int64_t velocities = small.velocities(), first = 2 * velocities, rows = a.rows;
  std::vector<double> diagonal(rows, 0.0);
  for (int64_t i = 0; i < first; ++i)
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
      if (a.col[k] == i) diagonal[i] = a.value[k];
  // Rows [begin, end) times the columns [from, to).
  const auto product = [&](int64_t begin, int64_t end, int64_t from, int64_t to, const auto& x, auto& y) {
    for (int64_t i = begin; i < end; ++i) {
      double sum = 0;
      for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
        if (a.col[k] >= from && a.col[k] < to) sum += a.value[k] * x[a.col[k] - from];
      y[i - begin] = sum;
    }
  };
  level.velocity_bound = largest_eigenvalue(
      {diagonal.begin(), diagonal.begin() + velocities},
      [&](const std::vector<double>& x, std::vector<double>& y) { product(0, velocities, 0, velocities, x, y); });
  std::vector<double> schur_diagonal(rows - first, 0.0), between(first);
  for (int64_t i = first; i < rows; ++i)
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
      if (a.col[k] < first) schur_diagonal[i - first] += a.value[k] * a.value[k] / diagonal[a.col[k]];
  level.schur_bound = largest_eigenvalue(schur_diagonal, [&](const std::vector<double>& x, std::vector<double>& y) {
    product(0, first, first, rows, x, between);
    for (int64_t i = 0; i < first; ++i) between[i] /= diagonal[i];
    product(first, rows, 0, first, between, y);
  });
}

bool same_elements(const StokesGrid& a, const StokesGrid& b) {
  const auto near = [](double x, double y) { return std::abs(x - y) <= 1e-12 * std::max(std::abs(x), std::abs(y)); };
  return near(a.spacing[0], b.spacing[0]) && near(a.reaction, b.reaction);
}

}  // namespace

double reference_viscosity(const StokesGrid& grid) {
  if (grid.has_constant_viscosity()) return grid.viscosity[0];
  double sum = 0;
  for (const double viscosity : grid.viscosity) sum += std::log(viscosity);
  return std::exp(sum / grid.viscosity.size());
}

std::vector<LevelPlan> plan_levels(const StokesGrid& grid) {
  std::vector<LevelPlan> levels{{scaled(grid), {}}};
  while (auto next = coarser(levels.back().grid)) levels.push_back({next->first, next->second});
  for (size_t k = 0; k < levels.size(); ++k) {
    if (k > 0 && same_elements(levels[k].grid, levels[k - 1].grid)) {
      levels[k].velocity_bound = levels[k - 1].velocity_bound;
      levels[k].schur_bound = levels[k - 1].schur_bound;
    } else {
      measure(levels[k]);
    }
  }
  return levels;
}

bool has_same_levels(const StokesGrid& a, const StokesGrid& b) {
  if (a.elements != b.elements || !a.has_constant_viscosity() || !b.has_constant_viscosity()) return false;
  return same_elements(scaled(a), scaled(b));
}

double measure_vanka(const StokesGrid& scaled) {
  if (scaled.spacing[0] == scaled.spacing[1] && scaled.reaction == 0) return kSquareVankaBound;
  StokesGrid small = scaled;
  small.viscosity = {1.0};
  small.elements = {kSmall, kSmall};
  const Stencil<double> stencil(1, small.spacing[0], small.spacing[1], small.reaction);
  const LevelGrid<CpuDevice, double> level(small, stencil);
  const auto table = std::make_shared<const Array<CpuDevice, double>>(vanka_table(stencil, kSmall, kSmall, 1));
  Vanka<CpuDevice, double> vanka(level.layout, table, true);
  const auto zeros = zero_array<CpuDevice, double>(level.layout.size());
  auto x = zero_array<CpuDevice, double>(level.layout.size()), r = zero_array<CpuDevice, double>(level.layout.size());
  for (const int64_t entry : entries_of_unknowns(small, level.layout))
    x.view()[entry] = std::sin(1.0 + 12.9898 * entry);
  // Eigenvalues may be pairs, so the growth of the norm is averaged over the later steps.
  constexpr int kSteps = 40, kCounted = 20;
  double growth = 0;
  for (int step = 0; step < kSteps; ++step) {
    form_residual<true, CpuDevice, double>(level, zeros.view(), x.view(), r.view());
    vanka.relax(level, true, r.view(), x.view());
    double norm = 0;
    for (int64_t i = 0; i < x.size(); ++i) norm += x.view()[i] * x.view()[i];
    norm = std::sqrt(norm);
    for (int64_t i = 0; i < x.size(); ++i) x.view()[i] /= norm;
    if (step >= kSteps - kCounted) growth += std::log(norm) / kCounted;
  }
  return std::exp(growth);
}

void require_memory(double bytes, const StokesGrid& grid) {
  const double usable = usable_memory_bytes();
  if (bytes > usable)
    throw resource_error(
        "stokes: one inverse per patch of {} x {} elements takes {:.3g} GB, this machine has {:.3g} GB; choose a "
        "smaller size, or vanka=tuned if the viscosity is constant",
        grid.elements[0], grid.elements[1], 1e-9 * bytes, 1e-9 * usable);
}

std::optional<std::string> hierarchy_declines(const StokesGrid& grid) {
  StokesGrid coarsest = scaled(grid);
  while (auto next = coarser(coarsest)) coarsest = next->first;
  if (coarsest.unknowns() <= kMostCoarsest) return std::nullopt;
  return fmt::format(
      "halves the grid until few elements are left, but {} x {} ends at {} x {}; choose a size such as 12 times a "
      "power of two",
      grid.elements[0], grid.elements[1], coarsest.elements[0], coarsest.elements[1]);
}

}  // namespace gridiron::stokes
