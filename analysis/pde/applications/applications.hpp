// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/pde/pde.hpp"

namespace gridiron {

// Post-processing for the applications of the SGML paper.

/// The deformed mesh.
void finish_deformation(const PdeModel& model, const PdeChoices& choices, PdeResult& result);

/// Velocity, its checks, streamlines and the knot.
void finish_vortex(const PdeModel& model, const PdeChoices& choices, PdeResult& result);

/// Field lines.
void finish_capacitor(const PdeModel& model, const PdeChoices& choices, PdeResult& result);

}  // namespace gridiron
