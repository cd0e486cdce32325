// SPDX-License-Identifier: Apache-2.0
#include "analysis/diff/diff_runs.hpp"

#include <fmt/format.h>

#include <iterator>

#include "python/bindings.hpp"
#include "python/declared.hpp"
#include "python/run.hpp"
#include "python/tables.hpp"
#include "python/views.hpp"
#include "reports/diff_report.hpp"
#include "reports/folder/run_files.hpp"
#include "reports/folder/run_folder.hpp"
#include "support/lists.hpp"

namespace gridiron::python {
namespace {

struct Difference {
  RunData before, after;
  RunDiff diff;
  std::vector<std::string> parts = {};  ///< files that were compared
};

/// A Report, or the path of what an earlier run has written.
RunData run_data(const py::object& run) {
  if (py::isinstance<IrReport>(run)) return run_of(run.cast<const IrReport&>());
  if (!py::isinstance<py::str>(run) && !py::isinstance<py::bytes>(run) && !py::hasattr(run, "__fspath__"))
    throw py::type_error(fmt::format("expected a Report or the path of a folder, not {}", Py_TYPE(run.ptr())->tp_name));
  return read_run(run.cast<std::filesystem::path>());
}

Difference diff(const py::object& before, const py::object& after, const std::vector<Text>& limits) {
  const std::vector<ChangeLimit> parsed = parse_change_limits(std::vector<std::string>(limits.begin(), limits.end()));
  Difference result{run_data(before), run_data(after), {}};
  for (const py::object* run : {&before, &after})
    append(result.parts, py::isinstance<IrReport>(*run) ? inputs_of(run->cast<const IrReport&>())
                                                        : parts_of_run(run->cast<std::filesystem::path>()));
  run({}, [&] { result.diff = diff_runs(result.before, result.after, parsed); });
  return result;
}

py::list write(const Difference& d, const std::filesystem::path& folder) {
  const Formats formats(std::begin(kDiffFormats), std::end(kDiffFormats));
  std::vector<std::filesystem::path> paths;
  run({}, [&] {
    RunFolder made(folder, {"diff", formats}, d.parts);
    paths = write_diff_reports(d.before, d.after, d.diff, made.path(), formats);
    made.finish();
  });
  return py::cast(paths);
}

}  // namespace

void bind_diff(py::module_& module) {
  py::class_<Difference>(module, "Difference",
                         "What changed from one run to another; differences within the certified bounds of the two are "
                         "no changes.")
      .def_property_readonly(
          "is_empty", [](const Difference& d) { return d.diff.is_empty(); },
          "Whether no net, layer, hot spot or node has changed.")
      .def_property_readonly("limit_exceeded", [](const Difference& d) { return d.diff.limit_exceeded(); })
      .def_property_readonly(
          "change_v", [](py::object self) { return view(self, self.cast<const Difference&>().diff.change_v); },
          "Change of the drop of each of `names`, V: float64, read-only; NaN where the first run does not have it.")
      .def_property_readonly(
          "names",
          [](const Difference& d) { return texts(d.after.names.size(), [&](int32_t n) { return d.after.names[n]; }); },
          "The nodes of the second run that have a drop.")
      .def(
          "text", [](const Difference& d) { return Text(diff_text(d.before, d.after, d.diff)); },
          "As `gridiron diff` prints it.")
      .def(
          "to_dict",
          [](const Difference& d) {
            return py::module_::import("json").attr("loads")(diff_json(d.before, d.after, d.diff));
          },
          "In the form of diff.json.")
      .def("write", write, "folder"_a, "Writes diff.txt, diff.json, maps and diff.html, and returns the paths.");
  module.def(
      "diff", diff, "before"_a, "after"_a, py::kw_only(), "limits"_a = std::vector<Text>(),
      ("Compares two runs; nodes, nets and layers are matched by name, hot spots by place.\n\n"
       "before, after: a Report each, or a folder that `gridiron ir --out`, `gridiron tran --out` or write() wrote.\n" +
       described("diff_runs", {"limit"}))
          .c_str());
}

}  // namespace gridiron::python
