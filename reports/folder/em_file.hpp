// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/diff/run_data.hpp"

namespace gridiron {

/// The segments of an em.csv whose ratio is above `share`, which it has first. Errors: InputError.
std::vector<RunData::Violation> violations_in(const std::filesystem::path& path, const std::string& text, double share);

}  // namespace gridiron
