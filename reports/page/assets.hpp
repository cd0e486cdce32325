// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gridiron::assets {

// Files embedded in the program: what the viewer needs to work offline, and the font of the plots. CMake locates them
// at build time (reports/CMakeLists.txt); none is copied into the repository.

std::string_view report_html();
std::string_view tran_html();
std::string_view tran_js();
std::string_view report_css();
std::string_view roving_js();
std::string_view tables_js();
std::string_view page_js();  ///< tools that report.js and tran.js share
std::string_view charts_js();
std::string_view map_entries_js();
std::string_view map_marks_js();
std::string_view map_print_js();
std::string_view map_place_js();
std::string_view map_js();
std::string_view drop_charts_js();
std::string_view report_js();
std::string_view where_js();  ///< tables that report.js and tran.js show
std::string_view waves_js();
std::string_view leaflet_js();
std::string_view leaflet_css();
std::string_view chart_js();
std::string_view font();  ///< DejaVu Sans, TrueType

}  // namespace gridiron::assets
