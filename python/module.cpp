// SPDX-License-Identifier: Apache-2.0
// gridiron._core: the library's objects in Python. The package (gridiron/__init__.py) adds what is easier said there.
// By pybind11 rather than nanobind, which Debian 12 does not have.
#include "python/bindings.hpp"
#include "python/errors.hpp"
#include "python/solver.hpp"
#include "python/views.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace gridiron::python;
  module.attr("__version__") = GRIDIRON_VERSION;
  bind_errors(module);
  bind_views(module);
  bind_design(module);
  bind_layout(module);
  bind_loads(module);
  bind_system(module);
  bind_engine(module);
  auto solver = bind_solver(module);
  bind_report(module, solver);
  bind_plan(module, solver);
  bind_diff(module);
  bind_declarations(module);
  bind_tran(module);
}
