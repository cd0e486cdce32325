// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/comment_reader.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "netlist/extracted/layer_map.hpp"
#include "netlist/grammar/card.hpp"
#include "netlist/grammar/primitives.hpp"
#include "netlist/names/lower_case.hpp"

namespace gridiron {

void read_comment(const char* at, const char* end, uint64_t offset, ParsedChunk& chunk) {
  const char* words = at + 1;
  while (words != end && grammar::is_blank(*words)) ++words;
  if (words == end) return;
  const auto note_if_odd = [&](std::string_view keyword) {
    const size_t length = std::min(keyword.size(), static_cast<size_t>(end - words));
    if (same_name({words, length}, keyword)) chunk.odd_comments.push_back(offset);
  };
  switch (lower(*words)) {
    case '|':
      if (words == at + 1) chunk.dspf_comments.push_back(offset);
      break;
    case 'l':
      if (ast::LayerComment c; grammar::parse_layer_comment(at, end, c))
        chunk.layer_cards.push_back({c.number, std::string(c.layer), std::string(c.net), {0, offset}});
      else if (is_layer_map({words, static_cast<size_t>(end - words)}))
        chunk.dspf_comments.push_back(offset);
      else
        note_if_odd("layer:");
      break;
    case 'n':
      if (ast::NominalComment c; grammar::parse_nominal_comment(at, end, c))
        chunk.nominal_cards.push_back({std::string(c.net), c.volts, {0, offset}});
      else if (ast::NetComment n; grammar::parse_net_comment(at, end, n))
        chunk.net_cards.emplace_back(n.net, offset);
      else
        note_if_odd("nominal:");
      break;
    case 'd':
      if (double dbu = 0; grammar::parse_dbu_comment(at, end, dbu) && dbu > 0 && std::isfinite(dbu))
        chunk.dbu_cards.emplace_back(dbu, offset);
      else
        note_if_odd("dbu:");
      break;
    default:
      break;
  }
}

}  // namespace gridiron
