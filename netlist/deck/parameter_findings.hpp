// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "netlist/values/parameters.hpp"
#include "netlist/values/scope.hpp"

namespace gridiron {

/// Parameters that nothing uses, and those that instances give to subcircuits that do not declare them. Internal to
/// netlist/.
class ParameterFindings {
 public:
  /// Looks for parameters of a scope that nothing uses and that have no value. Their cards are no part of the circuit,
  /// which the ledger says. To be called last, when all else of the scope is known; a scope is looked at once.
  void look_at(const Scope& scope, Parameters& parameters, Ledger& ledger);

  /// Looks at what an instance gives to `subcircuit`, whose parameters these are; `outer`: those around the instance.
  void look_at(const Use& use, const Scope& subcircuit, Parameters& parameters, Parameters& outer, const File& file);

  void add_to(Circuit& circuit) const;

 private:
  struct Undeclared {
    std::string place;
    bool is_used, hides_another;  ///< another parameter of that name, which ngspice takes instead
  };
  void look_at_scopes(const Use& use, const Scope& subcircuit, Parameters& parameters, Parameters& outer,
                      const File& file);

  std::map<std::pair<std::string, std::string>, Undeclared> undeclared_;   ///< by subcircuit and name
  std::map<std::pair<std::string, std::string>, std::string> two_scopes_;  ///< likewise: the place
  std::set<std::pair<const File*, uint64_t>> uses_;                        ///< whose expressions were looked at
  std::set<const Scope*> searched_;
  std::vector<Parameters::Fault> faults_;  ///< of all scopes
};

}  // namespace gridiron
