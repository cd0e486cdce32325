// SPDX-License-Identifier: Apache-2.0
// Layouts: gridiron.read_layout() and extract().
#include "python/layout.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <mutex>
#include <stdexcept>

#include "analysis/model/nets.hpp"
#include "app/session/declare_layout.hpp"
#include "app/session/extract_deck.hpp"
#include "app/session/read_input.hpp"
#include "layout/pg_deck.hpp"
#include "python/bindings.hpp"
#include "python/errors.hpp"
#include "python/run.hpp"
#include "python/tables.hpp"
#include "support/error_text.hpp"

namespace gridiron::python {
namespace {

/// Values of options by their fields, as texts of a command line.
using Texts = std::map<std::string, std::vector<std::string>>;

/// A layout that is to be read.
struct AskedLayout {
  layout::LayoutFiles files;
  DesignOptions options;
  bool ignores_opens = false, ignores_shorts = false;

  /// Errors: GridError for findings that are not ignored.
  void judge(const std::vector<Finding>& findings) const {
    if (!ignores_shorts) require_no_shorts(findings);
    if (!ignores_opens) require_no_opens(findings);
  }
};

std::mutex guard;
std::map<std::weak_ptr<const Design>, layout::LayoutFiles, std::owner_less<>> layouts;

void note_layout(const std::shared_ptr<const Design>& design, layout::LayoutFiles files) {
  files.def = std::filesystem::absolute(files.def).string();
  for (std::string& lef : files.lefs) lef = std::filesystem::absolute(lef).string();
  const std::lock_guard lock(guard);
  std::erase_if(layouts, [](const auto& of) { return of.first.expired(); });
  layouts[design] = std::move(files);
}

LayoutArguments arguments_of(const Texts& texts) {
  LayoutArguments arguments;
  for (const auto& [name, values] : texts) {
    const Argument* argument = layout_command().find(name);
    if (!argument) throw std::logic_error(fmt::format("no option of a layout is called {}", name));
    for (const std::string& value : values)
      if (const std::string fault = argument->fault(value); !fault.empty()) throw field_error(name, "{}", fault);
    if (values.size() > 1 && !argument->is_repeatable)
      throw field_error(name, "{} are given, but only one counts; leave the others out", values.size());
    if (!values.empty()) argument->take(&arguments, values);
  }
  return arguments;
}

/// {name: number}. Errors: InputError for anything else.
std::map<std::string, double> numbers(const py::dict& given, const char* name, const char* unit) {
  std::map<std::string, double> out;
  for (const auto& [key, value] : given) {
    if (!PyUnicode_Check(key.ptr()))
      throw field_error(name, "{}: expected a name, not {}", py::str(key).cast<Text>(), Py_TYPE(key.ptr())->tp_name);
    const auto text = key.cast<Text>();
    const double number = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred()) {
      PyErr_Clear();
      throw field_error(name, "{}: expected a number of {}, not {}", text, unit, Py_TYPE(value.ptr())->tp_name);
    }
    out.emplace(text, number);
  }
  return out;
}

AskedLayout asked(const std::filesystem::path& def, const Texts& texts, const std::optional<std::vector<Text>>& nets,
                  const py::dict& power, const py::dict& power_by_cell,
                  const std::map<Text, std::filesystem::path>& sources, const py::dict& nominal) {
  const LayoutArguments arguments = arguments_of(texts);
  arguments.require_lef(def.string());
  AskedLayout layout;
  for (const auto& [net, volts] : numbers(nominal, "nominal", "volts"))
    add_nominal(layout.options.nominal_v, net, volts);
  layout.files = arguments.layout_files(def.string(), "", layout.options);
  if (nets && nets->empty()) throw field_error("net", "[]: names no net; leave it out for all of them");
  if (nets) layout.files.nets.assign(nets->begin(), nets->end());
  layout.files.instance_watts = numbers(power, "power", "watts");
  layout.files.cell_watts = numbers(power_by_cell, "power_by_cell", "watts");
  for (const auto& [net, path] : sources) layout.files.sources[net] = path.string();
  layout.ignores_opens = arguments.ignore_opens;
  layout.ignores_shorts = arguments.ignore_shorts;
  return layout;
}

DesignPtr read(const AskedLayout& layout, int threads) {
  const DesignPtr design = result_of([&] {
    const ThreadCount count(threads_given(threads));
    DesignOptions options = layout.options;
    auto circuit = std::make_shared<const Circuit>(read_layout_input(layout.files, options));
    auto made = make_design(std::move(circuit), options);
    layout.judge(made->findings());
    return shown(std::move(made));
  });
  for (const std::string& table : layout.files.tables()) note_table(design, table);
  note_layout(design, layout.files);
  return design;
}

py::list extract(const AskedLayout& layout, const std::filesystem::path& out, int digits, int threads) {
  if (digits < 1 || digits > layout::kAllDigits)
    throw field_error("digits", "{}: expected 1 to {}", digits, layout::kAllDigits);
  return shown(result_of([&] {
    const ThreadCount count(threads_given(threads));
    std::vector<Finding> findings;
    extract_deck(layout.files, digits, out, [&](std::vector<Finding> found) {
      layout.judge(found);
      findings = std::move(found);
    });
    return findings;
  }));
}

}  // namespace

std::optional<layout::LayoutFiles> layout_of(const std::shared_ptr<const Design>& design) {
  const std::lock_guard lock(guard);
  const auto found = layouts.find(design);
  return found == layouts.end() ? std::nullopt : std::optional(found->second);
}

const Command& layout_command() {
  static const Declaration<LayoutArguments> declared = [] {
    Declaration<LayoutArguments> command({.name = "read_layout"});
    add_layout(command);
    return command;
  }();
  return declared;
}

void bind_layout(py::module_& module) {
  py::class_<AskedLayout>(module, "_Layout")
      .def(py::init(&asked), "def"_a, "texts"_a, "nets"_a, "power"_a, "power_by_cell"_a, "sources"_a, "nominal"_a)
      .def("read", read, "threads"_a)
      .def("extract", extract, "out"_a, "digits"_a, "threads"_a);
}

}  // namespace gridiron::python
