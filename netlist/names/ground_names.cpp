// SPDX-License-Identifier: Apache-2.0
#include "netlist/names/ground_names.hpp"

#include <algorithm>
#include <vector>

namespace gridiron {

std::set<const ParsedChunk*> merge_ground_names(Deck& deck) {
  std::set<const ParsedChunk*> renamed;
  if (deck.language != Dialect::hspice || deck.mentions) return renamed;
  for (File& file : deck.files)
    for (ParsedChunk& chunk : file.chunks)
      for (const ast::Text ground : kGroundsOfHspice) {
        const NodeId named = chunk.names.find(ground);
        if (named < 0) continue;
        const NodeId zero = chunk.names.intern("0");
        renamed.insert(&chunk);
        for (ChunkElements& e : chunk.elements)
          for (std::vector<NodeId>* column : {&e.a, &e.b}) std::ranges::replace(*column, named, zero);
      }
  return renamed;
}

}  // namespace gridiron
