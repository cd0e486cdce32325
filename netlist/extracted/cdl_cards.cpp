// SPDX-License-Identifier: Apache-2.0
// Cards of CDL, which are comments to all other programs.
#include "netlist/extracted/cdl_cards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "netlist/grammar/card.hpp"
#include "netlist/grammar/primitives.hpp"
#include "netlist/values/spice_number.hpp"

namespace gridiron {
namespace {

/// `VDD!` of `VDD!:P`; empty for all others.
ast::Text without_supply_kind(ast::Text node) {
  const size_t n = node.size();
  const bool has_kind = n > 2 && node[n - 2] == ':' && (node[n - 1] | 0x20) >= 'a' && (node[n - 1] | 0x20) <= 'z';
  return has_kind ? node.substr(0, n - 2) : ast::Text();
}

/// Moves `at` from a newline behind the `*+` that begins the next line.
bool continues_as_comment(const char*& at, const char* end) {
  if (end - at < 3 || at[1] != '*' || at[2] != '+') return false;
  at += 3;
  return true;
}

/// Where `line` has a number with an M for its suffix; npos if nowhere.
size_t number_with_m(std::string_view line) {
  const std::string_view before = " \t=,('{\"+-*/<>?:";
  const char* const end = line.data() + line.size();
  for (size_t i = 1; i < line.size(); ++i) {
    const bool begins_number = (line[i] >= '0' && line[i] <= '9') || line[i] == '.';
    if (line[i] == ';' || (line[i] == '$' && grammar::is_blank(line[i - 1]))) break;
    if (!begins_number || before.find(line[i - 1]) == before.npos) continue;
    double digits = 0;
    const char* const letters = parse_decimal(line.data() + i, end, digits);
    if (!letters || letters == end || (*letters | 0x20) != 'm') continue;
    const std::string_view rest(letters, static_cast<size_t>(std::min<ptrdiff_t>(3, end - letters)));
    if (!same_name(rest, "meg") && !same_name(rest, "mil")) return i;
  }
  return line.npos;
}

void require_no_m(const File& file, const std::string& mega) {
  const std::string_view text = file.text->text();
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const size_t first = std::min(text.find_first_not_of(" \t", at), end);
    if (first < end && text[first] != '*')
      if (const size_t found = number_with_m(text.substr(first, end - first)); found != text.npos)
        file.fail(first + found,
                  fmt::format("M behind a number is mega to CDL, as {} has *.MEGA, and milli here; write "
                              "MEG or an exponent, and remove *.MEGA",
                              mega));
    at = end + 1;
  }
}

}  // namespace

std::vector<ast::Text> cdl_global_nodes(const char*& at, const char* end) {
  std::vector<ast::Text> nodes;
  grammar::x3::unused_type unused;
  while (at != end && grammar::is_word_char(*at)) ++at;  // *.GLOBAL
  for (;;) {
    grammar::between_tokens().parse(at, end, unused, unused, unused);
    if (at == end) return nodes;
    if (ast::Text node; *at == ',') {
      ++at;
    } else if (grammar::word::read(at, end, node)) {
      nodes.push_back(node);
      if (const ast::Text name = without_supply_kind(node); !name.empty()) nodes.push_back(name);
    } else if (*at != '\n') {
      throw grammar::SyntaxError(at, "a node name");
    } else if (!continues_as_comment(at, end)) {
      return nodes;
    }
  }
}

bool is_cdl_scale_of_metres(const char* at, const char* end) {
  while (at != end && grammar::is_word_char(*at)) ++at;
  while (at != end && (grammar::is_blank(*at) || *at == '=')) ++at;
  if (at == end || *at == '\n') return true;
  const ast::Text unit = grammar::first_word(at, end);
  return same_name(unit, "meter") || same_name(unit, "metre");
}

void require_no_cdl_mega(const Deck& deck) {
  for (const File& file : deck.files)
    for (const ParsedChunk& chunk : file.chunks)
      for (const DirectiveCards& cards : chunk.directives)
        if (cards.directive->word == "*.mega") {
          const std::string mega = file.text->describe(cards.offset);
          for (const File& other : deck.files) require_no_m(other, mega);
          return;
        }
}

}  // namespace gridiron
