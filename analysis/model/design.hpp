// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/model/topology.hpp"
#include "netlist/circuit.hpp"
#include "netlist/names/node_place.hpp"

namespace gridiron {

struct DesignOptions {
  std::map<std::string, double> nominal_v;  ///< nominal voltages of nets, V, overriding those that the deck implies
  std::optional<double> dbu_per_um;         ///< database units per µm in node names
  std::string node_pattern;                 ///< what node names mean (NodePattern); empty: what conventions say
  IslandRule islands = {};
};

/// A circuit seen as a power grid: node locations, what ties and resistors connect, the supply nets, and findings.
/// Immutable and shared.
struct Design {
  std::shared_ptr<const Circuit> circuit;  ///< without the loads of islands that are left out,
  std::shared_ptr<const Circuit> as_read;  ///< and with them
  DesignOptions options;
  NodePlaces places;
  std::shared_ptr<const Topology> topology;
  std::vector<Finding> card_findings;  ///< of values and geometry; the rest belongs to the topology

  std::vector<Finding> findings() const;
  /// Those of the design with an edited topology.
  std::vector<Finding> findings(const Topology& edited) const;
  bool has_errors() const;
  /// Errors: InputError for invalid values, GridError for grids that cannot be analysed; none if no finding is an
  /// error.
  void throw_first_error() const;

  /// −1 if the netlist has no such node.
  NodeId find_node(std::string_view name) const;
  /// Index of the element of a kind with this name, −1 when there is none. Errors: InputError when there are several.
  int64_t find_element(Kind kind, std::string_view name) const;

 private:
  struct Index {
    std::once_flag made;
    NameTable names;
    std::vector<int64_t> element;         ///< by id of its name: the first one
    std::map<int32_t, int64_t> repeated;  ///< by id of its name: the second one, where there is one
  };
  mutable std::array<Index, kKinds> elements_;
};

/// After a finding about values (has_errors()) there is no topology. Errors: InputError when
/// `options` name a net that does not exist.
std::shared_ptr<const Design> make_design(std::shared_ptr<const Circuit> circuit, const DesignOptions& options = {},
                                          Matrices allowed = Matrices::m_matrix);

/// The same for a circuit that the caller keeps alive as long as the design.
std::shared_ptr<const Design> make_design(const Circuit& circuit, const DesignOptions& options = {},
                                          Matrices allowed = Matrices::m_matrix);

}  // namespace gridiron
