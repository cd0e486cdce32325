// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/loads.hpp"

#include <algorithm>

#include "python/bindings.hpp"
#include "python/tables.hpp"
#include "python/views.hpp"
#include "support/error_text.hpp"

namespace gridiron::python {
namespace {

Loads with_amperes(const DesignPtr& design, py::handle amperes) {
  const GivenBlock given(amperes, "amperes");
  const Block<const double> block = given.block();
  Loads loads(design, block.columns);
  if (block.rows != loads.sources())
    throw field_error("amperes", "{} rows, but the netlist has {} current sources; give names= for a part of them",
                      block.rows, loads.sources());
  for (int64_t v = 0; v < block.columns; ++v) std::ranges::copy(block.column(v), loads.vector(v).begin());
  return loads;
}

Loads with_named_amperes(const DesignPtr& design, py::handle amperes, const std::vector<Text>& names) {
  const GivenBlock given(amperes, "amperes");
  const Block<const double> block = given.block();
  if (block.rows != std::ssize(names)) throw field_error("amperes", "{} rows for {} names", block.rows, names.size());
  LoadTable table;
  table.names.assign(names.begin(), names.end());
  table.vectors = block.columns;
  table.amperes.assign(block.data, block.data + block.rows * block.columns);
  return Loads(design, table);
}

py::object amperes(const py::object& self) {
  auto& loads = self.cast<Loads&>();
  double* const data = loads.vectors() > 0 ? loads.vector(0).data() : nullptr;
  return view(self, Block<double>{data, loads.sources(), loads.vectors()});
}

}  // namespace

void bind_loads(py::module_& module) {
  using Given = std::optional<std::vector<Text>>;
  py::class_<Loads>(module, "Loads",
                    "What every current source of a design draws, A: sources x vectors.\n\n"
                    "Loads(design, vectors=k) repeats what the netlist says. Loads(design, amperes) takes an array of "
                    "sources x vectors, or of one vector; with names=[...] its rows are those sources, and the others "
                    "keep what the netlist says.")
      .def(py::init([](const DesignPtr& design, int64_t vectors) { return Loads(design, vectors); }), "design"_a,
           py::kw_only(), "vectors"_a = 1)
      .def(py::init([](const DesignPtr& design, py::object amperes, const Given& names) {
             return names ? with_named_amperes(design, amperes, *names) : with_amperes(design, amperes);
           }),
           "design"_a, "amperes"_a, "names"_a = py::none())
      .def_static(
          "read",
          [](const DesignPtr& design, const std::filesystem::path& path) {
            Loads loads(design, read_loads(path.string()));
            note_table(loads.design(), path);
            return loads;
          },
          "design"_a, "path"_a,
          "From a .npz file with the arrays 'loads' (sources x vectors, A) and 'names', or a CSV file with a row per "
          "source.")
      .def_property_readonly("design", [](const Loads& loads) { return shown(loads.design()); })
      .def_property_readonly("vectors", &Loads::vectors, "Number of load vectors, k.")
      .def("__len__", &Loads::vectors)
      .def_property(
          "amperes", amperes,
          [](const py::object& self, const py::object& values) {
            amperes(self)[py::ellipsis()] = as_fp64(values, "amperes");
          },
          "float64, sources x vectors; a view, so that writing to it changes the loads. Must not be written to during "
          "a solve.")
      .def(
          "set", [](Loads& loads, const Text& source, double amperes, int64_t v) { loads.set(source, amperes, v); },
          "source"_a, "amperes"_a, "vector"_a = 0, "Sets one current source, A.")
      .def(
          "set_at_node",
          [](Loads& loads, const Text& node, double amperes, int64_t v) { loads.set_at_node(node, amperes, v); },
          "node"_a, "amperes"_a, "vector"_a = 0,
          "Scales the sources at a node so that together they carry that many amperes in the direction of now.")
      .def(
          "set_instance",
          [](Loads& loads, const Text& name, double amperes, int64_t v) { loads.set_instance(name, amperes, v); },
          "instance"_a, "amperes"_a, "vector"_a = 0, "Sets both halves, NAME_v and NAME_g, of an instance.");
}

}  // namespace gridiron::python
