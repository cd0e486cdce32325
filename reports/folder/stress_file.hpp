// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "analysis/diff/run_data.hpp"

namespace gridiron {

/// The metal trees of a stress.csv, whose nodes are among those of the run. Errors: InputError.
RunData::Metal metal_in(const std::filesystem::path& path, const std::string& text, const RunData& run);

/// Adds the times of a nucleation.csv, of which those until the horizon are decided. Errors: InputError.
void add_voids(const std::filesystem::path& path, const std::string& text, double horizon_s, RunData::Metal& metal);

}  // namespace gridiron
