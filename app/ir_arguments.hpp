// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/run/ir_drop.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/em_arguments.hpp"
#include "app/session/pad_gain_arguments.hpp"
#include "app/session/stress_arguments.hpp"

namespace gridiron {

struct IrArguments : NetlistArguments, StressArguments, EmArguments, PadGainArguments {
  std::string engine = "auto", device = "auto", tolerance = "10uV", out, formats, net;
  double rtol = 0;
  int max_iterations = 500;
  std::vector<std::string> settings, limits, em_limits, why;
  std::string loads, dump_system, golden, budget;
  std::vector<std::string> budget_nodes;
  std::optional<int> budget_worst, budget_solves;
  bool compress = false, strict = false, no_reduce = false, quiet = false, no_progress = false, full = false;
  bool accept_estimate = false;

  /// The tables that are named, and with the files of the netlist all that is.
  std::vector<std::string> tables() const;
  std::vector<std::string> inputs() const;
};

/// What words say, without the tables of loads and budgets. Errors: InputError.
IrOptions options_of(const IrArguments& arguments);

/// Tables of loads and budgets. Errors: InputError.
void read_tables(const IrArguments& arguments, IrOptions& options);

/// All but the files that were read.
RunFacts run_facts(const IrArguments& arguments);

/// `gridiron ir` on each of the processes that mpirun started; the first one speaks for all.
int run_shared_ir(const IrArguments& arguments);

}  // namespace gridiron
