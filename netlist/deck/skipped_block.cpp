// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/skipped_block.hpp"

#include <algorithm>

#include "netlist/grammar/primitives.hpp"
#include "netlist/names/name_table.hpp"

namespace gridiron {

const char* skip_block(const char* at, const char* end, SkippedBlock& block) {
  const Directive& directive = *block.directive;
  for (; at != end; ++at) {
    while (at != end && grammar::is_blank(*at)) ++at;
    const ast::Text word = at == end ? ast::Text() : grammar::first_word(at, end);
    if (same_name(word, directive.word) && block.depth == 0) ++block.depth;
    const bool ends = same_name(word, directive.block_end) && --block.depth == 0;
    if (ends) block = {};
    if (ends && directive.block_end == ".end") return at;
    at = std::find(at, end, '\n');
    if (ends || at == end) return at;
  }
  return at;
}

}  // namespace gridiron
