// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace gridiron {

// Each adds one subcommand: its options, help and action. `exit_code` receives the exit status of the process.
void add_ir_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_generate_command(CLI::App& app, int& exit_code);
void add_pde_command(CLI::App& app, int& exit_code);
void add_compare_command(CLI::App& app, int& exit_code);
void add_diff_command(CLI::App& app, int& exit_code);
void add_regularize_command(CLI::App& app, int& exit_code);
void add_engines_command(CLI::App& app, int& exit_code);

/// The process that measures one engine for `compare`; not shown by --help.
void add_compare_worker_command(CLI::App& app);

}  // namespace gridiron
