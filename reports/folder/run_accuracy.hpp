// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "analysis/diff/run_data.hpp"

namespace gridiron {

/// The schemas of report.json whose runs can be compared.
inline constexpr const char *kStaticSchema = "gridiron.ir/1", *kDynamicSchema = "gridiron.tran/2",
                            *kOlderDynamicSchema = "gridiron.tran/1";

/// How accurate the run is, and how a dynamic one was simulated, of the report.json at `path`; the run has its nets.
/// Errors: InputError; those of the JSON library.
void read_accuracy(const std::filesystem::path& path, const nlohmann::json& report, RunData& run);

}  // namespace gridiron
