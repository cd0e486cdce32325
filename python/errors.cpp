// SPDX-License-Identifier: Apache-2.0
#include "python/errors.hpp"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <regex>
#include <system_error>
#include <utility>

#include "analysis/model/deck/unknown_name.hpp"
#include "python/text.hpp"
#include "support/nearest_names.hpp"

namespace gridiron::python {
namespace {

/// Exception classes live as long as the process, like the translator that raises them.
struct Kinds {
  py::handle error, input, unknown, grid, solver, stopped, resource;

  py::handle of(const Error& e) const {
    if (dynamic_cast<const Stopped*>(&e)) return stopped;
    if (dynamic_cast<const UnknownName*>(&e)) return unknown;
    switch (e.code()) {
      case ExitCode::invalid_input:
        return input;
      case ExitCode::not_analysable:
        return grid;
      case ExitCode::not_converged:
        return solver;
      case ExitCode::out_of_resources:
        return resource;
      default:
        return error;
    }
  }
};
Kinds kinds;

py::object text_or_none(std::string_view text) { return text.empty() ? py::object(py::none()) : py::cast(Text(text)); }

/// "file:line:column" at the beginning of a message.
void set_place(const py::object& error, const std::string& message) {
  static const std::regex kPlace("^([^\n]*?):([0-9]+):([0-9]+): ");
  std::smatch found;
  if (!std::regex_search(message, found, kPlace)) return;
  error.attr("place") = Text(fmt::format("{}:{}:{}", found[1].str(), found[2].str(), found[3].str()));
  error.attr("file") = Text(found[1].str());
  error.attr("line") = py::int_(py::str(found[2].str()));
  error.attr("column") = py::int_(py::str(found[3].str()));
}

py::object instance_of(py::handle kind, const std::string& message, std::string_view field) {
  const py::object error = kind(Text(message));
  error.attr("field") = text_or_none(field);
  set_place(error, message);
  return error;
}

void raise(const py::object& error) { PyErr_SetObject(py::type::handle_of(error).ptr(), error.ptr()); }

void raise(py::handle kind, const std::string& message) { raise(instance_of(kind, message, "")); }

/// Arguments of EmRules, Report.find_stress() and Solver.find_cascade() go without what others call their options.
std::string argument_of(std::string_view field) {
  constexpr std::pair<std::string_view, std::string_view> kOfMetal[] = {{"budget_node", "nodes"},
                                                                        {"em_stress", "metal"},
                                                                        {"em_layers", "layers"},
                                                                        {"em_lifetime", "lifetime_s"},
                                                                        {"em_samples", "samples"},
                                                                        {"em_sigma", "sigma"},
                                                                        {"em_cascade", "stages"},
                                                                        {"em_void", "void_um"},
                                                                        {"em_liner", "liner_ohm_per_um"},
                                                                        {"em_cut_unit", "cut_unit"},
                                                                        {"em_temperature", "temperature_c"},
                                                                        {"em_rule_temperature", "rule_temperature_c"},
                                                                        {"em_frequency", "frequency_hz"},
                                                                        {"em_ea", "ea_ev"},
                                                                        {"em_n", "n"},
                                                                        {"em_recovery", "recovery"}};
  for (const auto& [option, argument] : kOfMetal)
    if (field == option) return std::string(argument);
  return keyword(field);
}

void translate(std::exception_ptr pointer) {
  if (!pointer) return;
  try {
    std::rethrow_exception(pointer);
  } catch (const Error& e) {
    const py::object error =
        instance_of(kinds.of(e), in_keywords(e.message()), e.field().empty() ? "" : argument_of(e.field()));
    if (const auto* unknown = dynamic_cast<const UnknownName*>(&e)) {
      error.attr("name") = text_or_none(unknown->name);
      error.attr("nearest") = text_or_none(unknown->nearest);
    }
    raise(error);
  } catch (const std::bad_alloc&) {
    raise(kinds.resource, "out of memory; use a machine with more, or an engine that needs less");
  } catch (const std::system_error& e) {
    raise(kinds.resource, std::string("the system refused: ") + e.what() + "; free memory or disk space");
  }
}

py::handle make(py::module_& module, const char* name, py::handle bases, const char* about) {
  const std::string full = std::string("gridiron.") + name;
  const py::handle kind = PyErr_NewExceptionWithDoc(full.c_str(), about, bases.ptr(), nullptr);
  if (!kind) throw py::error_already_set();
  module.attr(name) = kind;
  return kind;
}

}  // namespace

std::string keyword(std::string_view field) {
  for (const char* time : {"step", "start", "stop", "max_step", "window"})
    if (field == time) return std::string(field) + "_s";
  for (const char* list : {"probe", "em_rms_limit", "em_peak_limit"})
    if (field == list) return std::string(field) + "s";
  if (field == "time_tolerance") return "time_tolerance_v";
  if (field == "tolerance") return "tolerance_v";
  if (field == "limit") return "limits";
  if (field == "em_limit") return "em_limits";
  if (field == "pad_resistance") return "pad_resistance_ohm";
  if (field == "grid") return "grid_um";
  if (field == "no_reduce") return "reduce";
  if (field == "set") return "settings";
  if (field == "source_set") return "source_settings";
  return std::string(field);
}

std::string in_keywords(const std::string& message) {
  std::string text = spelled(message, [](std::string_view field) { return argument_of(field) + "="; });
  const std::string_view first = leading_field(message);
  const size_t value = argument_of(first).size() + 1;
  if (!first.empty() && text.size() > value && text[value] == ' ') text.erase(value, 1);
  return text;
}

void bind_errors(py::module_& module) {
  kinds.error = make(module, "Error", PyExc_Exception,
                     "What went wrong, where, and what to do, in one line.\n\n"
                     "field: name of the argument at fault.\n"
                     "place: 'file:line:column' of the netlist, and its parts file, line and column.\n"
                     "All are None where they are not known.");
  for (const char* name : {"field", "place", "file", "line", "column"}) kinds.error.attr(name) = py::none();
  kinds.input = make(module, "InputError", py::make_tuple(kinds.error, py::handle(PyExc_ValueError)),
                     "Wrong usage, or a file that cannot be read or understood.");
  kinds.unknown = make(module, "UnknownName", py::make_tuple(kinds.input, py::handle(PyExc_KeyError)),
                       "A name that the netlist, or a list of results, does not have.\n\n"
                       "name: that name. nearest: the nearest one that there is, or None.");
  kinds.unknown.attr("__str__") = py::handle(PyExc_Exception).attr("__str__");  // KeyError's shows a repr()
  for (const char* name : {"name", "nearest"}) kinds.unknown.attr(name) = py::none();
  kinds.grid = make(module, "GridError", kinds.error,
                    "The grid cannot be analysed: floating loads, no source, contradicting sources.");
  kinds.solver = make(module, "SolverError", kinds.error, "The engine broke down.");
  kinds.stopped = make(module, "Stopped", kinds.solver, "The solve ended because Solver.stop() was called.");
  kinds.resource = make(module, "ResourceError", kinds.error, "Out of memory or disk space, or the device is lost.");
  py::register_exception_translator(translate);
  module.def("_letters_apart", [](const Text& a, const Text& b) { return letters_apart(a, b); });
}

}  // namespace gridiron::python
