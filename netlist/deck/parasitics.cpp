// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/parasitics.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gridiron {
namespace {

void add_element(Kind kind, NodeId a, NodeId b, double value, Origin origin, const std::string& path,
                 Circuit& circuit) {
  Elements& to = circuit.elements(kind);
  auto& marks = circuit.instances[kind];
  const bool is_marked = marks.empty() ? path.empty() : marks.back().path == path;
  if (!is_marked) marks.push_back({to.size(), path});
  to.a.push_back(a);
  to.b.push_back(b);
  to.value.push_back(value);
  to.origin.push_back(origin);
}

}  // namespace

Parasitics evaluate_parasitics(const SourceForm& form, Parameters& parameters, const File& file, uint64_t offset) {
  Parasitics values;
  for (const ast::Setting& setting : form.parasitics) {
    const bool is_series = same_name(setting.key, "rser");
    (is_series ? values.rser : values.cpar) =
        parameters.evaluate(setting.values[0], is_series ? Quantity::resistance : Quantity::capacitance, file, offset);
  }
  require_possible(values, file, offset);
  return values;
}

void add_parasitics(const std::vector<ParasiticElement>& elements, const std::string& path, Circuit& circuit) {
  for (const auto& [kind, element, values] : elements) {
    const NodeId a = circuit.elements(kind).a[element], b = circuit.elements(kind).b[element];
    const Origin origin = circuit.elements(kind).origin[element];
    if (values.rser > 0) {
      const NodeId between = circuit.nodes.intern(fmt::format("{}{}.rser", path, circuit.card_name(origin)));
      add_element(kResistor, a, between, values.rser, origin, path, circuit);
      circuit.elements(kind).a[element] = between;
    }
    if (!std::isnan(values.rpar)) add_element(kResistor, a, b, values.rpar, origin, path, circuit);
    if (values.cpar > 0) add_element(kCapacitor, a, b, values.cpar, origin, path, circuit);
  }
}

}  // namespace gridiron
