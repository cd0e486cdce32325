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

const char* CommentReader::read(const char* at, const char* end, uint64_t offset) {
  const char* words = at + 1;
  while (words != end && grammar::is_blank(*words)) ++words;
  if (words == end) return at;
  const auto note_if_odd = [&](std::string_view keyword) {
    const size_t length = std::min(keyword.size(), static_cast<size_t>(end - words));
    if (same_name({words, length}, keyword)) chunk_.odd_comments.push_back(offset);
  };
  switch (lower(*words)) {
    case '|':
      if (words == at + 1) return read_of_dspf(at, end, offset);
      break;
    case 'l':
      if (ast::LayerComment c; grammar::parse_layer_comment(at, end, c))
        chunk_.layer_cards.push_back({c.number, std::string(c.layer), std::string(c.net), {0, offset}});
      else if (is_layer_map({words, static_cast<size_t>(end - words)}))
        note_layer_map(offset);
      else
        note_if_odd("layer:");
      break;
    case 'n':
      if (ast::NominalComment c; grammar::parse_nominal_comment(at, end, c))
        chunk_.nominal_cards.push_back({std::string(c.net), c.volts, {0, offset}});
      else if (ast::NetComment n; grammar::parse_net_comment(at, end, n))
        chunk_.net_cards.emplace_back(n.net, offset);
      else
        note_if_odd("nominal:");
      break;
    case 'd':
      if (double dbu = 0; grammar::parse_dbu_comment(at, end, dbu) && dbu > 0 && std::isfinite(dbu))
        chunk_.dbu_cards.emplace_back(dbu, offset);
      else
        note_if_odd("dbu:");
      break;
    default:
      break;
  }
  return at;
}

const char* CommentReader::read_of_dspf(const char* at, const char* end, uint64_t offset) {
  constexpr ptrdiff_t kBytesPerComment = 32;  // of one that tells a place, about
  if (chunk_.dspf_comments.empty()) {         // reserves address space: only pages in use take memory
    chunk_.dspf_comments.reserve((end - at) / kBytesPerComment);
    if (reads_nodes_) chunk_.notes.nodes.reserve((end - at) / kBytesPerComment);
  }
  DspfComment::Node node;
  if (const char* const plain_end = read_plain_place(at, end, node)) {
    chunk_.dspf_comments.push_back(offset);
    if (reads_nodes_) chunk_.notes.add(node, at - offset);
    return plain_end;
  }
  const char* const line_end = read_dspf_comment(at, end, comment_);
  if (comment_.kind == DspfComment::Kind::none && begins_layer_map(at, line_end)) {
    note_layer_map(offset);
    return line_end;
  }
  chunk_.dspf_comments.push_back(offset);
  if (comment_.kind == DspfComment::Kind::malformed) chunk_.notes.malformed.push_back(offset);
  if (reads_nodes_ && !comment_.nodes.empty()) chunk_.notes.add(comment_, at - offset);
  return line_end;
}

void CommentReader::note_layer_map(uint64_t offset) {
  chunk_.dspf_comments.push_back(offset);
  chunk_.notes.layer_maps.push_back(offset);
}

}  // namespace gridiron
