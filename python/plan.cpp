// SPDX-License-Identifier: Apache-2.0
// The cheapest change that keeps limits: Solver.plan(), Solver.apply() and Plan.
#include "python/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "analysis/results/asked_names.hpp"
#include "analysis/run/ir_drop.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/layout_wires.hpp"
#include "app/session/means_arguments.hpp"
#include "python/bindings.hpp"
#include "python/declared.hpp"
#include "python/fields.hpp"
#include "python/layout.hpp"
#include "python/run.hpp"
#include "python/solver.hpp"
#include "python/tables.hpp"
#include "reports/folder/run_folder.hpp"
#include "reports/plan_report.hpp"
#include "reports/plan_rows.hpp"
#include "reports/text/numbers.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"

namespace gridiron::python {
namespace {

using Texts = std::vector<Text>;

/// As typed to the tool, so that means are refused alike.
PlanMeans means_of(const std::map<Text, double>& widen, std::optional<double> grid_um, int add_pads,
                   const Text& pad_layer, std::optional<double> pad_resistance_ohm, PlanCosts costs) {
  MeansArguments typed;
  for (const auto& [layer, most] : widen) typed.widen.push_back(fmt::format("{}={}", std::string(layer), most));
  if (grid_um && !(*grid_um > 0 && std::isfinite(*grid_um)))
    throw field_error("grid", "{}: expected a width above 0", *grid_um);
  if (add_pads < 0) throw field_error("add_pads", "{}: expected a number of pads", add_pads);
  typed.grid_um = grid_um.value_or(0);
  typed.add_pads = add_pads;
  typed.pad_layer = pad_layer;
  typed.pad_ohm = pad_resistance_ohm.value_or(0);
  PlanMeans means = typed.means();
  for (const auto& [name, cost] : {std::pair("cost_area", costs.area), {"cost_pad", costs.pad}})
    if (!(cost >= 0) || !(cost <= kMostCost))
      throw field_error(name, "{}: expected a number from 0 to {}", cost, kMostCost);
  means.costs = costs;
  return means;
}

/// Of its files as they are now. Errors: InputError.
void keep_rules_of_layout(PlanMeans& means, const std::shared_ptr<const Design>& design) {
  const std::optional<layout::LayoutFiles> files = layout_of(design);
  if (!files || means.widen.empty()) return;
  const auto library = std::make_shared<const layout::Library>(layout::read_lef(files->lefs));
  auto chip = std::make_shared<const layout::Chip>(layout::read_def(files->def, *library));
  gridiron::keep_rules_of_layout(std::make_shared<const LayoutWires>(library, std::move(chip)), means);
}

SolverPlan plan(InterruptibleSolver& solver, const Texts& limits, const Texts& em_limits,
                const std::map<Text, double>& widen, std::optional<double> grid_um, int add_pads, const Text& pad_layer,
                std::optional<double> pad_resistance_ohm, double cost_area, double cost_pad, const Loads* loads,
                const Texts& add_straps) {
  if (!add_straps.empty())
    throw field_error("add_straps", "{}: {}", std::string(add_straps.front()), kNoStrapsInSession);
  SummaryOptions summary;
  summary.limits = parse_plan_limits(std::vector<std::string>(limits.begin(), limits.end()));
  summary.em_limits = parse_em_limits(std::vector<std::string>(em_limits.begin(), em_limits.end()));
  if (summary.limits.empty() && summary.em_limits.empty())
    throw input_error("no limit is to be met; give {} or {}", field("limit"), field("em_limit"));
  const System system = solver.idle().system();
  SolverPlan found{
      system, means_of(widen, grid_um, add_pads, pad_layer, pad_resistance_ohm, {cost_area, cost_pad}), {}};
  const AskedNames names(*system.design(), system.topology(), "");
  names.require(summary.limits);
  names.require(summary.em_limits);
  solver.call([&](Solver& s) {
    keep_rules_of_layout(found.means, system.design());
    found.plan = find_plan(s, loads ? *loads : Loads(system.design()), summary, found.means);
  });
  return found;
}

void apply(InterruptibleSolver& solver, const SolverPlan& plan) {
  solver.call([&](Solver& s) {
    if (&s.system().topology() != &plan.before.topology())
      throw InputError("the solver's grid is not the one that this plan was made for; make a plan of it");
    System system = s.system();
    system.apply(plan.changes_of(system));
    s.update(system);
  });
}

PlanFacts facts_of(const SolverPlan& plan) {
  const auto& files = plan.before.design()->circuit->files;
  const std::string path = files.empty() ? "" : files.front()->path();
  return {path, plan.means, netlist_name(path)};
}

py::list write(const SolverPlan& plan, const std::filesystem::path& folder, const std::optional<Texts>& names) {
  const Formats formats = names ? formats_named({names->begin(), names->end()}, kPlanFormats)
                                : Formats(std::begin(kPlanFormats), std::end(kPlanFormats));
  std::vector<std::filesystem::path> paths;
  run({}, [&] {
    const PlanFacts facts = facts_of(plan);
    RunFolder made(folder, {"fix", formats, facts.netlist_name}, inputs_of(plan.plan.today.report));
    made.clear();
    paths = write_plan_reports(plan.plan, facts, made.path(), formats);
    made.finish();
  });
  return py::cast(paths);
}

std::string described(const SolverPlan& of) {
  const Plan& plan = of.plan;
  std::string out = fmt::format("<gridiron.Plan: {}", plan_headline(plan));
  if (plan.outcome == PlanOutcome::found) out += "; " + plan_cost_text(plan);
  for (const PlanLimitRow& row : plan_limits(plan))
    out += fmt::format("; net {}{}{}: {} {} -> {}, limit {}", row.net, row.layer.empty() ? "" : ", layer ", row.layer,
                       row.quantity, with_unit(row.today, row.unit), with_unit(row.after, row.unit),
                       with_unit(row.limit, row.unit));
  return out + ">";
}

py::list worst_drops(const SolverPlan& of) {
  const IrReport& today = of.plan.today.report;
  const IrReport& after = of.plan.outcome == PlanOutcome::kept_today ? today : of.plan.after.report;
  py::list rows;
  for (size_t n = 0; n < today.nets.size(); ++n) {
    py::dict row;
    row["net"] = Text(today.nets[n].name);
    row["before_v"] = today.nets[n].worst_drop_v;
    row["before_bound_v"] = today.certificate.bound_v();
    row["after_v"] = after.nets[n].worst_drop_v;
    row["after_bound_v"] = after.certificate.bound_v();
    rows.append(row);
  }
  return rows;
}

py::list edits(const SolverPlan& of) {
  py::list rows;
  for (size_t i = 0; i < of.plan.edits.size(); ++i) {
    const py::object row = shown_fields(plan_edit(of.plan, i));
    const int64_t strap = of.plan.edits[i].strap;
    row["resistors"] = strap < 0 ? py::list() : py::list(py::cast(of.plan.straps[strap].resistors));
    rows.append(row);
  }
  return rows;
}

void bind_class(py::module_& module) {
  py::class_<SolverPlan>(module, "Plan", "The cheapest change of a grid that keeps limits, or that there is none.")
      .def_property_readonly(
          "outcome", [](const SolverPlan& p) { return outcome_word(p.plan.outcome); },
          "'found'; 'kept_today': all limits are, nothing is to be done; 'impossible': proved; 'none_found': whether "
          "there is one is not proved.")
      .def_property_readonly(
          "is_interrupted", [](const SolverPlan& p) { return p.plan.is_interrupted; },
          "Solver.stop() has ended the search: the plan is the cheapest until then.")
      .def_property_readonly(
          "limits", [](const SolverPlan& p) { return shown_fields(plan_limits(p.plan)); },
          ("Each limit, today and after: [" + keys_of<PlanLimitRow>() + "].").c_str())
      .def_property_readonly("worst_drops", worst_drops,
                             "Per net {'net', 'before_v', 'before_bound_v', 'after_v', 'after_bound_v'}: worst drops "
                             "with certified errors; after: see 'limits'.")
      .def_property_readonly("edits", edits,
                             ("What is to be done, as in plan.csv: [" + keys_of<PlanEditRow>() +
                              "], and 'resistors' of a strap, indices into Design.resistors.")
                                 .c_str())
      .def_property_readonly(
          "cost",
          [](const SolverPlan& p) {
            return p.plan.outcome == PlanOutcome::found ? std::optional(p.plan.after.cost) : std::nullopt;
          },
          "Of a plan that was found, else None.")
      .def_property_readonly(
          "uniform_cost", [](const SolverPlan& p) { return p.plan.uniform_cost; },
          "Of the same factor for all straps that keeps all limits; None if none does.")
      .def(
          "to_dict",
          [](const SolverPlan& p) { return py::module_::import("json").attr("loads")(plan_json(p.plan, facts_of(p))); },
          "In the form of plan.json; 'proof' is that there is no plan.")
      .def(
          "text", [](const SolverPlan& p) { return Text(plan_text(p.plan, facts_of(p))); },
          "As `gridiron fix` prints it.")
      .def("write", write, "folder"_a, "formats"_a = py::none(),
           ("Writes what `gridiron fix --out` writes, but no DEF file, and returns the paths. formats: " +
            fmt::format("{}", fmt::join(kPlanFormats, ", ")) + "; by default all.")
               .c_str())
      .def("__str__", [](const SolverPlan& p) { return Text(plan_text(p.plan, facts_of(p))); })
      .def("__repr__", [](const SolverPlan& p) { return Text(described(p)); });
}

}  // namespace

std::vector<Edit> SolverPlan::changes_of(const System& system) const {
  if (system.design() != before.design()) throw InputError("this plan is of another design");
  if (plan.outcome == PlanOutcome::impossible || plan.outcome == PlanOutcome::none_found)
    throw InputError("there is no plan that could be applied: " + plan_headline(plan));
  return plan.changes();
}

void bind_plan(py::module_& module, py::class_<InterruptibleSolver>& solver) {
  bind_class(module);
  solver
      .def(
          "plan", plan, py::kw_only(), "limits"_a = Texts(), "em_limits"_a = Texts(),
          "widen"_a = std::map<Text, double>(), "grid_um"_a = py::none(), "add_pads"_a = 0, "pad_layer"_a = Text(),
          "pad_resistance_ohm"_a = py::none(), "cost_area"_a = PlanCosts().area, "cost_pad"_a = PlanCosts().pad,
          "loads"_a = py::none(), "add_straps"_a = Texts(),
          ("The cheapest change of the grid that keeps all limits, certified, or the proof that there is none: see "
           "docs/plans.md. Nothing is changed until apply(). stop() in another thread ends the search with the "
           "cheapest plan so far; without one, gridiron.Stopped is raised.\n\nlimits, em_limits: as of summarise(). "
           "widen: {layer: factor}. cost_area, cost_pad: of a um2 of added metal, or of a siemens of added conductance "
           "where widths are not known, and of a pad. loads: under all of which limits are kept; by default the "
           "netlist's.\n\n" +
           python::described("propose_plan",
                             {"widen", "grid", "add_pads", "pad_layer", "pad_resistance", "add_straps"}))
              .c_str())
      .def("apply", apply, "plan"_a,
           "Goes over to the grid with the changes of a plan that was found; of one that changes nothing it does "
           "nothing. "
           "Errors: InputError without a plan, or where the solver's grid is not the one that it was made for.");
}

}  // namespace gridiron::python
