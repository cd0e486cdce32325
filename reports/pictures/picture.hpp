// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "reports/pictures/heat_map.hpp"
#include "reports/pictures/stress_maps.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// The bytes of a PNG: the map with title, axes in µm, colour bar in volts and a ring around the worst node.
std::string map_picture(const IrReport& result, const HeatMap& map);

/// The map alone, as an overlay: transparent where there is no node.
std::string map_overlay(const HeatMap& map);

/// map_<net>_<layer>.png and map_<net>_all.png, one name per map: sanitised for the file system, and made unique by a
/// number where names would coincide (ignoring case).
std::vector<std::string> map_file_names(const IrReport& result, const std::vector<HeatMap>& maps,
                                        std::string_view prefix = "map");

/// Writes the maps under these names below `directory`, and returns the names.
std::vector<std::string> write_pictures(const IrReport& result, const std::vector<HeatMap>& maps,
                                        const OutputPath& directory);

/// Writes maps of stress as stress_<net>_<layer>.png and stress_<net>_all.png, and returns the names.
std::vector<std::string> write_stress_pictures(const StressMaps& stress, const OutputPath& directory);

}  // namespace gridiron
