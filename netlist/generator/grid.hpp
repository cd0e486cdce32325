// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "netlist/generator.hpp"
#include "netlist/generator/deck_writer.hpp"
#include "netlist/generator/mesh.hpp"

namespace gridiron::generator {

/// A planned grid: everything is decided, but only track positions are stored.
class Grid {
 public:
  virtual ~Grid() = default;

  /// Number of named nodes without extra ones, and of wires that can take extra nodes.
  virtual MeshSize size() const = 0;

  /// Writes the deck, or what `deck` takes of it, with `extra_nodes` additional nodes spread over the wires of the
  /// lowest layer.
  virtual void write(DeckWriter& deck, int64_t extra_nodes) const = 0;
};

/// One row of the table of styles.
struct Style {
  std::string_view name;
  int fewest_layers, most_layers, usual_layers;
  int usual_nets, most_nets;
  std::unique_ptr<Grid> (*make)(const GeneratorOptions&, int64_t side);  ///< the number of nodes grows with side²
  int64_t (*smallest_side)(const GeneratorOptions&);                     ///< smallest side that make() accepts
};

std::unique_ptr<Grid> make_ibm_grid(const GeneratorOptions& options, int64_t side);
int64_t smallest_ibm_side(const GeneratorOptions& options);
std::unique_ptr<Grid> make_openroad_grid(const GeneratorOptions& options, int64_t side);
int64_t smallest_openroad_side(const GeneratorOptions& options);

}  // namespace gridiron::generator