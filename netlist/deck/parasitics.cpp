// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/parasitics.hpp"

#include <cmath>
#include <string_view>
#include <utility>

namespace gridiron {
namespace {

/// `name` is given as that of the instance that the element is of, as there is no name at its origin, which lies behind
/// that of the card.
void add_element(Kind kind, NodeId a, NodeId b, double value, Origin origin, std::string name, Circuit& circuit) {
  Elements& to = circuit.elements(kind);
  circuit.instances[kind].push_back({to.size(), std::move(name)});
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
    const Origin card = circuit.elements(kind).origin[element];
    const std::string_view own_name = circuit.card_name(card);
    const Origin behind_name{card.file, card.offset + own_name.size()};
    const std::string name = path + std::string(own_name);
    if (values.rser > 0) {
      const NodeId between = circuit.nodes.intern(name + ".rser");
      // At node 0 it would part a source from the reference that drops are counted from.
      const bool is_at_first = a != kGround;
      add_element(kResistor, is_at_first ? a : b, between, values.rser, behind_name, name + ".rser", circuit);
      (is_at_first ? circuit.elements(kind).a : circuit.elements(kind).b)[element] = between;
    }
    if (!std::isnan(values.rpar)) add_element(kResistor, a, b, values.rpar, behind_name, name + ".rpar", circuit);
    if (values.cpar > 0) add_element(kCapacitor, a, b, values.cpar, behind_name, name + ".cpar", circuit);
  }
}

}  // namespace gridiron
