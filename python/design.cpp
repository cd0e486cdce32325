// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "analysis/model/deck/unknown_name.hpp"
#include "analysis/model/nets.hpp"
#include "app/session/layout_arguments.hpp"
#include "app/session/read_input.hpp"
#include "netlist/generator.hpp"
#include "netlist/reader.hpp"
#include "python/bindings.hpp"
#include "python/errors.hpp"
#include "python/fields.hpp"
#include "python/run.hpp"
#include "python/views.hpp"
#include "support/error_text.hpp"

namespace gridiron::python {
namespace {

constexpr const char* kWords[] = {"resistor", "capacitor", "inductor", "voltage source", "current source"};
static_assert(std::size(kWords) == kKinds);

/// The elements of one kind of a design.
struct ElementsOf {
  DesignPtr design;
  Kind kind;

  const Elements& columns() const { return design->as_read->elements(kind); }
  int64_t checked(int64_t i) const {
    if (i < 0) i += columns().size();
    if (i < 0 || i >= columns().size()) throw py::index_error("there is no such element");
    return i;
  }
  int64_t find(const Text& name) const {
    const int64_t found = design->find_element(kind, name);
    if (found < 0)
      throw unknown_element(*design->circuit, kind, name,
                            fmt::format("{}: the netlist has no {} of that name", std::string(name), kWords[kind]));
    return found;
  }
  bool has(const Text& name) const {
    try {
      return design->find_element(kind, name) >= 0;
    } catch (const InputError&) {  // there are several
      return true;
    }
  }
};

DesignOptions design_options(const std::map<std::string, double>& nominal, std::optional<double> dbu,
                             const std::string& node_pattern) {
  DesignOptions options{{}, dbu, node_pattern};
  for (const auto& [net, volts] : nominal) add_nominal(options.nominal_v, net, volts);
  return options;
}

ReadOptions read_options(bool lenient, const std::string& dialect, const Text& top) {
  ReadOptions options;
  options.lenient = lenient;
  options.dialect = dialect_named(dialect);
  options.top = top;
  return options;
}

/// What becomes of a deck that was read.
struct Asked {
  std::map<std::string, double> nominal;
  std::optional<double> dbu;
  std::string node_pattern;
  std::optional<std::filesystem::path> pads;
  bool ignore_opens;
  std::string net;  ///< the only one that is wanted; empty: all

  DesignPtr design_of(Circuit circuit, const ReadOptions& read) const {
    DesignOptions options = design_options(nominal, dbu, node_pattern);
    options.islands = {ignore_opens, net};
    circuit = with_pads(std::move(circuit), pads ? pads->string() : "", read, options);
    return shown(make_design(std::make_shared<const Circuit>(std::move(circuit)), options));
  }
};

DesignPtr read(const std::filesystem::path& path, bool lenient, const std::string& dialect, const Text& top,
               const std::map<std::string, double>& nominal, std::optional<double> dbu, const std::string& node_pattern,
               const std::optional<std::filesystem::path>& pads, bool ignore_opens, const Text& net, int threads) {
  if (is_called_def(path.string()))
    throw input_error("{}: a DEF file is read by gridiron.read_layout(), with its LEF files", path.string());
  if (dbu && !(*dbu > 0)) throw field_error("dbu", "{}: expected a number above 0", *dbu);
  return result_of([&] {
    const ThreadCount count(threads_given(threads));
    const ReadOptions options = read_options(lenient, dialect, top);
    return Asked{nominal, dbu, node_pattern, pads, ignore_opens, net}.design_of(read_netlist(path.string(), options),
                                                                                options);
  });
}

DesignPtr read_text(const Text& text, const Text& name, bool lenient, const std::string& dialect, const Text& top,
                    const std::map<std::string, double>& nominal, std::optional<double> dbu,
                    const std::string& node_pattern, const std::optional<std::filesystem::path>& pads,
                    bool ignore_opens) {
  return result_of([&] {
    const ReadOptions options = read_options(lenient, dialect, top);
    return Asked{nominal, dbu, node_pattern, pads, ignore_opens, ""}.design_of(read_netlist_text(text, name, options),
                                                                               options);
  });
}

void generate_deck(const std::filesystem::path& path, const std::string& style, int64_t nodes, int layers, int nets,
                   uint64_t seed, bool transient, double via_defects) {
  run({}, [&] { generate({style, nodes, layers, nets, seed, transient, via_defects}, path); });
}

py::object nets(const Design& design) {
  const py::object row = py::module_::import("gridiron._names").attr("SupplyNet");
  py::list list;
  if (design.topology)
    for (const Net& net : design.topology->nets.nets) list.append(row(Text(net.name), net.nominal_v));
  return by_name(list, "net");
}

void bind_elements(py::module_& module) {
  const auto column = [](auto Elements::*of) {
    return [of](const ElementsOf& e) { return view(py::cast(e.design), e.columns().*of); };
  };
  py::class_<ElementsOf>(module, "Elements",
                         "The elements of one kind, in the order of the netlist, as arrays over them.")
      .def("__len__", [](const ElementsOf& e) { return e.columns().size(); })
      .def_property_readonly("a", column(&Elements::a),
                             "First node of each element, an index into Design.node_names: int32, read-only.")
      .def_property_readonly("b", column(&Elements::b), "Second node of each element.")
      .def_property_readonly(
          "value", column(&Elements::value),
          "Ohm, farad, henry, volt or ampere (the DC value): float64, read-only. A current source draws its value out "
          "of node a.")
      .def(
          "name",
          [](const ElementsOf& e, int64_t i) { return Text(e.design->circuit->element_name(e.kind, e.checked(i))); },
          "i"_a, "Name of element i as typed, after its subcircuit instance ('x1.r2').")
      .def_property_readonly(
          "names",
          [](const ElementsOf& e) {
            return texts(e.columns().size(), [&](int64_t i) { return e.design->circuit->element_name(e.kind, i); });
          },
          "All names, made anew from the text of the netlist by each call.")
      .def(
          "place",
          [](const ElementsOf& e, int64_t i) {
            return Text(e.design->circuit->place(e.columns().origin[e.checked(i)]));
          },
          "i"_a, "'file:line:column' of element i.")
      .def("find", &ElementsOf::find, "name"_a,
           "Index of the element with this name. Errors: UnknownName; InputError when there are several.")
      .def(
          "__contains__", [](const ElementsOf& e, const Text& name) { return e.has(name); }, "name"_a,
          "Whether an element, or several, have this name.")
      .def_property_readonly("_kind", [](const ElementsOf& e) { return kWords[e.kind]; });
}

void bind_readers(py::module_& module) {
  module.def("_read", read, "path"_a, "lenient"_a, "dialect"_a, "top"_a, "nominal"_a, "dbu"_a, "node_pattern"_a,
             "pads"_a, "ignore_opens"_a, "net"_a, "threads"_a);
  module.def("_read_text", read_text, "text"_a, "name"_a, "lenient"_a, "dialect"_a, "top"_a, "nominal"_a, "dbu"_a,
             "node_pattern"_a, "pads"_a, "ignore_opens"_a);
  module.def("generate", generate_deck, "path"_a, py::kw_only(), "style"_a = "ibm", "nodes"_a = 100000, "layers"_a = 0,
             "nets"_a = 0, "seed"_a = 1, "transient"_a = false, "via_defects"_a = 0.0,
             "Writes a synthetic netlist; the same arguments give the same bytes.\n\n"
             "style: 'ibm' (paired VDD and GND meshes) or 'openroad' (rails and straps). layers, nets: 0 for the "
             "style's default. via_defects: fraction of vias with 100 times their resistance.");
}

}  // namespace

py::object by_name(const py::list& rows, const char* what) {
  return py::module_::import("gridiron._names").attr("NamedList")(rows, what);
}

NodeId node_named(const Design& design, const Text& name) {
  const NodeId node = design.find_node(name);
  if (node < 0) throw unknown_node(*design.circuit, name, fmt::format("node {}: {}", std::string(name), kNoNode));
  return node;
}

void spell_arguments(std::vector<Finding>& findings) {
  for (Finding& finding : findings) finding.message = in_keywords(finding.message);
}

py::list shown(std::vector<Finding> findings) {
  spell_arguments(findings);
  return shown_fields(findings);
}

void bind_design(py::module_& module) {
  bind_elements(module);
  bind_readers(module);
  const auto place = [](auto NodePlaces::*of) {
    return [of](const py::object& self) { return view(self, self.cast<const Design&>().places.*of); };
  };
  const auto elements = [](Kind kind) { return [kind](const DesignPtr& design) { return ElementsOf{design, kind}; }; };
  py::class_<Design, DesignPtr>(
      module, "Design",
      "A netlist or layout seen as a power grid: places of nodes, nets, findings. Immutable; gridiron.read() and "
      "read_layout() make one. Arrays over nodes have an entry for ground, index 0.")
      .def_property_readonly(
          "path",
          [](const Design& d) {
            const std::string path = d.circuit->files.empty() ? "" : d.circuit->files[0]->path();
            return py::reinterpret_steal<py::str>(PyUnicode_DecodeFSDefault(path.c_str()));
          },
          "The file that was read.")
      .def_property_readonly(
          "node_count", [](const Design& d) { return d.circuit->node_count(); }, "Nodes, with ground.")
      .def_property_readonly(
          "node_names",
          [](const Design& d) {
            return texts(d.circuit->node_count(), [&](NodeId n) { return d.circuit->node_name(n); });
          },
          "Names of all nodes by index, made anew by each call.")
      .def(
          "node_name",
          [](const Design& d, int64_t node) {
            if (node < 0 || node >= d.circuit->node_count()) throw py::index_error("there is no such node");
            return Text(d.circuit->node_name(static_cast<NodeId>(node)));
          },
          "node"_a, "Name of a node, as first spelled in the netlist.")
      .def(
          "find_node", [](const Design& d, const Text& name) { return node_named(d, name); }, "name"_a,
          "Index of the node with this name (ASCII case is ignored). Errors: UnknownName.")
      .def(
          "__contains__", [](const Design& d, const Text& name) { return d.find_node(name) >= 0; }, "name"_a,
          "Whether there is a node of this name.")
      .def_property_readonly("resistors", elements(kResistor))
      .def_property_readonly("capacitors", elements(kCapacitor))
      .def_property_readonly("inductors", elements(kInductor))
      .def_property_readonly("voltage_sources", elements(kVoltageSource))
      .def_property_readonly("current_sources", elements(kCurrentSource),
                             "The loads; their order is that of the rows of Loads.amperes.")
      .def_property_readonly("x_um", place(&NodePlaces::x_um),
                             "Place of each node, um; NaN where its name tells none: float64, read-only.")
      .def_property_readonly("y_um", place(&NodePlaces::y_um))
      .def_property_readonly("layer", place(&NodePlaces::layer),
                             "Layer of each node, an index into layer_names, -1 when unknown: int32, read-only.")
      .def_property_readonly(
          "layer_names", [](const Design& d) { return texts(d.places.layers); }, "Lowest metal first.")
      .def_property_readonly("nets", nets, "[(name, nominal_v)], V, of each supply net, by number or name.")
      .def_property_readonly(
          "findings", [](const Design& d) { return shown(d.findings()); },
          "What is worth knowing: [{'severity', 'code', 'message', 'place'}].")
      .def_property_readonly("has_errors", &Design::has_errors,
                             "Whether a finding keeps the grid from being analysed.");
}

}  // namespace gridiron::python
