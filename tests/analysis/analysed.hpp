// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

#include "analysis/run/ir_drop.hpp"
#include "netlist/reader.hpp"

namespace gridiron::test {

/// A run and the circuit it refers to.
struct Analysed {
  Circuit circuit;
  IrReport result;
  explicit Analysed(const std::string& deck, const IrOptions& options = {})
      : circuit(read_netlist_text(deck)), result(analyse_ir_drop(circuit, options)) {}
  double volts(const std::string& node) const { return result.nodes.voltage_v[circuit.nodes.find(node)]; }
  const NetResult& net(const std::string& name) const {
    for (const NetResult& n : result.nets)
      if (n.name == name) return n;
    throw std::runtime_error("no net " + name);
  }
  bool found(const std::string& code) const {
    return std::any_of(result.findings.begin(), result.findings.end(),
                       [&](const Finding& f) { return f.code == code; });
  }
  /// "place: message" of the first finding of a kind, or empty.
  std::string finding(const std::string& code) const {
    for (const Finding& f : result.findings)
      if (f.code == code) return f.place + ": " + f.message;
    return "";
  }
};

template <class E>
std::string failure(const std::string& deck, const IrOptions& options = {}) {
  try {
    const Analysed run(deck, options);
  } catch (const E& e) {
    return e.what();
  }
  return "no failure";
}

}  // namespace gridiron::test
