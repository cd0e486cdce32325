// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "analysis/pde/pde.hpp"

namespace gridiron {

// Files for ParaView and VTK: the legacy format, version 3.0, binary. Each appears whole or not at all. Errors:
// ResourceError.

/// The fields of a result on its grid: one value per point, or per cell where the problem's values sit in cells.
void write_vtk_grid(const std::filesystem::path& path, const PdeResult& result);

/// A mesh of quadrilaterals, with the area of each as a share of an undeformed one.
void write_vtk_mesh(const std::filesystem::path& path, const Mesh& mesh);

/// Lines with a value along them.
void write_vtk_lines(const std::filesystem::path& path, const std::vector<Line>& lines, std::string_view value_name);

}  // namespace gridiron
