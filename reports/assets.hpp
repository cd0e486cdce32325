// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gridiron::assets {

// Files that are part of the program: what the viewer needs to open without network, and the font of the pictures.
// CMake finds them at build time (reports/CMakeLists.txt); none is copied into the repository.

std::string_view report_html();
std::string_view report_css();
std::string_view report_js();
std::string_view leaflet_js();
std::string_view leaflet_css();
std::string_view chart_js();
std::string_view font();  ///< DejaVu Sans, TrueType

}  // namespace gridiron::assets
