// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/results/drop_map.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// As the ICCAD-2023 contest writes maps: a line per x, in it a value per y, "%5.5e", commas between them.
void write_drop_map_csv(const DropMap& map, const OutputPath& path);

/// An array nx × ny that numpy.load() reads.
void write_drop_map_npy(const DropMap& map, const OutputPath& path);

/// ir_drop_map and ir_drop_map_worst, without extension and in this order; with several nets followed by the net's
/// name. One pair per net.
std::vector<std::pair<std::string, std::string>> drop_map_names(const IrReport& result);

}  // namespace gridiron
