// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/model/design.hpp"
#include "analysis/results/em/em_settings.hpp"
#include "analysis/results/em_limits.hpp"
#include "analysis/results/limits.hpp"

namespace gridiron {

/// Looks up what a run is asked for by name as soon as the netlist has been read: a typing error must not cost a solve.
/// What only voltages tell is left to those who need it: to which of several supplies that resistors join a node
/// belongs. Errors of all: InputError.
class AskedNames {
 public:
  /// `topology` is the design's, or an edited one of it. `net` alone is reported; empty: all are.
  AskedNames(const Design& design, const Topology& topology, const std::string& net = {});

  /// Nets, layers and supplies of limits on drops.
  void require(const std::vector<LimitRequest>& limits) const;

  /// A layer that an option of this name gives; empty: none.
  void require_layer(const std::string& name, std::string_view option) const;

  /// Layers of limits on currents, which an option of this name gives.
  void require(const std::vector<EmLimit>& limits, std::string_view option = "em_limit") const;

  /// Layers of rules of electromigration, and what these are for.
  void require(const std::optional<EmSettings>& settings) const;

  /// Nodes that have a path to a source, and are on the net that was asked for. `other`: a word that may stand there
  /// instead of a node, and what it means.
  struct Word {
    std::string_view word = {}, meaning = {};
  };
  void require_nodes(const std::vector<std::string>& names, std::string_view option, const Word& other) const;
  void require_nodes(const std::vector<std::string>& names, std::string_view option) const {
    require_nodes(names, option, {});
  }

  /// Whether a node may be on the net that was asked for; only voltages tell where several supplies feed its part.
  bool may_be_reported(NodeId node) const { return may_be_on(topology_.parts.part[node], kept_); }

  /// What segments may be on, which includes all that segments_by_layer() finds.
  std::vector<LayerPair> layers_of_segments() const;

 private:
  static constexpr int32_t kAllNets = -1;
  int32_t find_net(const std::string& name) const;
  bool may_be_on(int32_t part, int32_t net) const;
  void require_layer(const LimitRequest& limit, int32_t net) const;

  const Design& design_;
  const Topology& topology_;
  std::string net_;
  int32_t kept_ = kAllNets;
};

/// What node_to_explain() takes instead of a node.
inline constexpr AskedNames::Word kWorstNode = {"worst", "the one with the largest drop"};

}  // namespace gridiron
