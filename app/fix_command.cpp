// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

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
#include "app/progress.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/common_arguments.hpp"
#include "app/session/declare_layout.hpp"
#include "app/session/read_input.hpp"
#include "app/stop_on_interrupt.hpp"
#include "netlist/tables/load_table.hpp"
#include "netlist/values/quantity.hpp"
#include "reports/folder/run_folder.hpp"
#include "reports/plan_report.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/threads.hpp"

namespace gridiron {
namespace {

struct FixArguments : NetlistArguments {
  std::string engine = "auto", device = "auto", tolerance = "10uV", out, formats, loads, cost, pad_layer;
  std::vector<std::string> limits, em_limits, settings, widen;
  double grid_um = 0, pad_ohm = 0;
  int add_pads = 0;
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
PlanMeans means_of(const FixArguments& arguments) {
  PlanMeans means;
  for (const std::string& text : arguments.widen) means.widen.push_back(parse_widening(text));
  if (!arguments.cost.empty()) means.costs = parse_costs(arguments.cost);
  means.grid_um = arguments.grid_um;
  if (arguments.add_pads > 0) {
    if (arguments.pad_layer.empty())
      throw input_error("{} {}: on which layer? Give {} LAYER", field("add_pads"), arguments.add_pads,
                        field("pad_layer"));
    if (!(arguments.pad_ohm > 0))
      throw input_error("{} {}: of which resistance? Give {} OHM, above 0", field("add_pads"), arguments.add_pads,
                        field("pad_resistance"));
    means.pads = PadOffer{arguments.add_pads, arguments.pad_layer, arguments.pad_ohm};
  } else if (!arguments.pad_layer.empty() || arguments.pad_ohm != 0) {
    throw input_error("{}: no pads may be added; give {} N",
                      field(arguments.pad_layer.empty() ? "pad_resistance" : "pad_layer"), field("add_pads"));
  }
  require_means(means);
  return means;
}

/// Errors: InputError.
IrOptions options_of(const FixArguments& arguments) {
  IrOptions options;
  arguments.apply(options);
  options.context.device = arguments.device;
  options.engine = arguments.engine;
  options.tolerance_v = parse_tolerance(arguments.tolerance);
  options.limits = parse_limits(arguments.limits);
  options.em_limits = parse_em_limits(arguments.em_limits);
  options.settings = parse_settings(arguments.settings);
  if (options.limits.empty() && options.em_limits.empty())
    throw input_error("no limit is to be met; give {} or {}", field("limit"), field("em_limit"));
  if (!arguments.loads.empty()) options.loads = read_loads(arguments.loads);
  return options;
}

Plan plan_for(const std::shared_ptr<const Design>& design, const IrOptions& options, const PlanMeans& means) {
  if (is_estimate_only(*design))
    throw InputError(
        "a plan needs certified voltages, which this circuit has not, as its matrix is no M-matrix; leave out "
        "controlled sources and negative resistances");
  design->throw_first_error();
  const AskedNames names(*design, *design->topology, "");
  names.require(options.limits);
  names.require(options.em_limits);
  const Loads loads = options.loads ? Loads(design, *options.loads) : Loads(design);
  const System system(design);
  system.check(loads);
  SolverOptions of_solver = options;
  of_solver.solves = 100 * loads.vectors();  // of which an engine knows what it may spend on its set-up
  Solver solver(system, of_solver, options.context);
  return find_plan(solver, loads, options, means);
}

int exit_code(PlanOutcome outcome) {
  return outcome == PlanOutcome::kept_today || outcome == PlanOutcome::found ? 0 : 1;
}

int run_fix(const FixArguments& arguments) {
  const PlanMeans means = means_of(arguments);
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
  const Circuit circuit = read_input(arguments, "", read, options);
  folder.clear();
  const ThreadCount threads(options.context.threads);
  const Plan plan = plan_for(first_design(circuit, options), options, means);

  const PlanFacts facts{arguments.netlist, means, netlist_name(arguments.netlist)};
  if (!arguments.out.empty()) {
    progress.stage("report");
    write_plan_reports(plan, facts, folder.path(), formats);
    folder.finish();
  }
  progress.finish();
  if (!arguments.quiet) fmt::print("{}", plan_text(plan, facts));
  return exit_code(plan.outcome);
}

void add_means(Declaration<FixArguments>& fix) {
  fix.add(&FixArguments::widen,
          {.field = "widen",
           .value = "LAYER=FACTOR",
           .help = "wires of this layer may be widened, to FACTOR times their width at most; wires "
                   "in a straight line are widened as one"});
  fix.add(&FixArguments::grid_um, {.field = "grid",
                                   .value = "UM",
                                   .unit = "um",
                                   .help = "new widths are multiples of this; where widths are known, as in a layout",
                                   .initial = "any width",
                                   .check = check_positive});
  fix.add(&FixArguments::add_pads, whole_number("add_pads", "so many pads may be added", 1, 1000000, "none"));
  fix.add(&FixArguments::pad_layer,
          {.field = "pad_layer", .value = "LAYER", .help = "layer of the nodes that may get a pad"});
  add_quantity(
      fix, &FixArguments::pad_ohm, ohms,
      {.field = "pad_resistance", .value = "OHM", .unit = "ohm", .help = "resistance of an added pad, above 0"});
  fix.add(&FixArguments::cost,
          {.field = "cost",
           .value = "area=A,pad=P",
           .help = "cost of a um2 of added metal, or of a siemens of added conductance where widths are not known, and "
                   "of a pad",
           .initial = "area=1,pad=100"});
}

}  // namespace

ToolCommand fix_command() {
  Declaration<FixArguments> fix(
      {.name = "fix",
       .help = "a plan that meets limits: which straps to widen, where to add pads",
       .description =
           "Finds the cheapest change by the given means that keeps all limits under all load vectors, checks it by a "
           "certified solve and writes it down. Exit code 0: a plan was found, or none is needed; 1: it is proved that "
           "there is none, or none was found, which the text tells apart. Ctrl-C ends the search with the best plan so "
           "far.",
       .example = "gridiron fix chip.sp --limit worst=5% --widen M5=3 --widen M6=3 --out plan"});
  add_netlist(fix);
  add_further_files(fix);
  add_layout(fix);
  add_limits(
      fix, &FixArguments::limits,
      "limit that the plan keeps, [NET:[LAYER:]]QUANTITY=5% or =50mV, with worst, average, p50, p95, p99, p99.9");
  fix.add(&FixArguments::em_limits,
          {.field = "em_limit",
           .value = "LAYER=CURRENT",
           .help = "limit on the current of a segment that the plan keeps, M1=5mA, or a CSV file "
                   "layer,a_per_um,width_um"});
  fix.add(&FixArguments::loads, file("loads", "load vectors, under all of which the limits are kept"));
  add_means(fix);
  add_engine(fix, &FixArguments::engine);
  add_device(fix, &FixArguments::device);
  add_tolerance(fix, &FixArguments::tolerance);
  add_settings(fix, &FixArguments::settings);
  add_out(fix, "write the plan and the changed netlist into this folder");
  add_formats(fix, "which of text,csv,json,tcl,spice,html (default: all); spice is NETLIST.fixed.sp",
              {std::begin(kPlanFormats), std::end(kPlanFormats)});
  add_quiet(fix);
  return std::move(fix).run_by(run_fix);
}

}  // namespace gridiron
