// SPDX-License-Identifier: Apache-2.0
// Currents, hot spots, and why a node drops: what summarise(), explain() and sensitivities find.

#include "analysis/insight/drop_shares.hpp"
#include "analysis/insight/explain.hpp"
#include "analysis/insight/pad_gains.hpp"
#include "analysis/insight/sensitivity.hpp"
#include "analysis/results/drop_map.hpp"
#include "analysis/results/em_limits.hpp"
#include "analysis/results/segments.hpp"
#include "python/bindings.hpp"
#include "python/errors.hpp"
#include "python/fields.hpp"
#include "python/report_lock.hpp"
#include "python/solver.hpp"
#include "python/views.hpp"
#include "support/error_text.hpp"

namespace gridiron::python {
namespace {

py::dict segments(const py::object& self) {
  const SegmentTable& table = self.cast<const IrReport&>().segments;
  py::dict d;
  d["current_a"] = view(self, table.current_a);
  d["power_w"] = view(self, table.power_w);
  return d;
}

py::object em_limits(const IrReport& report) {
  const py::object rows = shown_fields(report.em_limits);
  for (size_t k = 0; k < report.em_limits.size(); ++k)
    rows[py::int_(k)]["text"] = Text(in_keywords(describe(report.em_limits[k])));
  return rows;
}

py::object explain_nodes(InterruptibleSolver& solver, const IrReport& report, const std::vector<Text>& names,
                         const Loads* loads, size_t most, double widened_by) {
  std::vector<NodeId> nodes;
  for (const Text& name : names) nodes.push_back(node_to_explain(report, name, "nodes"));
  std::vector<Explanation> found;
  solver.call([&](Solver& s) {
    const Loads of_deck = loads ? *loads : Loads(s.system().design());
    found = explain(s, of_deck, report, nodes, {most, most, widened_by});
  });
  return shown_fields(found);
}

py::object drop_shares(InterruptibleSolver& solver, const IrReport& report, const std::vector<Text>& names,
                       const Loads* loads) {
  std::vector<NodeId> nodes;
  for (const Text& name : names) nodes.push_back(node_to_explain(report, name, "nodes"));
  std::vector<DropShares> found;
  solver.call(
      [&](Solver& s) { found = find_drop_shares(s, loads ? *loads : Loads(s.system().design()), report, nodes); });
  return shown_value(report, found);
}

py::object pad_gains(InterruptibleSolver& solver, const IrReport& report, int places, const std::optional<Text>& layer,
                     std::optional<double> ohm, const Loads* loads) {
  PadGainOptions options{places, layer ? std::string(*layer) : "", ohm};
  if (places < 1) throw field_error("pad_gains", "{}: at least one place", places);
  std::vector<PadGains> found;
  solver.call([&](Solver& s) {
    found = find_pad_gains(s, loads ? *loads : Loads(s.system().design()), report, nets_short_of_pads(report), options);
  });
  return shown_value(report, found);
}

std::vector<UnitResponse> respond(InterruptibleSolver& solver, const std::vector<Text>& names) {
  std::vector<UnitResponse> responses;
  solver.call([&](Solver& s) {
    std::vector<NodeId> nodes;
    for (const Text& name : names) nodes.push_back(node_named(*s.system().design(), name));
    responses = s.respond(nodes);
  });
  return responses;
}

/// ∂drop/∂ln g of every resistor for the drop of one node.
py::object sensitivities(InterruptibleSolver& solver, const IrReport& report, const Text& name) {
  if (report.design != solver.idle().system().design())
    throw InputError("this report is of another design than the solver");
  const NodeId node = node_to_explain(report, name, "node");
  if (report.nodes.net[node] < 0) throw input_error("node {} has no drop", std::string(name));
  const NetResult& net = report.nets[report.nodes.net[node]];
  NewBlock result(report.circuit->resistors.size(), 1, true);
  solver.call([&](Solver& s) {
    const UnitResponse response = std::move(s.respond(std::span(&node, 1)).front());
    const std::vector<double>& volts = report.nodes.voltage_v;
    const Sensitivity sensitivity(s.system().topology(), response, volts, drop_sign(net, volts[node]));
    std::ranges::copy(resistor_sensitivities(*report.circuit, sensitivity), result.block.data);
  });
  return result.array;
}

}  // namespace

py::object shown_value(const IrReport& report, const LayerPair& layers) {
  return py::cast(Text(layer_text(report.layer_names, layers)));
}

void bind_insight(py::class_<InterruptibleSolver>& solver, py::class_<IrReport, std::shared_ptr<IrReport>>& report) {
  py::class_<UnitResponse>(solver, "Response", "What 1 A into a node does, all sources being 0 V.")
      .def_readonly("node", &UnitResponse::node)
      .def_property_readonly(
          "ohm", column(&UnitResponse::ohm),
          "By how much the node rises per ampere into each other one, ohm: float64 over nodes, read-only.")
      .def_readonly("error_ohm", &UnitResponse::error_ohm, "Certified error of each.")
      .def_property_readonly("effective_resistance_ohm", &UnitResponse::effective_ohm,
                             "Effective resistance between the node and its sources, ohm.")
      .def_property_readonly("effective_ohm", &UnitResponse::effective_ohm,
                             "The name that effective_resistance_ohm had before.");
  report.def(
      "score_map",
      [](IrReport& report, const std::filesystem::path& path) {
        MapScore score;
        run({}, [&] { score = score_map(report, read_golden_map(path.string())); });
        change_report([&] { report.golden = score; });
        return shown_fields(score);
      },
      "path"_a,
      "Compares with a map of drops, ir_drop_map.csv of ICCAD-2023; the report must be of one net. Mean and largest "
      "error, V, and F1 of the pixels above 90 % of the maximum; reports written later hold them too.");
  solver
      .def("respond", respond, "nodes"_a,
           "[Solver.Response] of nodes by name: effective resistances, and a row of the inverse each.")
      .def("explain", explain_nodes, "report"_a, "nodes"_a = std::vector<Text>{Text("worst")}, "loads"_a = py::none(),
           "most"_a = 10, "widened_by"_a = 0.2,
           "Why nodes drop as they do: path of least resistance to a pad, effective resistance, the segments and loads "
           "that matter most, and what widening these segments gains, from another solve.\n\n"
           "nodes: names, 'worst' for the one with the largest drop of the report. loads: those of the report, by "
           "default the netlist's. most: how many segments and loads.")
      .def("find_drop_shares", drop_shares, "report"_a, "nodes"_a = std::vector<Text>{Text("worst")},
           "loads"_a = py::none(),
           ("Where the drops of nodes fall: the shares of layers, vias, pads and package, which add up to them, with "
            "certified bounds: [" +
            keys_of<DropShares>() + "]; shares: [" + keys_of<DropShare>() +
            "].\n\nnodes: names, 'worst' for the one with the largest drop of the report. loads: those of the report, "
            "by default the netlist's.")
               .c_str())
      .def("find_pad_gains", pad_gains, "report"_a, "pad_gains"_a = 5, "pad_layer"_a = py::none(),
           "pad_resistance_ohm"_a = py::none(), "loads"_a = py::none(),
           ("Where one more pad lowers the worst drops most, of the nets that exceed a limit of the report, or of all "
            "if "
            "none does: [" +
            keys_of<PadGains>() + "]; places: [" + keys_of<PadGain>() +
            "].\n\npad_gains: places to list per net. pad_layer: where the pad may be, by default where the net has "
            "pads. pad_resistance_ohm: by default the median of the net's pads; 0 is that of an ideal source. loads: "
            "those of the report, by default the netlist's.")
               .c_str())
      .def("sensitivities", sensitivities, "report"_a, "node"_a = Text("worst"),
           "d drop / d ln g of every resistor, V, for the drop of one node: float64 over Design.resistors; negative: a "
           "wider one lowers the drop. `report` is that of an answer of this solver.");
  report
      .def_property_readonly("segments", segments,
                             "{'current_a' (from a to b), 'power_w'} over Design.resistors; NaN where no current flows "
                             "between two nodes.")
      .def_property_readonly(
          "segment_layers", [](const IrReport& r) { return shown_value(r, r.segment_layers); },
          ("Per net and layers: [" + keys_of<SegmentLayerResult>() + "].").c_str())
      .def_property_readonly("em_limits", em_limits, ("[" + keys_of<EmLimitResult>() + "], and 'text'.").c_str())
      .def_property_readonly(
          "hot_spots", [](const IrReport& r) { return shown_fields(r.hot_spots); },
          ("Distinct ones, worst first: [" + keys_of<HotSpot>() + "].").c_str())
      .def_property_readonly(
          "power", [](const IrReport& r) { return shown_fields(r.power); }, keys_of<PowerBalance>().c_str());
}

}  // namespace gridiron::python
