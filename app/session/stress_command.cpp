// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/lifetime_limit.hpp"
#include "app/session/declare_stress.hpp"
#include "app/session/session_commands.hpp"
#include "reports/json/fields_json.hpp"
#include "reports/text/stress_text.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"

namespace gridiron {
namespace {

struct FindStressArguments : StressArguments {
  FindStressArguments() { em_stress = "default"; }
  std::vector<std::string> limits;
  bool quiet = false;
};

Value find_stress(Console& console, const FindStressArguments& arguments) {
  std::vector<std::string> texts = arguments.limits;
  std::vector<LifetimeLimit> lifetimes = take_lifetime_limits(texts);
  std::vector<LimitRequest> limits =
      parse_limits(texts, [](const std::string& text) { return parse_limit(text, kStressLimits); });
  StressOptions options = *stress_options(arguments, limits, std::move(lifetimes));
  if (!limits.empty())
    throw field_error("limit", "{}: give limits on drops to analyze_power_grid", limits.front().quantity);
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
  add_limits(stress, &FindStressArguments::limits,
             "stress=80% of the critical one, or lifetime=10y; reports tell what became of it",
             {"stress=", "lifetime="});
  stress.add(&FindStressArguments::quiet, {.field = "quiet", .help = "print nothing"});
  return {in_session(stress, find_stress)};
}

}  // namespace gridiron
