// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <memory>
#include <string>
#include <vector>

#include "analysis/model/design.hpp"
#include "analysis/results/ir_report.hpp"
#include "python/text.hpp"

namespace gridiron::python {

namespace py = pybind11;
using namespace pybind11::literals;

class InterruptibleSolver;

// Each binds the classes of one header of the library, in the order in which they depend on each other.
void bind_design(py::module_& module);
void bind_layout(py::module_& module);
void bind_loads(py::module_& module);
void bind_system(py::module_& module);
void bind_engine(py::module_& module);
py::class_<InterruptibleSolver> bind_solver(py::module_& module);
void bind_report(py::module_& module, py::class_<InterruptibleSolver>& solver);
void bind_diff(py::module_& module);
/// What the commands of a session declare, for docstrings and tests.
void bind_declarations(py::module_& module);
void bind_tran(py::module_& module);
/// What concerns a solver and a report: currents, hot spots, explanations, sensitivities.
void bind_insight(py::class_<InterruptibleSolver>& solver, py::class_<IrReport, std::shared_ptr<IrReport>>& report);

/// What the package shows of a report: its verdict and its map.
void bind_display(py::class_<IrReport, std::shared_ptr<IrReport>>& report);

/// The stress of metal.
void bind_stress(py::class_<InterruptibleSolver>& solver, py::class_<IrReport, std::shared_ptr<IrReport>>& report);

/// Plans, and what a solver has of them.
void bind_plan(py::module_& module, py::class_<InterruptibleSolver>& solver);

/// The worst case over budgets.
void bind_budget(py::class_<InterruptibleSolver>& solver);

/// Designs are immutable: Python has no way to change one.
using DesignPtr = std::shared_ptr<Design>;
inline DesignPtr shown(std::shared_ptr<const Design> design) { return std::const_pointer_cast<Design>(design); }

py::list texts(const auto& strings) {
  py::list list;
  for (const auto& string : strings) list.append(Text(string));
  return list;
}

/// The names of `count` things, by their numbers.
py::list texts(int64_t count, auto name_of) {
  py::list list(count);
  for (int64_t k = 0; k < count; ++k) list[k] = Text(name_of(static_cast<int32_t>(k)));
  return list;
}

/// Instances as columns, views of a report that `owner` holds.
py::dict instance_columns(py::handle owner, const IrReport& report);

/// Engine parameters as Python gives them: True is "true", 0.5 is "0.5".
Settings settings_of(const py::dict& given, const std::string& engine);

/// A gridiron.NamedList of rows; `what` they are, for messages.
py::object by_name(const py::list& rows, const char* what);

/// Errors: UnknownName.
NodeId node_named(const Design& design, const Text& name);

/// Findings with their fields as keywords.
py::list shown(std::vector<Finding> findings);

/// Names the arguments in findings as in Python.
void spell_arguments(std::vector<Finding>& findings);

}  // namespace gridiron::python
