// SPDX-License-Identifier: Apache-2.0
#include "python/solver.hpp"

#include <cmath>

#include "analysis/run/ir_drop.hpp"
#include "python/bindings.hpp"
#include "python/declared.hpp"
#include "python/errors.hpp"
#include "python/fields.hpp"
#include "python/views.hpp"
#include "support/error_text.hpp"

namespace gridiron::python {
namespace {

std::unique_ptr<InterruptibleSolver> make_solver(const System& system, const std::string& engine,
                                                 const std::string& device, const std::optional<py::dict>& settings,
                                                 double tolerance_v, std::optional<double> rtol, int max_iterations,
                                                 int threads, const py::object& progress) {
  if (!(tolerance_v > 0) || !std::isfinite(tolerance_v))
    throw field_error("tolerance", "{}: expected a positive voltage", tolerance_v);
  if (rtol && !(*rtol >= 1e-16 && *rtol <= 1))
    throw field_error("rtol", "{}: expected a number from 1e-16 to 1", *rtol);
  if (max_iterations < 1) throw field_error("max_iterations", "{}: expected at least 1", max_iterations);
  SolverOptions options{engine, settings ? settings_of(*settings, engine) : Settings{}, tolerance_v, rtol,
                        max_iterations};
  Context context;
  context.device = device;
  context.threads = threads_given(threads);
  if (!progress.is_none()) {
    const auto call = callback<Text>(progress);
    context.progress = [call](std::string_view stage) { call(Text(stage)); };
  }
  return std::make_unique<InterruptibleSolver>(system, std::move(options), std::move(context));
}

Answer solve_deck(InterruptibleSolver& solver) {
  std::optional<Answer> answer;
  solver.call([&](Solver& s) { answer = s.solve(); });
  return std::move(*answer);
}

std::vector<Answer> solve_loads(InterruptibleSolver& solver, const Loads& loads) {
  std::vector<Answer> answers;
  solver.call([&](Solver& s) { answers = s.solve(loads); });
  return answers;
}

void solve_each(InterruptibleSolver& solver, const Loads& loads, py::object take) {
  const auto call = callback<int64_t, Answer>(std::move(take));
  solver.call([&](Solver& s) { s.solve(loads, call); });
}

std::string miss_of_answer(const InterruptibleSolver& solver, const Answer& answer) {
  const Solver& s = solver.idle();
  return in_keywords(tolerance_miss(answer.stats, answer.certificate, s.engine_run().name, s.options()));
}

std::string miss_of_report(const InterruptibleSolver& solver, const IrReport& report) {
  return in_keywords(tolerance_miss(report, solver.idle().options()));
}

void bind_answer(py::module_& module) {
  py::class_<Answer>(module, "Answer", "The solution for one load vector. Arrays are read-only views.")
      .def_property_readonly("voltage_v", column(&Answer::voltage_v),
                             "Voltage of every node, V: float64; 0 at ground and where a node floats.")
      .def_property_readonly("load_a", column(&Answer::load_a),
                             "The load vector that it answers, A, per current source.")
      .def_property_readonly(
          "bound_v", [](const Answer& a) { return a.certificate.bound_v(); },
          "Guaranteed: every voltage is within this of the exact one, V; infinite where none could be found.")
      .def_property_readonly(
          "stats", [](const Answer& a) { return shown_fields(a.stats); },
          "{'iterations', 'relative_residual', 'max_residual' (A), 'converged', 'history'}")
      .def_property_readonly("is_finite", &Answer::is_finite, "False where the engine broke down on this vector.");
}

}  // namespace

py::class_<InterruptibleSolver> bind_solver(py::module_& module) {
  bind_answer(module);
  py::class_<InterruptibleSolver> solver(
      module, "Solver",
      ("An engine set up on a system, with the barrier of the certificate: another load costs one solve, an edited "
       "system an update. Works without the GIL; Ctrl-C stops a solve, after which the solver can solve again.\n\n" +
       described("analyze_power_grid", {"engine", "device", "set", "tolerance", "rtol", "max_iterations", "threads"}) +
       "\nprogress: called with the name of each stage.")
          .c_str());
  solver
      .def(py::init(&make_solver), "system"_a, py::kw_only(), "engine"_a = "auto", "device"_a = "auto",
           "settings"_a = py::none(), "tolerance_v"_a = SolverOptions().tolerance_v, "rtol"_a = py::none(),
           "max_iterations"_a = SolverOptions().max_iterations, "threads"_a = 0, "progress"_a = py::none())
      .def("solve", solve_deck, "The answer to the loads of the netlist.")
      .def("solve", solve_loads, "loads"_a, "One answer per load vector.")
      .def("solve", solve_each, "loads"_a, "take"_a,
           "For many vectors: calls take(vector, answer) in order, so that memory does not grow with their number.")
      .def(
          "update",
          [](InterruptibleSolver& solver, const System& system) {
            solver.call([copy = system](Solver& s) { s.update(copy); });
          },
          "system"_a, "Goes over to an edited system of the same design.")
      .def("stop", &InterruptibleSolver::stop,
           "Ends a solve that is under way in another thread, which raises gridiron.Stopped there.")
      .def("miss", miss_of_answer, "answer"_a,
           "'' if the answer is as accurate as asked for, else a line that says why not.")
      .def("miss", miss_of_report, "report"_a, "The same of the worst case.")
      .def_property_readonly(
          "system", [](const InterruptibleSolver& s) { return System(s.idle().system()); },
          "A copy of the system in force.")
      .def_property_readonly(
          "engine", [](const InterruptibleSolver& s) { return shown_fields(s.idle().engine_run()); },
          "The engine in use: name, device, threads, parameters, levels, bytes, note.")
      .def_property_readonly("findings", [](const InterruptibleSolver& s) { return shown(s.idle().findings()); })
      .def_property_readonly(
          "bytes", [](const InterruptibleSolver& s) { return s.idle().bytes(); }, "Memory held between solves.")
      .def_property_readonly(
          "work", [](const InterruptibleSolver& s) { return shown_fields(s.idle().work()); },
          ("Work done since construction: " + keys_of<Solver::Work>() + ".").c_str());
  return solver;
}

}  // namespace gridiron::python
