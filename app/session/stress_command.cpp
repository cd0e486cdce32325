// SPDX-License-Identifier: Apache-2.0
#include "app/session/declare_stress.hpp"
#include "app/session/session_commands.hpp"
#include "reports/json/fields_json.hpp"
#include "reports/text/stress_text.hpp"
#include "support/lists.hpp"

namespace gridiron {
namespace {

struct FindStressArguments : StressArguments {
  FindStressArguments() { em_stress = "default"; }
  bool quiet = false;
};

Value find_stress(Console& console, const FindStressArguments& arguments) {
  std::vector<LimitRequest> no_limits;
  StressOptions options = *stress_options(arguments, no_limits);
  append(console.tables, arguments.stress_tables());
  read_stress_tables(arguments, options);
  const StressReport& stress = console.session.find_stress(options);
  const IrReport& report = console.session.report();
  if (!arguments.quiet) console.print(stress_lines(report));
  return json_value(report, stress);
}

}  // namespace

std::vector<SessionCommand> stress_commands() {
  Declaration<FindStressArguments> stress(
      {.name = "find_stress",
       .help = "stress of metal by electromigration; returns the stress of report.json, as a dict",
       .description = "Of the grid that was analysed last, with one load vector. Reports written later hold it, too.",
       .example = "find_stress -em_layers layers.csv -em_lifetime 10y"});
  add_stress(stress, "default", "");
  stress.add(&FindStressArguments::quiet, {.field = "quiet", .help = "print nothing"});
  return {in_session(stress, find_stress)};
}

}  // namespace gridiron
