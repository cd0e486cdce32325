// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "regularize/survey.hpp"
#include "regularize/tables.hpp"

namespace gridiron {

/// Layers, dimensions, pitches and place of the grid of a part as regularize() chooses them; its tables are empty.
GridTables empty_grid(const PartSurvey& part, const RegularizeOptions& options);

}  // namespace gridiron
