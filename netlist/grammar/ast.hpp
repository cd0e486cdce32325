// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

/// The contents of one card, before any look-up. Texts refer to the source.
namespace gridiron::ast {

using Text = std::string_view;

/// A number, whose suffix and unit wait for what they measure, or the text of an {expression} to be evaluated once all
/// parameters are known.
struct Value {
  double number = 0;
  Text expression;  ///< empty for a plain number
  Text letters;     ///< behind the digits of `number`, see quantity.hpp
};

struct Assignment {
  Text name;
  Value value;
};

/// A keyword and its numbers: `TC=4m,1u`, `AC 1 90`, `PULSE(0 1m 0 1n 1n 5n 10n)`.
struct Setting {
  Text key;
  std::vector<Value> values;
};

/// The model of an element, behind a third node if there are two names; the value may stand behind it. A single name
/// may be that of a third node, too.
struct ModelUse {
  Text name, second;
  std::optional<Value> value;
};

/// R, C and L: `name a b [value] [[node] model [value]] [name=value…]`.
struct Passive {
  Text name, a, b;
  std::optional<Value> value;
  std::optional<ModelUse> model;
  std::vector<Setting> settings;
};

/// V and I: `name a b [[DC] value] [AC … | DC value | M=value | PULSE(…) | PWL(…) | SIN(…) | EXP(…)]…`. What stands
/// with the points of a PWL, in its parentheses or behind, are settings that follow it: `r`, `td`, `pwl_period`,
/// `pwl_delay`, and `pwlfile` or `file`, whose value has the name as its expression.
struct Source {
  Text name, a, b;
  std::optional<Value> dc;
  std::vector<Setting> settings;
};

/// E, F, G and H: `name a b c d gain`, `name a b vname gain`, `… POLY(1) control p0 p1 …`, `name a b VALUE={constant}`.
struct Controlled {
  Text name, a, b;
  size_t inputs = 0;                ///< controls; none where it is constant
  std::vector<Text> controls;       ///< two nodes, or a voltage source, each
  std::vector<Value> coefficients;  ///< the constant, one for each control, and those of higher powers; at least one
  std::optional<Value> multiplier = {};
};

/// `name inductor inductor … coefficient`
struct Coupling {
  Text name;
  std::vector<Text> inductors;
  Value coefficient;
};

enum class Shape { none, pulse, pwl, sin, exp };

/// `.model name type (name=value…)`; parameters of R models only.
struct Model {
  Text name, type;
  std::vector<Assignment> parameters;
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

/// `.tran stop` or `.tran step stop [start [largest step]]`, and words behind: `uic`, `startup`, others
struct Tran {
  std::vector<Value> times;
  bool uic = false, startup = false;
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
