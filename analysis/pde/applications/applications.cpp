// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/applications/applications.hpp"

#include <cmath>

#include "analysis/pde/applications/capacitor.hpp"
#include "analysis/pde/applications/vortex.hpp"

namespace gridiron {

void finish_deformation(const PdeModel& model, const PdeChoices& choices, PdeResult& result) {
  const auto curve = deformation_curve(choices.curve.value_or(""));
  result.mesh = deform(model, result.solution, curve);
}

void finish_vortex(const PdeModel& model, const PdeChoices&, PdeResult& result) {
  Vortex vortex = vortex_of(model, result.solution);
  result.vortex = {vortex.largest_speed, vortex.stray_rotation, vortex.circulation};
  result.lines = std::move(vortex.streamlines);
  result.sources = {std::move(vortex.knot)};
  const RegularGrid& grid = model.grid;
  result.slice = middle_slice(grid, 2, [&](const RegularGrid::Index& at) {
    const Point& v = vortex.velocity.vectors()[(at[2] * grid.size[1] + at[1]) * grid.size[0] + at[0]];
    return std::hypot(v[0], v[1], v[2]);
  });
  result.shown = result.along_lines = "speed";
  result.fields.push_back(vortex.velocity.named("velocity"));
}

void finish_capacitor(const PdeModel& model, const PdeChoices&, PdeResult& result) {
  CapacitorLines lines = capacitor_lines(model, result.solution);
  result.slice = middle_slice(model, result.solution, 1);
  result.lines = std::move(lines.lines);
  result.along_lines = "field_strength";
  result.lines_in_slice = std::move(lines.in_the_middle);
  result.fields.push_back(std::move(lines.gradient));
}

}  // namespace gridiron
