// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/deck/written_nodes.hpp"

#include <string_view>

namespace gridiron {

WrittenNodes::WrittenNodes(const Circuit& circuit) {
  if (circuit.made_names) return;
  const Elements& r = circuit.resistors;
  for (const Circuit::InstanceMark& mark : circuit.instances[kResistor]) {
    // Whoever made such a resistor gave it its name as that of an instance, and there is none at its origin.
    const std::string_view path = mark.path;
    if (!path.ends_with(".rser") && !path.starts_with("rpad.")) continue;
    if (circuit.card_name(r.origin[mark.first]).empty()) before_.emplace(r.b[mark.first], r.a[mark.first]);
  }
}

}  // namespace gridiron
