// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "regularize/survey.hpp"
#include "regularize/tables.hpp"

namespace gridiron {

/// Layers, dimensions, pitches and location of a part's grid as chosen by regularize(); its tables are empty.
GridTables empty_grid(const PartSurvey& part, const RegularizeOptions& options);

}  // namespace gridiron
