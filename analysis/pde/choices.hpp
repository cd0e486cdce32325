// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "engines/params.hpp"
#include "grid/regular_grid.hpp"

namespace gridiron {

struct PdeProblem;

/// A user's options for a model problem; unset ones take the problem's default. Front ends, reports and error messages
/// access the options only through visit().
struct PdeChoices {
  std::optional<int64_t> size{};
  std::optional<RegularGrid::Index> cells{};
  std::optional<double> epsilon{};
  std::optional<uint64_t> seed{};
  std::optional<std::string> sigma{};
  std::optional<std::string> conditions{};
  std::optional<int> stencil{};
  std::optional<double> shift{};
  std::optional<std::string> sign{};
  std::optional<std::string> curve{};
  std::optional<std::string> viscosity{};
  std::optional<double> reaction{};
  std::optional<std::string> lid{};
  std::optional<int> steps{};
  std::optional<double> time_step{};
  std::optional<int> wavenumber{};

  /// Calls v(name, value, default, unit, meaning) for each option. Without a default here, the problem has its own, or
  /// needs none.
  void visit(auto&& v) { visit(*this, v); }
  void visit(auto&& v) const { visit(*this, v); }

  bool takes_all_around() const { return stencil == 9 || stencil == 27; }

 private:
  template <class Self, class V>
  static void visit(Self& self, V& v) {
    const auto show = [&v]<class T>(std::string_view name, T& value, const std::remove_const_t<T>& usual,
                                    std::string_view unit,
                                    std::string_view meaning) { v(name, value, usual, unit, meaning); };
    show("size", self.size, {}, "",
         "grid points per dimension, boundary included; of porous3d: cells along the longest side; with finite "
         "elements: elements per side, of Stokes problems also NXxNY, of flowsquare-p1 refinements");
    show("cells", self.cells, {}, "", "NX,NY,NZ instead of a size; NZ of Stokes problems is 1");
    show("epsilon", self.epsilon, 0.01, "", "factor of d2/dy2");
    show("seed", self.seed, 1, "", "of the random permeability");
    show("sign", self.sign, "+", "", "+ or -: the ball of capacitor3d conducts less or more");
    show("sigma", self.sigma, {}, "",
         "conductivity: a number, a .npy file with the shape ([nz,]ny,nx), or a formula in x, y, z such as 1+x*y");
    show("shift", self.shift, {}, "", "the a of div(sigma grad u) + a u = f");
    show(
        "bc", self.conditions, {}, "",
        "conditions on faces, FACE=dirichlet[:VALUE] or FACE=neumann[:FLUX|:exact], separated by commas; faces are x0, "
        "x1, y0, y1, z0, z1, all. Without a value, dirichlet uses the problem's own and neumann is a no-flux "
        "condition; FLUX is sigma du/dn, positive into the box, 'exact' that of the known solution");
    show("curve", self.curve, {}, "", "file of points x,y, one per line, of a closed curve in the unit square");
    show("wavenumber", self.wavenumber, 1, "", "the k of u = sin(k pi x) sin(k pi y)");
    show("stencil", self.stencil, 5, "points",
         "per row: 5 (7 in 3-D): along the axes; 9 (27 in 3-D): all around, weighted by distance");
    show("viscosity", self.viscosity, "1", "",
         "the nu of -div(nu grad u) + grad p = f: a number, or a .npy file with one per element, of shape (ny,nx)");
    show("reaction", self.reaction, 0, "", "adds a u to it, 1/dt of an implicit step in time");
    show("lid", self.lid, "flat", "", "velocity of the lid: flat, 1 without the corners, or smooth, 16 x^2 (1-x)^2");
    show("steps", self.steps, {}, "", "of backward Euler for du/dt + ... = f; known solutions decay as exp(-t)");
    show("time_step", self.time_step, {}, "s", "length of each of these steps");
  }
};

/// Errors: InputError for an option that the problem does not have and for invalid values.
void check_choices(const PdeProblem& problem, const PdeChoices& choices);

/// The choices with the problem's defaults for unset options; size and cells stay unset.
PdeChoices in_force(const PdeProblem& problem, PdeChoices choices);

/// The problem's options as they are in force, for the report, which lists the size separately.
ParamList pde_parameters(const PdeProblem& problem, const PdeChoices& choices);

}  // namespace gridiron
