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

#include "analysis/ir/grid.hpp"
#include "analysis/ir/nets.hpp"
#include "netlist/circuit.hpp"
#include "netlist/node_place.hpp"

namespace gridiron {

struct DesignOptions {
  std::map<std::string, double> nominal_v;  ///< nominal voltages of nets, V, instead of those that the deck implies
  std::optional<double> dbu_per_um;         ///< database units per µm in node names
};

/// What a circuit is as a power grid: where its nodes are, what ties and resistors join, the supply nets, and what is
/// wrong with it. Immutable and shared.
struct Design {
  std::shared_ptr<const Circuit> circuit;
  DesignOptions options;
  NodePlaces places;
  std::shared_ptr<const Topology> topology;
  Nets nets;
  std::vector<Finding> findings;

  bool has_errors() const;
  /// Errors: InputError for bad values, GridError for what cannot be analysed; none when all findings are harmless.
  void throw_first_error() const;

  /// −1 when the netlist has no such node.
  NodeId find_node(std::string_view name) const;
  /// Index of the first element of a kind with this name, −1 when there is none.
  std::int64_t find_element(Kind kind, std::string_view name) const;

 private:
  struct Index {
    std::once_flag made;
    NameTable names;
    std::vector<std::int64_t> element;  ///< by id of its name
  };
  mutable std::once_flag nodes_indexed_;
  mutable std::array<Index, kKinds> elements_;
};

/// After a finding about values (has_errors()) nothing beyond the findings is filled in. Errors: InputError when
/// `options` name a net that does not exist.
std::shared_ptr<const Design> make_design(std::shared_ptr<const Circuit> circuit, const DesignOptions& options = {});

/// The same for a circuit that somebody else keeps alive as long as the design.
std::shared_ptr<const Design> make_design(const Circuit& circuit, const DesignOptions& options = {});

}  // namespace gridiron
