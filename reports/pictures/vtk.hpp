// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "analysis/pde/pde.hpp"
#include "support/output_path.hpp"

namespace gridiron {

// Files for ParaView and VTK: the legacy format, version 3.0, binary. Each is written atomically. Errors:
// ResourceError.

/// The fields of a result on its grid: one value per point, or per cell if the problem's values are at cell centres.
void write_vtk_grid(const OutputPath& path, const PdeResult& result);

/// A mesh of quadrilaterals, with the area of each relative to an undeformed one.
void write_vtk_mesh(const OutputPath& path, const Mesh& mesh);

/// Lines with a value along them.
void write_vtk_lines(const OutputPath& path, const std::vector<Line>& lines, std::string_view value_name);

}  // namespace gridiron
