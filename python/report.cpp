// SPDX-License-Identifier: Apache-2.0
#include "reports/report.hpp"

#include <fmt/format.h>

#include "analysis/results/asked_names.hpp"
#include "analysis/run/ir_drop.hpp"
#include "analysis/run/run_facts.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/em_arguments.hpp"
#include "python/bindings.hpp"
#include "python/declared.hpp"
#include "python/em.hpp"
#include "python/errors.hpp"
#include "python/fields.hpp"
#include "python/report_lock.hpp"
#include "python/solver.hpp"
#include "python/tables.hpp"
#include "python/views.hpp"
#include "reports/folder/run_folder.hpp"
#include "support/error_text.hpp"
#include "support/memory.hpp"

namespace gridiron::python {
namespace {

using Report = std::shared_ptr<IrReport>;

using Texts = std::vector<Text>;

using Rules = std::optional<EmSettings>;

SummaryOptions summary_options(const Text& net, const Texts& limits, const Texts& em_limits, const Rules& em_rules) {
  constexpr std::string_view kMoreLimits[] = {kEmQuantity};
  SummaryOptions options;
  options.net = net;
  options.limits = parse_limits(std::vector<std::string>(limits.begin(), limits.end()),
                                [&](const std::string& text) { return parse_limit(text, kMoreLimits); });
  options.em = em_rules;
  take_em_limit(options.limits, options.em);
  for (const Text& text : em_limits)
    add_em_limit(options.em_limits, parse_em_limit(text), fmt::format("{} {}", field("em_limit"), std::string(text)));
  return options;
}

/// With the input, date and command, and, if there is a solver, what only it knows. Complete from here on, as threads
/// may write it at the same time.
Report with_facts(IrReport summary, const InterruptibleSolver* solver) {
  auto report = std::make_shared<IrReport>(std::move(summary));
  add_input(*report);
  if (solver) add_run(*report, solver->idle());
  spell_arguments(report->findings);
  report->run = facts_of_this_run();
  report->run.files = result_of([&] { return input_files(*report->circuit, tables_of(report->design)); });
  report->peak_memory_bytes = peak_memory_bytes();
  return report;
}

void require_names(const System& system, const Text& net, const Texts& limits, const Texts& em_limits,
                   const Rules& em_rules) {
  const SummaryOptions options = summary_options(net, limits, em_limits, em_rules);
  const AskedNames names(*system.design(), system.topology(), options.net);
  names.require(options.limits);
  names.require(options.em_limits);
  names.require(options.em);
}

Report summarise_answer(const System& system, const Answer& answer, const Text& net, const Texts& limits,
                        const Texts& em_limits, const Rules& em_rules) {
  const SummaryOptions options = summary_options(net, limits, em_limits, em_rules);
  return with_facts(result_of([&] { return summarise(system, answer, options); }), nullptr);
}

Report summarise_run(const InterruptibleSolver& solver, const Answer& answer, const Text& net, const Texts& limits,
                     const Texts& em_limits, const Rules& em_rules) {
  const SummaryOptions options = summary_options(net, limits, em_limits, em_rules);
  const System system = solver.idle().system();
  return with_facts(result_of([&] { return summarise(system, answer, options); }), &solver);
}

Report report_of(const WorstCase& worst, const Text& net, const Texts& limits, const Texts& em_limits,
                 const InterruptibleSolver* solver, const Rules& em_rules) {
  const SummaryOptions options = summary_options(net, limits, em_limits, em_rules);
  return with_facts(result_of([&] { return WorstCase(worst).report(options); }), solver);
}

py::list write(const Report& report, const std::filesystem::path& folder, std::optional<std::vector<std::string>> names,
               bool compress) {
  const Formats formats = names ? formats_named(*names, kReportFormats)
                                : Formats(std::begin(kReportFormats), std::begin(kReportFormats) + kUsualFormats);
  std::vector<std::filesystem::path> paths;
  run({}, [&] {
    const std::shared_lock lock(report_lock);
    RunFolder made(folder, {"ir", formats, report->netlist_name}, inputs_of(*report));
    paths = write_reports(*report, made.path(), formats, compress);
    made.finish();
  });
  return py::cast(paths);
}

void bind_nodes(py::module_& module) {
  py::class_<NodeTable>(module, "NodeTable",
                        "Columns over the nodes of the netlist, ground first; read-only views of the report.")
      .def("__len__", [](const NodeTable& t) { return t.voltage_v.size(); })
      .def_property_readonly("voltage_v", column(&NodeTable::voltage_v),
                             "V: float64; meaningless where the node floats.")
      .def_property_readonly("drop_v", column(&NodeTable::drop_v),
                             "Distance from the supply, V, bounce on ground nets: float64; 0 where not solved.")
      .def_property_readonly("net", column(&NodeTable::net),
                             "Index into Report.nets, -1 for ground and floating nodes: int32.")
      .def_property_readonly("layer", column(&NodeTable::layer),
                             "Index into Report.layer_names, -1 when unknown: int32.")
      .def_property_readonly("x_um", column(&NodeTable::x_um), "um; NaN when unknown.")
      .def_property_readonly("y_um", column(&NodeTable::y_um))
      .def_property_readonly(
          "state",
          [](py::object self) {
            const std::vector<NodeState>& state = self.cast<const NodeTable&>().state;
            return view(self, std::span(reinterpret_cast<const uint8_t*>(state.data()), state.size()));
          },
          "gridiron.NodeState of each node: uint8.")
      .def_property_readonly(
          "vector", column(&NodeTable::vector),
          "Of several load vectors the one that the voltage is from: int32; empty for a single one.");
}

void bind_rows(py::module_& module) {
  constexpr const char* kToDict = "All attributes, by their names.";
  with_fields(py::class_<NetResult>(module, "Net", "Figures of a supply net."))
      .def("to_dict", shown_fields<NetResult>, kToDict);
  with_fields(py::class_<PadResult>(module, "Pad", "A source that feeds a net."))
      .def("to_dict", shown_fields<PadResult>, kToDict);
  with_fields(py::class_<LimitResult>(module, "Limit", "A limit and whether the grid keeps it."))
      .def("to_dict", shown_fields<LimitResult>, kToDict)
      .def("__str__", [](const LimitResult& l) { return Text(in_keywords(describe(l))); });
}

void bind_summaries(py::module_& module) {
  const py::arg_v net = "net"_a = Text(), limits = "limits"_a = Texts(), em_limits = "em_limits"_a = Texts(),
                  em_rules = "em_rules"_a = py::none();
  bind_em_rules(module);
  py::class_<WorstCase>(module, "WorstCase",
                        "The worst case over many load vectors, node by node, accumulated from their answers.")
      .def(py::init<System>(), "system"_a)
      .def("__repr__",
           [](const WorstCase& worst) {
             const size_t nodes = worst.nodes().voltage_v.size();
             return nodes > 0 ? fmt::format("<gridiron.WorstCase: {} nodes>", nodes)
                              : std::string("<gridiron.WorstCase: no answer yet>");
           })
      .def(
          "add", [](WorstCase& worst, const Answer& answer) { worst.add(answer); }, "answer"_a)
      .def("report", report_of, net, limits, em_limits, "solver"_a = py::none(), em_rules,
           "A Report; solver: the one that gave the answers, for its figures.");

  module.def("_require_names", require_names, "system"_a, "net"_a, "limits"_a, "em_limits"_a, "em_rules"_a);
  module.def("summarise", summarise_run, "solver"_a, "answer"_a, py::kw_only(), net, limits, em_limits, em_rules,
             ("Nodes, nets, layers, pads, instances and limits of an answer.\n\n" +
              described("analyze_power_grid", {"net", "limit", "em_limit", "em_rules"}) +
              "\nem_rules: an EmRules. limits and em_limits are lists, ['worst=5%', 'VDD:M1:p99=40mV'].")
                 .c_str());
  module.def("summarise", summarise_answer, "system"_a, "answer"_a, py::kw_only(), net, limits, em_limits, em_rules,
             "The same without figures of the solver.");
}

}  // namespace

py::dict instance_columns(py::handle owner, const IrReport& report) {
  const std::vector<InstanceResult>& rows = report.instances;
  py::dict d;
  d["name"] = texts(std::ssize(rows), [&](int64_t k) { return instance_name(*report.circuit, rows[k]).instance; });
  static const InstanceResult kNone;
  const InstanceResult& first = rows.empty() ? kNone : rows.front();
  const auto column = [&](const auto& of_first) {
    return strided_view(owner, &of_first, rows.size(), sizeof(InstanceResult));
  };
  d["power_node"] = column(first.power);
  d["ground_node"] = column(first.ground);
  PythonColumns columns{d, column};
  first.visit(columns);
  if (report.circuit && report.circuit->made_names)
    d["cell"] =
        texts(std::ssize(rows), [&](int64_t k) { return std::string(instance_cell(*report.circuit, rows[k])); });
  return d;
}

void bind_report(py::module_& module, py::class_<InterruptibleSolver>& solver) {
  bind_nodes(module);
  bind_rows(module);
  const auto inside = py::return_value_policy::reference_internal;
  const auto rows = [](auto IrReport::*of, const char* what) {
    return [of, what](const py::object& self) {
      py::list list;
      for (auto& row : self.cast<IrReport&>().*of)
        list.append(py::cast(row, py::return_value_policy::reference_internal, self));
      return by_name(list, what);
    };
  };
  py::class_<IrReport, Report> report(module, "Report",
                                      "All results of a static run; arrays are read-only views of it.");
  report.def_property_readonly("design", [](const IrReport& r) { return shown(r.design); })
      .def_property_readonly(
          "nodes", [](IrReport& r) -> NodeTable& { return r.nodes; }, inside)
      .def_property_readonly("nets", rows(&IrReport::nets, "net"), "[Net], by number or name.")
      .def_property_readonly("pads", rows(&IrReport::pads, "pad"), "[Pad], largest current first, by number or name.")
      .def_property_readonly(
          "limits", [](const IrReport& r) { return r.limits; }, "[Limit], in the order in which they were given.")
      .def_property_readonly("limit_exceeded", &IrReport::limit_exceeded)
      .def_property_readonly(
          "instances", [](const py::object& self) { return instance_columns(self, self.cast<const IrReport&>()); },
          "Cell instances, worst combined drop first, as columns: {'name', 'power_node', "
          "'ground_node', 'vdd_drop_v', 'gnd_bounce_v', 'combined_v', 'current_a'}; of a layout also "
          "'cell'.")
      .def_property_readonly("layer_names", [](const IrReport& r) { return texts(r.layer_names); })
      .def_property_readonly("findings", [](const IrReport& r) { return shown(r.findings); })
      .def_property_readonly(
          "certificate",
          [](const IrReport& r) {
            const Certificate& c = r.certificate;
            return shown_certificate(c, c.valid, c.is_estimated);
          },
          ("How exact the voltages are: " + keys_of<Certificate>() + ".").c_str())
      .def_property_readonly(
          "bound_v", [](const IrReport& r) { return r.certificate.bound_v(); },
          "Guaranteed: every voltage is within this of the exact one, V.")
      .def(
          "text", [](const IrReport& r) { return Text(text_summary(r)); },
          "What summary.txt holds, and `gridiron ir --full` prints.")
      .def(
          "to_dict", [](const IrReport& r) { return py::module_::import("json").attr("loads")(json_report(r)); },
          "The report as a dict, in the form of report.json.")
      .def("write", write, "folder"_a, "formats"_a = py::none(), "compress"_a = false,
           "Writes the report into a folder and returns the paths. formats: some of text, solution, csv, json, png, "
           "html, openroad, lyrdb, drc, iccad, npy; by default the first six, as `gridiron ir --out` writes them. "
           "compress: solution and "
           "csv as FILE.zst.");

  bind_display(report);
  bind_em(report);
  bind_insight(solver, report);
  bind_budget(solver);
  bind_stress(solver, report);
  bind_summaries(module);
}

}  // namespace gridiron::python
