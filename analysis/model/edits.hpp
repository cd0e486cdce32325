// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "analysis/model/design.hpp"
#include "analysis/model/topology.hpp"

namespace gridiron {

/// Changes of a system that leave its nodes what they are. Elements and nodes go by their names in the netlist.
struct SetResistor {
  std::string resistor;
  double ohm = 0;  ///< finite, above 0
};
struct ScaleResistor {
  std::string resistor;
  double factor = 1;  ///< finite, above 0
};
/// Several resistors at once, by their index in Circuit::resistors, whatever their names.
struct ScaleResistors {
  std::vector<int64_t> resistors;
  double factor = 1;  ///< finite, above 0
};
struct AddPad {
  std::string node;
  double volts = 0, ohm = 0;  ///< ohm: between the potential and the node, above 0
  std::string name = {};      ///< for reports and DropPad, unlike that of any other pad; empty: "added at NODE"
};
struct DropPad {
  std::string pad;  ///< a voltage source of the netlist with one end at ground, or an added pad
};
using Edit = std::variant<SetResistor, ScaleResistor, ScaleResistors, AddPad, DropPad>;

/// "sets r1 to 0.5 ohm".
std::string described(const Edit& edit);

/// The topology that the edits make of `before`, applied in order. Errors: InputError for unknown or ambiguous names
/// and values out of range, GridError when loads of the deck would float.
Topology edited(const Design& design, const Topology& before, std::span<const Edit> edits);

}  // namespace gridiron
