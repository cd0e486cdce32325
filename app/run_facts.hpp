// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/ir/ir_report.hpp"

namespace gridiron {

/// The command line of this process, quoted so that a shell reads it back; empty where the system does not tell.
std::string command_as_typed();

/// The time in UTC, ISO 8601.
std::string time_now();

/// The paths of the files of a circuit.
std::vector<std::string> files_of(const Circuit& circuit);

/// The files of a circuit with the checksums of what was read.
std::vector<RunFacts::InputFile> input_files(const Circuit& circuit);

}  // namespace gridiron
