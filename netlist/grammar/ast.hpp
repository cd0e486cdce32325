// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

/// The contents of one card, before any look-up. Texts refer to the source.
namespace gridiron::ast {

using Text = std::string_view;

/// A number, or the text of an {expression} to be evaluated once all parameters are known.
struct Value {
  double number = 0;
  Text expression;  ///< empty for a plain number
};

/// R, C and L: `name a b value`.
struct Passive {
  Text name, a, b;
  Value value;
};

enum class Shape { none, pulse, pwl, sin, exp };

/// V and I: `name a b [DC] value [PULSE(…) | PWL(…) | SIN(…) | EXP(…)]`.
struct Source {
  Text name, a, b;
  std::optional<Value> dc;
  Shape shape = Shape::none;
  std::vector<Value> arguments;
};

struct Assignment {
  Text name;
  Value value;
};

/// `name nodes… subcircuit [name=value…]`; `words` holds nodes and, last, the subcircuit.
struct Instance {
  Text name;
  std::vector<Text> words;
  std::vector<Assignment> parameters;
};

/// `.subckt name ports… [name=value…]`
struct Subcircuit {
  Text name;
  std::vector<Text> ports;
  std::vector<Assignment> parameters;
};

/// `.include file`, `.lib file section`, and `.lib section` (file empty) that opens a section.
struct Include {
  Text file, section;
};

/// `* layer: M5,VDD net: 1`
struct LayerComment {
  Text layer, net;
  int number = 0;
};

/// `* Netlist for VSS on default`
struct NetComment {
  Text net, corner;
};

/// `* nominal: VDD 1.1`
struct NominalComment {
  Text net;
  double volts = 0;
};

}  // namespace gridiron::ast
