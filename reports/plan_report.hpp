// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/plan/find_plan.hpp"
#include "reports/formats.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// The formats of `gridiron fix`; spice is the changed netlist.
inline constexpr std::string_view kPlanFormats[] = {"text", "csv", "json", "tcl", "spice", "html"};

/// What a plan is about.
struct PlanFacts {
  std::string input;  ///< path of the netlist
  PlanMeans means;
  std::string netlist_name;  ///< NAME of NAME.fixed.sp
  bool is_layout = false;    ///< NAME.fixed.def is written, too
};

/// plan.txt: the outcome, the limits today and after, what the plan costs, its first edits.
std::string plan_text(const Plan& plan, const PlanFacts& facts);

/// plan.json, schema gridiron.plan/1 (reports/schema/gridiron.plan-1.schema.json).
std::string plan_json(const Plan& plan, const PlanFacts& facts);

/// plan.tcl: the commands of a session that make the plan's changes to the netlist that has been read.
std::string plan_tcl(const Plan& plan, const PlanFacts& facts);

/// plan.txt, plan.csv and plan.json; of a plan that was found plan.tcl, NAME.fixed.sp, the netlist with the plan's
/// changes, and diff.html, what changes from today's grid. Where the grid had been edited, plan.tcl and the netlist
/// have those edits, too. Returns their paths. Errors: ResourceError; those of write_edited_deck(); InputError for a
/// netlist of which a source was dropped.
std::vector<std::filesystem::path> write_plan_reports(const Plan& plan, const PlanFacts& facts,
                                                      const OutputPath& directory, const Formats& formats);

}  // namespace gridiron
