// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "analysis/run/ir_drop.hpp"
#include "analysis/run/run_facts.hpp"
#include "analysis/tran/tran_limits.hpp"
#include "analysis/tran/transient.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/em_arguments.hpp"
#include "netlist/tables/waveform_table.hpp"
#include "python/bindings.hpp"
#include "python/fields.hpp"
#include "python/run.hpp"
#include "python/tables.hpp"
#include "python/views.hpp"
#include "reports/folder/run_folder.hpp"
#include "reports/lookup.hpp"
#include "reports/tran_report.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"

namespace gridiron::python {
namespace {

/// A simulation and the circuit that its report refers to.
struct Simulation {
  std::shared_ptr<const Circuit> circuit;
  TranReport report;
  std::vector<std::string> inputs;
};

std::vector<EmLimit> em_limits(const std::vector<Text>& texts, std::string_view option) {
  std::vector<EmLimit> limits;
  for (const Text& text : texts)
    add_em_limit(limits, parse_em_limit(text), fmt::format("{} {}", field(option), std::string(text)));
  return limits;
}

Method method_of(const std::string& name) {
  for (const Method method : {Method::trapezoidal, Method::backward_euler})
    if (name == name_of(method)) return method;
  throw field_error("method", "'{}': known are trapezoidal and backward-euler", name);
}

std::shared_ptr<Simulation> simulate(
    const DesignPtr& design, std::optional<double> step_s, std::optional<double> stop_s, std::optional<double> start_s,
    std::optional<double> max_step_s, const std::optional<std::filesystem::path>& waveforms, const std::string& method,
    std::optional<double> time_tolerance_v, double window_s, const std::vector<Text>& probes, int worst_probes,
    const std::vector<Text>& limits, const std::vector<Text>& em_average, const std::vector<Text>& em_rms,
    const std::vector<Text>& em_peak, bool segments, bool accept_estimate, const std::string& engine,
    const std::string& device, const py::dict& settings, double tolerance_v, int max_iterations, int threads,
    const std::optional<EmSettings>& em_rules, const Text& net, const std::vector<Text>& why) {
  TranOptions options;
  static_cast<DesignOptions&>(options) = design->options;
  options.net = net;
  options.step_s = step_s;
  options.stop_s = stop_s;
  options.start_s = start_s;
  options.largest_step_s = max_step_s;
  options.method = method_of(method);
  options.time_tolerance_v = time_tolerance_v;
  options.window_s = window_s;
  options.probes.assign(probes.begin(), probes.end());
  options.worst_probes = worst_probes;
  options.why.assign(why.begin(), why.end());
  options.limits = parse_limits(std::vector<std::string>(limits.begin(), limits.end()), parse_tran_limit);
  options.em = em_rules;
  take_em_limit(options.limits, options.em);
  options.em_average = em_limits(em_average, "em_limit");
  options.em_rms = em_limits(em_rms, "em_rms_limit");
  options.em_peak = em_limits(em_peak, "em_peak_limit");
  options.segments = segments;
  options.accept_estimate = accept_estimate;
  options.engine = engine;
  options.settings = settings_of(settings, engine);
  options.tolerance_v = tolerance_v;
  options.max_iterations = max_iterations;
  options.context.device = device;
  options.context.threads = threads_given(threads);
  const std::stop_source stop;
  options.context.stop = stop.get_token();
  std::shared_ptr<Simulation> simulation;
  run(stop, [&] {
    if (waveforms) options.waveforms = read_waveforms(waveforms->string());
    const auto circuit = std::make_shared<Circuit>(*design->as_read);
    start_at_time_zero(*circuit, options);
    if (waveforms) note_table(design, *waveforms);
    std::vector<std::string> inputs = files_of(*circuit);
    append(inputs, tables_of(design));
    simulation =
        std::make_shared<Simulation>(Simulation{circuit, analyse_transient(*circuit, options), std::move(inputs)});
    IrReport& worst = simulation->report.worst;
    spell_arguments(worst.findings);
    if (!circuit->files.empty()) worst.input_path = circuit->files[0]->path();
    worst.netlist_name = netlist_name(worst.input_path);
    for (const auto& file : circuit->files) worst.input_bytes += file->bytes_on_disk();
  });
  if (const std::string miss = tolerance_miss(simulation->report, options); !miss.empty()) throw SolverError(miss);
  return simulation;
}

/// Waveforms by node: rows, or rows × scenarios.
py::dict probes(const py::object& self) {
  const TranReport& report = self.cast<const Simulation&>().report;
  py::dict of_node;
  for (const Probe& probe : report.probes) {
    OwnedBuffer buffer{self,
                       const_cast<double*>(probe.voltage_v.data()),
                       py::format_descriptor<double>::format(),
                       sizeof(double),
                       {static_cast<py::ssize_t>(report.row_time_s.size())},
                       {},
                       true};
    buffer.strides = {static_cast<py::ssize_t>(sizeof(double)) * report.scenarios};
    if (report.scenarios > 1) {
      buffer.shape.push_back(report.scenarios);
      buffer.strides.push_back(sizeof(double));
    }
    of_node[py::cast(Text(node_name(report.worst, probe.node)))] = array_of(std::move(buffer));
  }
  return of_node;
}

void write(const Simulation& simulation, const std::filesystem::path& folder,
           const std::optional<std::vector<std::string>>& names, bool compress) {
  const Formats formats =
      names ? formats_named(*names, kTranFormats) : Formats(std::begin(kTranFormats), std::end(kTranFormats));
  run({}, [&] {
    RunFolder made(folder, {"tran", formats, simulation.report.worst.netlist_name}, simulation.inputs);
    write_tran_reports(simulation.report, made.path(), formats, compress);
    made.finish();
  });
}

}  // namespace

void bind_tran(py::module_& module) {
  const auto column = [](auto TranReport::*of) {
    return [of](const py::object& self) { return view(self, self.cast<const Simulation&>().report.*of); };
  };
  py::class_<Simulation, std::shared_ptr<Simulation>>(module, "Simulation",
                                                      "Dynamic IR drop: every node at its worst moment, and waveforms.")
      .def_property_readonly("time_s", column(&TranReport::row_time_s), "Times of the rows, s: float64, read-only.")
      .def_property_readonly("probes", probes, "V by node name: rows, or rows x scenarios; float64, read-only.")
      .def_property_readonly(
          "worst_drop_v",
          [](const py::object& self) { return view(self, self.cast<const Simulation&>().report.worst.nodes.drop_v); },
          "Per node of the netlist the largest drop, V; bounce on ground nets.")
      .def_property_readonly("worst_time_s", column(&TranReport::worst_time_s), "When each node drops most, s.")
      .def_property_readonly("worst_scenario", column(&TranReport::worst_scenario), "In which scenario: int32.")
      .def_property_readonly("average_drop_v", column(&TranReport::average_drop_v), "Per node, over time, V.")
      .def_property_readonly("rms_drop_v", column(&TranReport::rms_drop_v), "Per node, over time, V.")
      .def_property_readonly("overshoot_v", column(&TranReport::overshoot_v),
                             "Per node, V beyond the nominal voltage; 0 where there is none.")
      .def_property_readonly(
          "instances",
          [](const py::object& self) {
            const TranReport& report = self.cast<const Simulation&>().report;
            py::dict columns = instance_columns(self, report.worst);
            columns["time_s"] = view(self, report.instance_time_s);
            return columns;
          },
          "Cell instances at their worst moment, worst combined drop first, as columns: those of Report.instances and "
          "'time_s', when that is.")
      .def_property_readonly(
          "certificate",
          [](const Simulation& s) {
            const TranAccuracy& of = s.report.accuracy;
            return shown_certificate(TranCertificate{of}, of.is_bounded && !of.is_estimated, of.is_estimated);
          },
          "How exact the equations of all steps are solved, as report.json has it.")
      .def_property_readonly(
          "limits", [](const Simulation& s) { return s.report.worst.limits; },
          "[Limit], in the order in which they were given.")
      .def_property_readonly(
          "limit_exceeded", [](const Simulation& s) { return s.report.worst.limit_exceeded(); },
          "Whether a limit is exceeded; those that the bound leaves undecided are not.")
      .def_property_readonly(
          "nets", [](const py::object& self) { return py::object(self.attr("_worst").attr("nets")); },
          "[Net] with every node at its worst moment, by number or name.")
      .def_property_readonly(
          "_worst", [](Simulation& s) -> IrReport& { return s.report.worst; },
          py::return_value_policy::reference_internal)
      .def(
          "text", [](const Simulation& s) { return Text(tran_text(s.report)); },
          "What summary.txt holds, and `gridiron tran --full` prints.")
      .def(
          "to_dict", [](const Simulation& s) { return py::module_::import("json").attr("loads")(tran_json(s.report)); },
          "The simulation as a dict, in the form of report.json.")
      .def(
          "write", write, "folder"_a, "formats"_a = py::none(), "compress"_a = false,
          "Writes the reports of `gridiron tran` into a folder; formats: all unless named. compress: csv as FILE.zst.");
  const std::vector<Text> none;
  module.def("simulate", simulate, "design"_a, py::kw_only(), "step_s"_a = py::none(), "stop_s"_a = py::none(),
             "start_s"_a = py::none(), "max_step_s"_a = py::none(), "waveforms"_a = py::none(),
             "method"_a = "trapezoidal", "time_tolerance_v"_a = py::none(), "window_s"_a = 0.0, "probes"_a = none,
             "worst_probes"_a = 0, "limits"_a = none, "em_limits"_a = none, "em_rms_limits"_a = none,
             "em_peak_limits"_a = none, "segments"_a = false, "accept_estimate"_a = false, "engine"_a = "auto",
             "device"_a = "auto", "settings"_a = py::dict(), "tolerance_v"_a = 10e-6, "max_iterations"_a = 500,
             "threads"_a = 0, "em_rules"_a = py::none(), "net"_a = Text(), "why"_a = none,
             "Steps a netlist through time from its operating point (docs/dynamic.md); times that are not given are "
             "those of .tran. net: report this one only. why: nodes to explain at the worst moment, "
             "'worst' for the one with the largest drop, in document()['where']['explanations']. waveforms: path of a "
             ".npz file. SolverError when the "
             "tolerance is missed.");
}

}  // namespace gridiron::python
