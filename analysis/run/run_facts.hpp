// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// The command line of this process, quoted so that a shell reads it back, or nothing where the system does not tell,
/// and the time in UTC, ISO 8601; without options and files.
RunFacts facts_of_this_run();

/// Lists an option unless its value is empty.
void add_option(RunFacts& run, const char* name, const std::string& value);
void add_option(RunFacts& run, const char* name, const std::vector<std::string>& values);

/// The paths of the files of a circuit.
std::vector<std::string> files_of(const Circuit& circuit);

/// A table with its checksum.
RunFacts::InputFile table_file(const std::string& path);

/// The files of a circuit with the checksums of what was read, then those of tables.
std::vector<RunFacts::InputFile> input_files(const Circuit& circuit, const std::vector<std::string>& tables);

}  // namespace gridiron
