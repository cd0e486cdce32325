// SPDX-License-Identifier: Apache-2.0
#include "netlist/extracted/dspf_comment.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "netlist/extracted/card_annotations.hpp"
#include "netlist/grammar/primitives.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/values/spice_number.hpp"

namespace gridiron {
namespace {

bool is_blank_or_comma(char c) { return grammar::is_blank(c) || c == ','; }

/// What ends a word.
constexpr std::array<bool, 256> kEndsWord = [] {
  std::array<bool, 256> table{};
  for (const char c : {' ', '\t', '\r', ',', '(', ')'}) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

/// The next word up to a blank or parenthesis, without quotes around it; DSPF's names may hold what SPICE's may not.
std::string_view take_word(std::string_view& rest) {
  while (!rest.empty() && is_blank_or_comma(rest.front())) rest.remove_prefix(1);
  size_t length = 0;
  while (length < rest.size() && !kEndsWord[static_cast<unsigned char>(rest[length])]) ++length;
  const std::string_view word = rest.substr(0, length);
  rest.remove_prefix(length);
  const bool is_quoted = word.size() > 2 && word.front() == '"' && word.back() == '"';
  return is_quoted ? word.substr(1, word.size() - 2) : word;
}

bool read_number(std::string_view word, double& number) {
  return !word.empty() && parse_decimal(word.data(), word.data() + word.size(), number) == word.data() + word.size() &&
         std::isfinite(number);
}

/// Up to one more word than a node has.
struct Words {
  std::array<std::string_view, 8> of;
  size_t count = 0;
};

/// The words between two parentheses; false if there is none or it is not closed.
bool take_list(std::string_view& rest, Words& words) {
  words.count = 0;
  if (rest.empty() || rest.front() != '(') return false;
  rest.remove_prefix(1);
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    if (words.count == words.of.size()) return false;
    words.of[words.count++] = word;
  }
  if (rest.empty() || rest.front() != ')') return false;
  rest.remove_prefix(1);
  return true;
}

/// `count` words, and then perhaps a place.
bool take_node(const Words& words, size_t count, DspfComment& out) {
  if (words.count != count && words.count != count + 2) return false;
  DspfComment::Node node{words.of[0], {}, {}, NAN, NAN};
  if (words.count > count && !(read_number(words.of[count], node.x) && read_number(words.of[count + 1], node.y)))
    return false;
  if (count == 5) node.instance = words.of[1], node.pin = words.of[2];
  out.nodes.push_back(node);
  return true;
}

}  // namespace

void read_dspf_comment(std::string_view line, DspfComment& out) {
  out.kind = DspfComment::Kind::none;
  out.nodes.clear();
  out.layer = {};
  std::string_view rest = line.substr(std::min<size_t>(2, line.size()));
  const std::string_view keyword = take_word(rest);
  const auto is = [keyword](std::string_view word) { return same_name(keyword, word); };
  if (is("net") || is("ground_net")) {
    if (take_word(rest).empty()) out.kind = DspfComment::Kind::malformed;
    return;
  }
  // (node), (instance's pin, instance, pin, direction, capacitance), (pin, direction, capacitance), each with a place.
  const size_t count = is("s") ? 1 : is("i") ? 5 : is("p") ? 3 : 0;
  if (count == 0) return;
  Words words;
  const auto skip_blanks = [&] {
    while (!rest.empty() && is_blank_or_comma(rest.front())) rest.remove_prefix(1);
  };
  out.kind = DspfComment::Kind::nodes;
  do {
    skip_blanks();
    if (!take_list(rest, words) || !take_node(words, count, out)) {
      out.kind = DspfComment::Kind::malformed;
      return;
    }
    skip_blanks();
  } while (!rest.empty() && rest.front() == '(');
  if (const size_t sign = rest.find('$'); sign != rest.npos) out.layer = read_annotation(rest.substr(sign)).layer;
}

}  // namespace gridiron
