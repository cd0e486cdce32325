// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/face_conditions.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "support/error_text.hpp"
#include "support/number_of.hpp"

namespace gridiron {
namespace {

using Boundary = RegularGrid::Boundary;

[[noreturn]] void refuse(std::string_view what, const std::string& why) {
  throw field_error("bc",
                    "{:?}: {}; expected FACE=dirichlet[:VALUE] or FACE=neumann[:FLUX|:exact], with "
                    "commas between",
                    std::string(what), why);
}

std::vector<FaceCondition> faces_named(std::string_view name, std::string_view part, int dimensions) {
  std::vector<FaceCondition> faces;
  for (int axis = 0; axis < dimensions; ++axis)
    for (int end = 0; end < 2; ++end) {
      const std::string this_face{"xyz"[axis], "01"[end]};
      if (name != this_face && name != "all") continue;
      faces.emplace_back();
      faces.back().axis = axis;
      faces.back().end = end;
    }
  if (faces.empty())
    refuse(part, fmt::format("no face is called {:?}; there are x0, x1, y0, y1, {}all", std::string(name),
                             dimensions == 3 ? "z0, z1, " : ""));
  return faces;
}

double number(std::string_view text, std::string_view part) {
  const std::optional<double> value = number_of(text);
  if (!value || !std::isfinite(*value)) refuse(part, fmt::format("{:?} is not a number", std::string(text)));
  return *value;
}

std::vector<FaceCondition> parse_part(std::string_view part, int dimensions) {
  const size_t equals = part.find('=');
  if (equals == std::string_view::npos) refuse(part, "missing '='");
  std::vector<FaceCondition> faces = faces_named(part.substr(0, equals), part, dimensions);
  std::string_view kind = part.substr(equals + 1), value;
  if (const size_t colon = kind.find(':'); colon != std::string_view::npos) {
    value = kind.substr(colon + 1);
    kind = kind.substr(0, colon);
    if (value.empty()) refuse(part, "nothing follows the ':'");
  }
  if (kind != "dirichlet" && kind != "neumann")
    refuse(part, fmt::format("no condition is called {:?}", std::string(kind)));
  for (FaceCondition& face : faces) {
    face.kind = kind == "neumann" ? Boundary::neumann : Boundary::dirichlet;
    if (value == "exact" && face.kind == Boundary::neumann)
      face.takes_known_flux = true;
    else if (!value.empty())
      face.value = number(value, part);
  }
  return faces;
}

double length(const RegularGrid& grid, int axis) { return grid.steps(axis) * grid.spacing[axis]; }

FaceField flux_of(const KnownSolution& known, const Conductivity& sigma, const Point& factors) {
  return [=](const Point& place, int axis, int end) {
    return (end == 0 ? -1 : 1) * factors[axis] * sigma.value(place) * known.gradient(place)[axis];
  };
}

/// Samples a coarse lattice of the face; for every solution in the table, a flux that vanishes there vanishes
/// everywhere.
bool vanishes(const FaceField& flux, const RegularGrid& grid, int axis, int end) {
  constexpr int kLattice = 16;
  double largest = 0;
  for (int i = 0; i <= kLattice; ++i)
    for (int j = 0; j <= kLattice; ++j) {
      Point place{};
      const std::array<double, 2> share{double(i) / kLattice, double(j) / kLattice};
      for (int other = 0, next = 0; other < grid.dimensions; ++other)
        place[other] = length(grid, other) * (other == axis ? end : share[next++]);
      largest = std::max(largest, std::abs(flux(place, axis, end)));
    }
  return largest < 1e-12;
}

}  // namespace

std::vector<FaceCondition> parse_face_conditions(std::string_view text, int dimensions) {
  std::vector<FaceCondition> conditions;
  while (true) {
    const size_t comma = text.find(',');
    for (const FaceCondition& condition : parse_part(text.substr(0, comma), dimensions))
      conditions.push_back(condition);
    if (comma == std::string_view::npos) return conditions;
    text.remove_prefix(comma + 1);
  }
}

void apply(const std::vector<FaceCondition>& conditions, const KnownSolution* known, const Conductivity& sigma,
           const Point& factors, PdeModel& model) {
  if (conditions.empty()) return;
  RegularGrid& grid = model.grid;
  std::array<std::array<std::optional<double>, 2>, 3> value{}, flux{};
  std::array<std::array<bool, 2>, 3> takes_known_flux{};
  for (const FaceCondition& face : conditions) {  // a later one replaces an earlier one
    grid.boundary[face.axis][face.end] = face.kind;
    const bool is_neumann = face.kind == Boundary::neumann;
    value[face.axis][face.end] = is_neumann ? std::nullopt : face.value;
    flux[face.axis][face.end] = is_neumann ? std::optional(face.value.value_or(0.0)) : std::nullopt;
    takes_known_flux[face.axis][face.end] = face.takes_known_flux;
    if (face.takes_known_flux && !known)
      throw field_error("bc", "{}{}=neumann:exact: no exact solution is known here; give the flux as a number",
                        "xyz"[face.axis], face.end);
  }

  const FaceField known_flux = known ? flux_of(*known, sigma, factors) : FaceField{};
  for (int axis = 0; axis < grid.dimensions && model.exact; ++axis)
    for (int end = 0; end < 2; ++end) {
      const bool agrees = !value[axis][end] && (!flux[axis][end] || takes_known_flux[axis][end] ||
                                                (*flux[axis][end] == 0 && vanishes(known_flux, grid, axis, end)));
      if (agrees) continue;
      model.exact = nullptr;
      model.why_unknown = fmt::format("the condition on face {}{} is not that of u", "xyz"[axis], end);
    }

  Point lengths{};
  for (int axis = 0; axis < grid.dimensions; ++axis) lengths[axis] = length(grid, axis);
  model.boundary = [inner = model.boundary, value, lengths, grid_spacing = grid.spacing,
                    dimensions = grid.dimensions](const Point& place) {
    for (int axis = 0; axis < dimensions; ++axis)
      for (int end = 0; end < 2; ++end)
        if (value[axis][end] && std::abs(place[axis] - end * lengths[axis]) < grid_spacing[axis] / 4)
          return *value[axis][end];
    return inner ? inner(place) : 0.0;
  };
  model.flux = [known_flux, flux, takes_known_flux](const Point& place, int axis, int end) {
    return takes_known_flux[axis][end] ? known_flux(place, axis, end) : flux[axis][end].value_or(0.0);
  };
}

}  // namespace gridiron
