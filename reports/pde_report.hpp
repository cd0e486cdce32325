// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "analysis/pde/pde.hpp"
#include "analysis/pde/study.hpp"
#include "reports/formats.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// The formats of `--formats` for a model problem, in the order they are written.
inline constexpr std::string_view kPdeReportFormats[] = {"text", "json", "png", "vtk"};

/// The formats for a study.
inline constexpr std::string_view kPdeStudyFormats[] = {"text", "json", "png"};

/// summary.txt.
std::string pde_text(const PdeResult& result);

/// report.json, schema gridiron.pde/1 (reports/schema/gridiron.pde-1.schema.json).
std::string pde_json(const PdeResult& result);

/// solution.png: the solution, or what its problem shows instead, on the grid, or for a 3-D problem on a plane through
/// the middle of the box. At most 640 pixels wide and high.
std::string pde_picture(const PdeResult& result);

/// error.png: |computed − exact| in the same plane. Needs result.error_slice.
std::string pde_error_picture(const PdeResult& result);

/// NAME.png of a further slice.
std::string pde_further_picture(const PdeResult& result, const ShownSlice& further);

/// "moved to t = 1", or where and why the motion of a mesh stopped early.
std::string motion_text(const Mesh& mesh);

/// mesh.png: a deformed mesh and the curve that attracted it. Needs result.mesh.
std::string pde_mesh_picture(const PdeResult& result);

/// lines.png: the lines in the box, viewed from the front, right and above; nearer ones over farther ones.
std::string pde_lines_picture(const PdeResult& result);

/// Writes the chosen formats below `directory` (made if absent), each file atomically: summary.txt, report.json, and
/// the plots and VTK files that apply to the result. Errors: ResourceError.
void write_pde_reports(const PdeResult& result, const OutputPath& directory, const Formats& formats);

/// study.txt, study.json (schema gridiron.pde_study/1) and study.png.
std::string pde_study_text(const PdeStudy& study);
std::string pde_study_json(const PdeStudy& study);
std::string pde_study_picture(const PdeStudy& study);
void write_pde_study(const PdeStudy& study, const OutputPath& directory, const Formats& formats);

}  // namespace gridiron
