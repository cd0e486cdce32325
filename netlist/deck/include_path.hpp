// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "netlist/circuit.hpp"

namespace gridiron {

/// A path in one spelling, as far as it exists. Internal to netlist/.
std::string canonical_path(const std::filesystem::path& path);

/// A path as a card of the file `from` gives it: a relative one is that from its folder.
std::filesystem::path path_from(const std::string& from, std::string_view written);

/// Where the working folder, which ngspice tries first, has another file of that name than `path`.
std::optional<ReadFinding> namesake_finding(const std::filesystem::path& as_written, const std::filesystem::path& path,
                                            const std::string& place);

}  // namespace gridiron
