// SPDX-License-Identifier: Apache-2.0
#include "app/session/layout_wires.hpp"
#include "app/session/means_arguments.hpp"
#include "app/session/session_commands.hpp"
#include "reports/plan_report.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

struct ProposePlanArguments : MeansArguments {
  bool quiet = false;
};

Value propose_plan(Console& console, const ProposePlanArguments& arguments) {
  if (!arguments.add_straps.empty())
    throw field_error("add_straps", "{}: {}", arguments.add_straps.front(), kNoStrapsInSession);
  PlanFacts facts{console.session.path(), arguments.means(), ""};
  if (console.layout.is_input() && !facts.means.widen.empty())
    keep_rules_of_layout(console.layout.wires(), facts.means);
  const Plan& plan = console.session.find_plan(facts.means, console.stop());
  if (!arguments.quiet) console.print(plan_text(plan, facts));
  return Value::parse(plan_json(plan, facts));
}

Value apply_plan(Console& console, const NoArguments&) {
  console.session.apply_plan();
  return "";
}

}  // namespace

std::vector<SessionCommand> plan_commands() {
  Declaration<ProposePlanArguments> propose(
      {.name = "propose_plan",
       .help = "the cheapest change that keeps the limits of the last analysis; returns plan.json as a dict",
       .description = "Nothing is changed until apply_plan.",
       .example = "propose_plan -widen M5=3 -add_pads 10 -pad_layer M6 -pad_resistance 0.2"});
  add_means(propose);
  propose.add(&ProposePlanArguments::add_straps,
              {.field = "add_straps",
               .value = "LAYER:WIDTH:PITCH_MIN:PITCH_MAX",
               .help = "refused, as new straps change the layout: gridiron fix --add-straps plans them"});
  propose.add(&ProposePlanArguments::quiet, {.field = "quiet", .help = "print nothing"});
  Declaration<NoArguments> apply(
      {.name = "apply_plan", .help = "makes the changes of the plan that was proposed last", .example = "apply_plan"});
  return {in_session(propose, propose_plan), in_session(apply, apply_plan)};
}

}  // namespace gridiron
