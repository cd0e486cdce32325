// SPDX-License-Identifier: Apache-2.0
// Rules of electromigration, and what segments are to them.
#include "python/em.hpp"

#include <fmt/format.h>

#include "analysis/results/em/judge_em.hpp"
#include "analysis/results/segments.hpp"
#include "app/session/em_arguments.hpp"
#include "python/fields.hpp"
#include "python/run.hpp"
#include "python/views.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::python {
namespace {

EmSettings em_rules(const std::filesystem::path& rules, const std::optional<std::filesystem::path>& layers,
                    const std::string& cut_unit, std::optional<double> temperature_c,
                    std::optional<double> rule_temperature_c, std::optional<double> frequency_hz,
                    std::optional<double> ea_ev, std::optional<double> n, double recovery) {
  EmArguments arguments;
  arguments.em_rules = rules.string();
  if (layers) arguments.em_widths = layers->string();
  arguments.em_cut_unit = cut_unit;
  arguments.em_temperature = temperature_c;
  arguments.em_rule_temperature = rule_temperature_c;
  arguments.em_frequency = frequency_hz;
  arguments.em_ea = ea_ev;
  arguments.em_n = n;
  arguments.em_recovery = recovery;
  std::vector<LimitRequest> none;
  std::optional<EmSettings> settings = em_settings(arguments, none);
  read_em_tables(arguments, settings);
  return *settings;
}

/// Segments that have a ratio, the largest first.
py::dict em_segments(const IrReport& report) {
  py::dict columns;
  if (!report.em) return columns;
  const std::vector<int64_t> resistors = em_worst_first(report, *report.em);
  const auto count = std::ssize(resistors);
  std::vector<EmRow> rows(resistors.size());
  parallel_each(count, [&](int64_t k) { rows[k] = em_row(report, *report.em, resistors[k]); });
  const auto add = [&](const char* name, auto value) {
    NewBlock column(count, 1, true);
    for (int64_t k = 0; k < count; ++k) column.block.data[k] = value(k);
    columns[name] = column.array;
  };
  add("resistor", [&](int64_t k) { return static_cast<double>(resistors[k]); });
  columns["resistor"] = columns["resistor"].attr("astype")("int64");
  add("width_um", [&](int64_t k) { return rows[k].width_um; });
  add("cuts", [&](int64_t k) { return rows[k].cuts; });
  add("average_a", [&](int64_t k) { return rows[k].average_a; });
  add("rms_a", [&](int64_t k) { return rows[k].rms_a; });
  add("peak_a", [&](int64_t k) { return rows[k].peak_a; });
  add("limit", [&](int64_t k) { return rows[k].limit; });
  add("value", [&](int64_t k) { return rows[k].value; });
  add("ratio", [&](int64_t k) { return rows[k].ratio; });
  columns["rule"] = texts(count, [&](int64_t k) { return report.em->rules[rows[k].rule].name; });
  columns["verdict"] = texts(count, [&](int64_t k) { return std::string(name_of(report.em->verdict[resistors[k]])); });
  return columns;
}

}  // namespace

void bind_em_rules(py::module_& module) {
  py::class_<EmSettings>(module, "EmRules",
                         "Rules of electromigration: 'lef', those of a layout's LEF files, or the path of a CSV file, "
                         "and what they are for (docs/em_rules.md).")
      .def(py::init(&em_rules), "rules"_a, py::kw_only(), "layers"_a = py::none(), "cut_unit"_a = "",
           "temperature_c"_a = py::none(), "rule_temperature_c"_a = py::none(), "frequency_hz"_a = py::none(),
           "ea_ev"_a = py::none(), "n"_a = py::none(), "recovery"_a = 0.0,
           "layers: path of a table layer,width_um,thickness_um. cut_unit: 'per-cut' or 'per-um2', of LEF's cut "
           "layers. rule_temperature_c, ea_ev (0.9), n (2): with temperature_c. recovery: of simulations. Ranges are "
           "those of the options; errors: InputError.")
      .def("__repr__", [](const EmSettings& settings) {
        return settings.of_layout ? std::string("<gridiron.EmRules: those of the layout>")
                                  : fmt::format("<gridiron.EmRules: {} rules>", settings.rules.size());
      });
}

void bind_em(py::class_<IrReport, std::shared_ptr<IrReport>>& report) {
  report
      .def_property_readonly(
          "em", [](const IrReport& r) -> py::object { return r.em ? shown_value(r, *r.em) : py::object(py::none()); },
          ("None without rules of electromigration, or " + keys_of<EmReport>() + ".").c_str())
      .def_property_readonly("em_segments", em_segments,
                             "Columns of the segments under rules, the largest ratio first: {'resistor' (index), "
                             "'width_um', 'cuts', 'average_a', 'rms_a', 'peak_a', 'rule', 'limit', 'value' (both A by "
                             "the rule's unit), 'ratio', 'verdict'}.");
}

}  // namespace gridiron::python
