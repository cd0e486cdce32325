// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/plan/find_plan.hpp"
#include "analysis/results/asked_names.hpp"
#include "analysis/run/ir_drop.hpp"
#include "analysis/solve/any_matrix/any_design.hpp"
#include "app/commands.hpp"
#include "app/fixed_def.hpp"
#include "app/progress.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/common_arguments.hpp"
#include "app/session/declare_layout.hpp"
#include "app/session/layout_straps.hpp"
#include "app/session/layout_wires.hpp"
#include "app/session/means_arguments.hpp"
#include "app/session/read_input.hpp"
#include "app/stop_on_interrupt.hpp"
#include "netlist/tables/load_table.hpp"
#include "reports/folder/run_folder.hpp"
#include "reports/plan_report.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/threads.hpp"

namespace gridiron {
namespace {

struct FixArguments : NetlistArguments, MeansArguments {
  std::string engine = "auto", device = "auto", tolerance = "10uV", out, formats, loads, em_rules;
  std::vector<std::string> limits, em_limits, settings;
  bool quiet = false, no_progress = false;

  std::vector<std::string> inputs() const {
    std::vector<std::string> inputs = files();
    append(inputs, table_files(em_limits));
    append(inputs, layout_tables());
    for (const std::string* file : {&loads, &pads})
      if (!file->empty()) inputs.push_back(*file);
    return inputs;
  }
};

/// Errors: InputError.
IrOptions options_of(const FixArguments& arguments) {
  if (!arguments.em_rules.empty()) throw field_error("em_rules", "{}: {}", arguments.em_rules, kNoPlanForEm);
  IrOptions options;
  arguments.apply(options);
  options.context.device = arguments.device;
  options.engine = arguments.engine;
  options.tolerance_v = parse_tolerance(arguments.tolerance);
  options.limits = parse_plan_limits(arguments.limits);
  options.em_limits = parse_em_limits(arguments.em_limits);
  options.settings = parse_settings(arguments.settings, arguments.engine);
  if (options.limits.empty() && options.em_limits.empty())
    throw input_error("no limit is to be met; give {} or {}", field("limit"), field("em_limit"));
  if (!arguments.loads.empty()) options.loads = read_loads(arguments.loads);
  return options;
}

/// What a run of `ir` may leave open: up to its tolerance where its engine is iterative. The search, which solves many
/// times, may have one that is certified better.
double error_of_runs(const System& system, const Loads& loads, const IrOptions& options) {
  constexpr double kDirect = 0.01;  // of the tolerance: no iterative engine goes on until it is so much better
  SolverOptions once = options;
  once.solves = loads.vectors();
  Solver solver(system, once, options.context);
  double error_v = 0;
  solver.solve(loads,
               [&](int64_t, const Answer& answer) { error_v = std::max(error_v, answer.certificate.bound_v()); });
  return error_v < kDirect * options.tolerance_v ? error_v : options.tolerance_v;
}

/// `straps`: null unless straps may be added.
Plan plan_for(const std::shared_ptr<const Design>& design, const IrOptions& options, const PlanMeans& means,
              LayoutStraps* straps, ProgressLine& progress) {
  require_bounds(*design, "a plan");
  design->throw_first_error();
  const AskedNames names(*design, *design->topology, "");
  names.require(options.limits);
  names.require(options.em_limits);
  const Loads loads = options.loads ? Loads(design, *options.loads) : Loads(design);
  const System system(design);
  system.check(loads);
  PlanSearch search;
  search.spare_v = error_of_runs(system, loads, options);
  SolverOptions of_solver = options;
  of_solver.solves = 100 * loads.vectors();  // of which an engine knows what it may spend on its set-up
  Context context = options.context;         // whose trials are too many to tell
  context.progress = [](std::string_view) {};
  context.share_done = [](double) {};
  progress.stage("search");
  search.progress = [&](std::string_view what) { progress.rename(what); };
  Solver solver(system, of_solver, context);
  return straps ? find_plan(solver, loads, options, means, *straps, search)
                : find_plan(solver, loads, options, means, search);
}

int exit_code(PlanOutcome outcome) {
  return outcome == PlanOutcome::kept_today || outcome == PlanOutcome::found ? 0 : 1;
}

/// Reads what was written as a new process would, and solves it. Empty, or which limit it exceeds.
std::string misses(const FixArguments& changed, const IrOptions& before) {
  IrOptions options = before;
  options.context.stop = {};
  const Circuit circuit = read_input(changed, "", changed.read_options(), options);
  const IrReport report = analyse_ir_drop(circuit, options);
  for (const LimitResult& limit : report.limits)
    if (limit.exceeded || limit.undecided) return fmt::format("{}: {}", changed.netlist, describe(limit));
  for (const EmLimitResult& limit : report.em_limits)
    if (limit.exceeded || limit.undecided) return fmt::format("{}: {}", changed.netlist, describe(limit));
  return "";
}

/// Writes the DEF file of a layout's plan, and solves all changed netlists anew. Empty, or what misses a limit.
std::string check_written(const FixArguments& arguments, const Plan& plan, const LayoutStraps* straps,
                          const LayoutWires* wires, const IrOptions& options, const Formats& formats,
                          const OutputPath& folder) {
  if (!formats.contains("spice")) return "";
  const std::string name = netlist_name(arguments.netlist);
  FixArguments changed = arguments;
  changed.further_files.clear();
  if (wires) {
    const OutputPath def = folder / (name + ".fixed.def");
    write_fixed_def(plan, *wires, straps, def);
    changed.netlist = def.path().string();
    const bool is_whole = plan.after.setting.pads.empty();
    if (std::string miss = is_whole ? misses(changed, options) : ""; !miss.empty()) return miss;
  }
  static_cast<LayoutArguments&>(changed) = {};
  changed.netlist = (folder / (name + ".fixed.sp")).path().string();
  return misses(changed, options);
}

/// Of a layout; null without one.
std::shared_ptr<const LayoutWires> wires_of(const FixArguments& arguments, const DesignOptions& options,
                                            const LayoutStraps* straps) {
  if (!arguments.is_layout()) return nullptr;
  if (straps) return std::make_shared<const LayoutWires>(straps->library(), straps->shared_chip());
  const layout::LayoutFiles files = arguments.layout_files(arguments.netlist, "", options);
  const auto library = std::make_shared<const layout::Library>(layout::read_lef(files.lefs));
  return std::make_shared<const LayoutWires>(
      library, std::make_shared<const layout::Chip>(layout::read_def(files.def, *library)));
}

int run_fix(const FixArguments& arguments) {
  PlanMeans means = arguments.means();
  if (!means.straps.empty() && !arguments.is_layout())
    throw input_error("{} {}: {}", field("add_straps"), arguments.add_straps.front(), kStrapsNeedLayout);
  if (arguments.extraction == "fine" && !means.widen.empty())
    throw field_error("extract",
                      "fine: its cells have no widths that a plan could change; plan without it, and judge the "
                      "plan by gridiron ir {} fine",
                      field("extract"));
  IrOptions options = options_of(arguments);
  const Formats formats = parse_formats(arguments.formats, kPlanFormats, arguments.out);
  RunFolder folder(arguments.out, {"fix", formats, netlist_name(arguments.netlist)}, arguments.inputs());
  ProgressLine progress(!arguments.quiet && !arguments.no_progress);
  progress.follow(options.context);
  const StopOnInterrupt interrupt;
  options.context.stop = interrupt.token();

  progress.stage("read");
  ReadOptions read = arguments.read_options();
  read.opens = [&](const std::string& file) { folder.protect(file); };
  const DesignOptions as_given = options;
  const Circuit circuit = read_input(arguments, "", read, options);
  folder.clear();
  const ThreadCount threads(options.context.threads);
  const std::shared_ptr<const Design> design = first_design(circuit, options);
  if (design->topology) arguments.require_sound(design->findings(*design->topology));
  std::optional<LayoutStraps> straps;
  if (!means.straps.empty()) straps.emplace(arguments.layout_files(arguments.netlist, "", as_given), as_given, means);
  LayoutStraps* const or_null = straps ? &*straps : nullptr;
  const std::shared_ptr<const LayoutWires> wires = wires_of(arguments, as_given, or_null);
  if (wires) keep_rules_of_layout(wires, means);
  const Plan plan = plan_for(design, options, means, or_null, progress);

  const PlanFacts facts{arguments.netlist, means, netlist_name(arguments.netlist), wires && formats.contains("spice")};
  std::string miss;
  if (!arguments.out.empty()) {
    progress.stage("report");
    write_plan_reports(plan, facts, folder.path(), formats);
    if (plan.outcome == PlanOutcome::kept_today && wires && formats.contains("spice"))
      write_fixed_def(plan, *wires, or_null, folder.path() / (facts.netlist_name + ".fixed.def"));
    if (plan.outcome == PlanOutcome::found)
      miss = check_written(arguments, plan, or_null, wires.get(), options, formats, folder.path());
    folder.finish();
  }
  progress.finish();
  if (!arguments.quiet) fmt::print("{}", plan_text(plan, facts));
  if (!miss.empty()) throw SolverError(miss);
  return exit_code(plan.outcome);
}

}  // namespace

ToolCommand fix_command() {
  Declaration<FixArguments> fix(
      {.name = "fix",
       .help = "a plan that meets limits: which straps to widen, where to add straps and pads",
       .description =
           "Finds the cheapest change by the given means that keeps all limits under all load vectors, checks it by a "
           "certified solve and writes it down. Exit code 0: a plan was found, or none is needed; 1: it is proved that "
           "there is none, or none was found, which the text tells apart; 4: what was written misses a limit when it "
           "is "
           "read back. Ctrl-C or SIGTERM ends the search with the best plan so far.",
       .example = "gridiron fix chip.sp --limit worst=5% --widen M5=3 --widen M6=3 --out plan"});
  add_netlist(fix);
  add_further_files(fix);
  add_layout(fix);
  add_limits(
      fix, &FixArguments::limits,
      "limit that the plan keeps, [NET:[LAYER:]]QUANTITY=5% or =50mV, with worst, average, p50, p95, p99, p99.9; "
      "instead of rules of electromigration (em=) --em-limit");
  fix.add(&FixArguments::em_limits,
          {.field = "em_limit",
           .value = "LAYER=CURRENT",
           .help = "limit on the current of a segment that the plan keeps, M1=5mA, or a CSV file "
                   "layer,a_per_um,width_um"});
  fix.add(&FixArguments::em_rules,
          {.field = "em_rules",
           .value = "FILE",
           .help = "refused, as what rules allow depends on the widths that a plan changes: give --em-limit"});
  fix.add(&FixArguments::loads, file("loads", "load vectors, under all of which the limits are kept"));
  add_means(fix);
  add_new_straps(fix);
  add_engine(fix, &FixArguments::engine);
  add_device(fix, &FixArguments::device);
  add_tolerance(fix, &FixArguments::tolerance);
  add_settings(fix, &FixArguments::settings);
  add_out(fix, "write the plan and the changed netlist into this folder");
  add_formats(
      fix,
      "which of text,csv,json,tcl,spice,html (default: all); spice is NAME.fixed.sp, and of a layout NAME.fixed.def",
      {std::begin(kPlanFormats), std::end(kPlanFormats)});
  add_quiet(fix);
  return std::move(fix).run_by(run_fix);
}

}  // namespace gridiron
