// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gridiron {

/// Runs the command that the words of a command line ask for; returns the exit code of the process.
int run_command_line(int argc, char** argv);

}  // namespace gridiron
