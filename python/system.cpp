// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/system.hpp"

#include <fmt/format.h>

#include "python/bindings.hpp"
#include "python/plan.hpp"
#include "python/run.hpp"
#include "python/views.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"

namespace gridiron::python {
namespace {

/// A getter of the string that `of` is the member of.
template <class T>
auto name_in(std::string T::*of) {
  return [of](const T& edit) { return Text(edit.*of); };
}

void bind_edits(py::module_& module) {
  py::class_<SetResistor>(module, "SetResistor", "Gives a resistor another value.")
      .def(py::init([](const Text& resistor, double ohm) {
             return SetResistor{resistor, ohm};
           }),
           "resistor"_a, "ohm"_a)
      .def_property_readonly("resistor", name_in(&SetResistor::resistor))
      .def_readonly("ohm", &SetResistor::ohm);
  py::class_<ScaleResistor>(module, "ScaleResistor", "Multiplies a resistor; 0.5 is a strap twice as wide.")
      .def(py::init([](const Text& resistor, double factor) {
             return ScaleResistor{resistor, factor};
           }),
           "resistor"_a, "factor"_a)
      .def_property_readonly("resistor", name_in(&ScaleResistor::resistor))
      .def_readonly("factor", &ScaleResistor::factor);
  py::class_<AddPad>(module, "AddPad", "A pad of `volts` behind `ohm` at a node.")
      .def(py::init([](const Text& node, double volts, double ohm, const Text& name) {
             return AddPad{node, volts, ohm, name};
           }),
           "node"_a, "volts"_a, "ohm"_a, "name"_a = Text())
      .def_property_readonly("node", name_in(&AddPad::node))
      .def_readonly("volts", &AddPad::volts)
      .def_readonly("ohm", &AddPad::ohm)
      .def_property_readonly("name", name_in(&AddPad::name));
  py::class_<DropPad>(module, "DropPad", "Takes away a voltage source with one end at ground, or an added pad.")
      .def(py::init([](const Text& pad) { return DropPad{pad}; }), "pad"_a)
      .def_property_readonly("pad", name_in(&DropPad::pad));
}

Edit edit_of(py::handle given) {
  try {
    return given.cast<Edit>();
  } catch (const py::cast_error&) {
    throw py::type_error(fmt::format("expected SetResistor, ScaleResistor, AddPad, DropPad or Plan, not {}",
                                     Py_TYPE(given.ptr())->tp_name));
  }
}

/// Calls f(j) with the arrived and reduced injection of each load vector.
void for_each_vector(const System& system, const Loads& loads, auto&& f) {
  const Elimination& elimination = system.elimination();
  std::vector<double> arrived(elimination.steps.size()), reduced(elimination.kept.size());
  for (int64_t v = 0; v < loads.vectors(); ++v) {
    elimination.reduce(system.injection(loads, v), arrived, reduced);
    f(v, arrived, reduced);
  }
}

py::object right_hand_side(const System& system, const Loads& loads) {
  NewBlock b(system.problem()->matrix.rows, loads.vectors(), false);
  run({}, [&] {
    for_each_vector(system, loads, [&](int64_t v, std::span<const double>, std::span<const double> reduced) {
      std::ranges::copy(reduced, b.block.column(v).begin());
    });
  });
  return b.array;
}

py::object voltages(const System& system, const py::object& x, const Loads& loads) {
  const GivenBlock given(x, "x");
  const Block<const double> unknowns = given.block();
  if (unknowns.rows != system.problem()->matrix.rows || unknowns.columns != loads.vectors())
    throw field_error("x", "{} x {}, but there are {} unknowns and {} load vectors", unknowns.rows, unknowns.columns,
                      system.problem()->matrix.rows, loads.vectors());
  NewBlock volts(system.design()->circuit->node_count(), loads.vectors(), given.is_vector());
  run({}, [&] {
    std::vector<double> merged(system.network().nodes);
    for_each_vector(system, loads, [&](int64_t v, std::span<const double> arrived, std::span<const double>) {
      system.elimination().recover(arrived, unknowns.column(v), merged);
      std::ranges::copy(system.node_voltages(merged), volts.block.column(v).begin());
    });
  });
  return volts.array;
}

py::object matrix(const System& system) {
  const py::object owner = py::cast(std::const_pointer_cast<Problem>(system.problem()));
  const CsrMatrix& a = system.problem()->matrix;
  return py::module_::import("scipy.sparse")
      .attr("csr_matrix")(py::make_tuple(view(owner, a.value), view(owner, a.col), view(owner, a.row_ptr)),
                          "shape"_a = py::make_tuple(a.rows, a.rows), "copy"_a = false);
}

}  // namespace

void bind_system(py::module_& module) {
  bind_edits(module);
  py::class_<Problem, std::shared_ptr<Problem>>(module, "_Problem");
  py::class_<System>(
      module, "System",
      "The linear system of a design after ties are merged and, unless reduce=False, dangling and series "
      "nodes eliminated. Its unknowns are differences from the supply, V; its right-hand side are "
      "currents, A. Solvers copy it, which costs nothing.")
      .def(py::init(
               [](const DesignPtr& design, bool reduce) { return result_of([&] { return System(design, reduce); }); }),
           "design"_a, py::kw_only(), "reduce"_a = true)
      .def(
          "copy", [](const System& system) { return System(system); }, "A system to edit beside this one.")
      .def(
          "apply",
          [](System& system, const py::args& given) {
            std::vector<Edit> edits;
            for (const py::handle edit : given)
              if (py::isinstance<SolverPlan>(edit))
                append(edits, edit.cast<const SolverPlan&>().changes_of(system));
              else
                edits.push_back(edit_of(edit));
            System edited = result_of([&] {
              System copy = system;
              copy.apply(edits);
              return copy;
            });
            system = std::move(edited);
          },
          "apply(*edits): SetResistor, ScaleResistor, AddPad, DropPad and Plan, in this order. On error nothing "
          "changes. "
          "Solver.update() then takes the system over.")
      .def_property_readonly("design", [](const System& s) { return shown(s.design()); })
      .def_property_readonly("unknowns", [](const System& s) { return s.problem()->matrix.rows; })
      .def_property_readonly("nonzeros", [](const System& s) { return s.problem()->matrix.nonzeros(); })
      .def_property_readonly("findings", [](const System& s) { return shown(s.findings()); })
      .def_property_readonly(
          "unknown_names", [](const System& s) { return texts(s.unknown_names()); },
          "For each unknown, a node of the netlist that it represents.")
      .def("matrix", matrix,
           "The matrix, siemens: scipy.sparse.csr_matrix, symmetric positive definite, whose values are a read-only "
           "view.")
      .def("right_hand_side", right_hand_side, "loads"_a, "b of matrix() @ x = b, A: unknowns x vectors.")
      .def("voltages", voltages, "x"_a, "loads"_a,
           "Voltages of all nodes, V, from solutions x of matrix() @ x = right_hand_side(loads): nodes x vectors, or "
           "nodes when x has one dimension.");
}

}  // namespace gridiron::python
