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

/// What is left of the comment.
struct Rest {
  const char* at;
  const char* const end;

  void skip_blanks() {
    while (at != end && is_blank_or_comma(*at)) ++at;
  }
  bool take(char sign) {
    if (at == end || *at != sign) return false;
    ++at;
    return true;
  }
  /// The next word up to a blank or parenthesis, without quotes around it; DSPF's names may hold what SPICE's may not.
  std::string_view take_word() {
    skip_blanks();
    const char *const begin = at, *const last = end;
    const char* p = begin;
    while (p != last && !kEndsWord[static_cast<unsigned char>(*p)]) ++p;
    at = p;
    const bool is_quoted = p - begin > 2 && *begin == '"' && p[-1] == '"';
    return is_quoted ? std::string_view(begin + 1, static_cast<size_t>(p - begin - 2))
                     : std::string_view(begin, static_cast<size_t>(p - begin));
  }
};

bool read_number(std::string_view word, double& number) {
  if (word.empty()) return false;
  const char* const end = word.data() + word.size();
  if (parse_fixed_decimal(word.data(), end, number) == end) return true;
  return parse_decimal(word.data(), end, number) == end && std::isfinite(number);
}

/// Up to one more word than a node has.
struct Words {
  std::array<std::string_view, 8> of;
  size_t count = 0;
};

/// The words between two parentheses; false if there is none or it is not closed.
bool take_list(Rest& rest, Words& words) {
  words.count = 0;
  if (!rest.take('(')) return false;
  for (std::string_view word = rest.take_word(); !word.empty(); word = rest.take_word()) {
    if (words.count == words.of.size()) return false;
    words.of[words.count++] = word;
  }
  return rest.take(')');
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
  const char* const end = line.data() + line.size();
  Rest rest{line.data() + std::min<size_t>(2, line.size()), end};
  const std::string_view keyword = rest.take_word();
  // (node), (instance's pin, instance, pin, direction, capacitance), (pin, direction, capacitance), each with a place.
  const char letter = keyword.size() == 1 ? static_cast<char>(keyword[0] | 0x20) : '\0';
  const size_t count = letter == 's' ? 1 : letter == 'i' ? 5 : letter == 'p' ? 3 : 0;
  if (count == 0) {
    const bool is_net = same_name(keyword, "net") || same_name(keyword, "ground_net");
    if (is_net && rest.take_word().empty()) out.kind = DspfComment::Kind::malformed;
    return;
  }
  Words words;
  out.kind = DspfComment::Kind::nodes;
  do {
    rest.skip_blanks();
    if (!take_list(rest, words) || !take_node(words, count, out)) {
      out.kind = DspfComment::Kind::malformed;
      return;
    }
    rest.skip_blanks();
  } while (rest.at != end && *rest.at == '(');
  if (const char* const sign = std::find(rest.at, end, '$'); sign != end)
    out.layer = read_annotation({sign, static_cast<size_t>(end - sign)}).layer;
}

}  // namespace gridiron
