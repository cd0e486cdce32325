// SPDX-License-Identifier: Apache-2.0
// What python/gridiron/_shown.py makes reprs and HTML of.
#include <algorithm>
#include <vector>

#include "python/bindings.hpp"
#include "python/run.hpp"
#include "reports/pictures/heat_map.hpp"
#include "reports/pictures/picture.hpp"
#include "reports/text/brief_parts.hpp"

namespace gridiron::python {
namespace {

/// "EXCEEDED: 1 of 2 limits".
Text verdict(const IrReport& report) {
  std::string line = verdict_line(report);
  line.erase(0, line.find_first_not_of(' ', line.find(' ')));
  line.erase(line.find_last_not_of('\n') + 1);
  return Text(line);
}

/// The map of all layers of a net, a PNG; None where its nodes have no places.
py::object map_of_net(const IrReport& report, int32_t net) {
  const std::string png = result_of([&] {
    const std::vector<HeatMap> maps = heat_maps(report);
    const auto found =
        std::ranges::find_if(maps, [&](const HeatMap& map) { return map.net == net && !map.layer.has_value(); });
    return found == maps.end() ? std::string() : map_picture(report, *found);
  });
  return png.empty() ? py::object(py::none()) : py::bytes(png);
}

}  // namespace

void bind_display(py::class_<IrReport, std::shared_ptr<IrReport>>& report) {
  report.def("_verdict", verdict)
      .def("_map_png", map_of_net, "net"_a)
      .def(
          "_node_name", [](const IrReport& r, NodeId node) { return Text(r.node_name(node).view()); }, "node"_a)
      .def_property_readonly("_path", [](const IrReport& r) { return Text(r.input_path); });
}

}  // namespace gridiron::python
