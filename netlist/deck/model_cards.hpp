// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "netlist/values/parameters.hpp"
#include "netlist/values/scope.hpp"

namespace gridiron {

/// E, F, G, H and K cards on their way into a circuit. Internal to netlist/.
class ModelCards {
 public:
  explicit ModelCards(const std::vector<File>& files) : files_(files) {}

  /// Those of a scope that is instantiated as `path`, for `count` equal ones. Errors: InputError.
  void add(const Scope& scope, Parameters& parameters, const std::string& path, double count,
           const std::function<NodeId(ast::Text)>& node_id);

  /// Adds them to a circuit that has all other elements: what they refer to is looked up, and sources that are constant
  /// or a conductance become these. Errors: InputError.
  void finish(Circuit& circuit) &&;

 private:
  /// One whose sources, if currents control it, are not looked up yet.
  struct Pending {
    ControlledSource source;
    std::vector<ast::Text> wanted;  ///< per control
  };
  struct PendingCoupling {
    const ast::Coupling* card;
    Origin where;
    std::string path;
    double k;
  };
  class Names;
  Pending pending(const ast::Controlled& card, Origin where, const std::string& path, Parameters& parameters,
                  double count, const std::function<NodeId(ast::Text)>& node_id) const;
  void couple(const PendingCoupling& pending, Names& inductors, Circuit& circuit) const;

  const std::vector<File>& files_;
  std::vector<Pending> sources_;
  std::vector<PendingCoupling> couplings_;
};

}  // namespace gridiron
