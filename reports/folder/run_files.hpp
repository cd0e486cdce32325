// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/diff/run_data.hpp"

namespace gridiron {

/// The run that `ir` or `tran` wrote into a folder: `path` is the folder or its report.json; nodes are read from
/// nodes.csv, where that is missing from the *.solution of `ir` beside it (then without layers). Errors: InputError
/// that begins with the file, also when the two are of different runs: the manifest of the folder has their checksums;
/// without one, as version 0.1.0 left it, nets and worst drops must agree.
RunData read_run(const std::filesystem::path& path);

/// What read_run() may read there.
std::vector<std::string> parts_of_run(const std::filesystem::path& path);

}  // namespace gridiron
