// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "engines/problem.hpp"

namespace gridiron {

struct PdeChoices;

/// a u − ν∇²u + ∇p = f, ∇·u = 0 in the unit square, u given on its boundary. Fields are called from several threads.
struct StokesModel {
  using Vector = std::array<double, 2>;

  StokesGrid grid;
  std::function<Vector(double x, double y)> velocity;  ///< on the boundary, and inside if `is_known`
  std::function<double(double x, double y)> pressure;  ///< of zero mean; empty unless `is_known`
  std::function<Vector(double x, double y)> force;     ///< f; empty: 0
  bool is_known = false;                               ///< whether velocity and pressure are the solution
  std::string why_unknown;  ///< the user's choice because of which the problem's known solution does not apply
};

/// Equations (9) and (10) of the Stokes paper: polynomials of third and second degree.
StokesModel polynomial_stokes(const StokesGrid& grid);

/// u = (sin²πx sin 2πy, −sin 2πx sin²πy), p = sin πx cos πy.
StokesModel sine_stokes(const StokesGrid& grid);

/// The driven cavity: u = (1, 0) on the top without its corners, or (16 x² (1−x)², 0) if the lid is smooth; else 0.
StokesModel cavity_stokes(const StokesGrid& grid, bool is_smooth);

/// The elements of the unit square that the choices ask for, with their viscosity. Errors: InputError for one that is
/// neither a number from 1e-9 to 1e9 nor a file of such numbers.
StokesGrid stokes_grid(const std::array<int64_t, 3>& shape, const PdeChoices& choices);

/// Right-hand side of stokes_matrix(): ∫ f ψ by Gauss quadrature of 5 × 5 points, minus the columns of boundary
/// velocities times these; the mean of the pressure's entries is subtracted.
std::vector<double> right_hand_side(const StokesModel& model);

/// A solution with its boundary values: u and v on the lattice of (2 nx + 1) × (2 ny + 1) velocity nodes, and p at the
/// (nx + 1) × (ny + 1) nodes, x fastest; the mean of p over the square is subtracted.
struct StokesFields {
  std::vector<double> velocity[2], pressure;
};
StokesFields stokes_fields(const StokesModel& model, const std::vector<double>& solution);

/// Against the known solution: L2 norms by the same quadrature.
struct StokesError {
  double velocity_l2 = 0, pressure_l2 = 0;
  void visit(auto& v) const { v("velocity_l2", velocity_l2)("pressure_l2", pressure_l2); }
};
StokesError stokes_error(const StokesModel& model, const StokesFields& fields);

/// max |B u| over the pressure nodes, boundary velocities included.
double largest_divergence(const StokesModel& model, const StokesFields& fields);

/// Extrema that cavity flows are compared by (Ghia et al., J. Comput. Phys. 48, 1982): u on the line x = ½, v on
/// y = ½, and the stream function ψ(x, y) = ∫ u dy from the bottom at the velocity nodes.
struct CavityExtrema {
  double least_u = 0, least_u_y = 0, largest_v = 0, largest_v_x = 0, least_psi = 0, least_psi_x = 0, least_psi_y = 0;
  void visit(auto& v) const {
    v("least_u", least_u)("least_u_y", least_u_y)("largest_v", largest_v)("largest_v_x", largest_v_x);
    v("least_stream_function", least_psi)("least_stream_function_x", least_psi_x);
    v("least_stream_function_y", least_psi_y);
  }
};
CavityExtrema cavity_extrema(const StokesModel& model, const StokesFields& fields);

}  // namespace gridiron
