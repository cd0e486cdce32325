// SPDX-License-Identifier: Apache-2.0
#include "netlist/extracted/dspf_comment.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "netlist/extracted/card_annotations.hpp"
#include "netlist/extracted/written_place.hpp"
#include "netlist/grammar/primitives.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/values/spice_number.hpp"

namespace gridiron {
namespace {

bool is_blank_or_comma(char c) { return grammar::is_blank(c) || c == ','; }

/// What ends a word.
constexpr std::array<bool, 256> kEndsWord = [] {
  std::array<bool, 256> table{};
  for (const char c : {' ', '\t', '\r', ',', '(', ')', '\n'}) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

/// What is left of the comment, and of the text behind its newline.
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

bool take_number(Rest& rest, double& number) {
  rest.skip_blanks();
  const char* const behind = parse_fixed_decimal(rest.at, rest.end, number);
  if (!behind || (behind != rest.end && !kEndsWord[static_cast<unsigned char>(*behind)])) return false;
  rest.at = behind;
  return true;
}

bool take_place(Rest& rest, DspfComment::Node& node) {
  const char* const begin = rest.at;
  if (take_number(rest, node.x) && take_number(rest, node.y)) return true;
  rest.at = begin;
  const std::string_view x = rest.take_word();
  const std::optional<WrittenPlace> place = written_place(x, rest.take_word());
  if (place) node.x = place->x, node.y = place->y, node.is_in_um = place->is_in_um;
  return place.has_value();
}

/// `count` words between two parentheses, behind which a place may stand; false for anything else.
bool take_node(Rest& rest, size_t count, DspfComment& out) {
  if (!rest.take('(')) return false;
  DspfComment::Node node{rest.take_word(), {}, {}, NAN, NAN, false};
  if (node.name.empty()) return false;
  for (size_t i = 1; i < count; ++i) {
    const std::string_view word = rest.take_word();
    if (word.empty()) return false;
    if (count == 5 && i == 1) node.instance = word;
    if (count == 5 && i == 2) node.pin = word;
  }
  rest.skip_blanks();
  if (!rest.take(')')) {
    if (!take_place(rest, node)) return false;
    rest.skip_blanks();
    if (!rest.take(')')) return false;
  }
  out.nodes.push_back(node);
  return true;
}

}  // namespace

const char* read_dspf_comment(const char* at, const char* end, DspfComment& out) {
  out.kind = DspfComment::Kind::none;
  out.nodes.clear();
  out.layer = {};
  const auto end_of_line = [end](const char* from) { return std::find(from, end, '\n'); };
  Rest rest{at + 2, end};
  const std::string_view keyword = rest.take_word();
  // (node), (instance's pin, instance, pin, direction, capacitance), (pin, direction, capacitance), each with a place.
  const char letter = keyword.size() == 1 ? static_cast<char>(keyword[0] | 0x20) : '\0';
  const size_t count = letter == 's' ? 1 : letter == 'i' ? 5 : letter == 'p' ? 3 : 0;
  if (count == 0) {
    const bool is_net = same_name(keyword, "net") || same_name(keyword, "ground_net");
    if (is_net && rest.take_word().empty()) out.kind = DspfComment::Kind::malformed;
    return end_of_line(rest.at);
  }
  out.kind = DspfComment::Kind::nodes;
  do {
    rest.skip_blanks();
    if (!take_node(rest, count, out)) {
      out.kind = DspfComment::Kind::malformed;
      return end_of_line(rest.at);
    }
    rest.skip_blanks();
  } while (rest.at != end && *rest.at == '(');
  while (rest.at != end && *rest.at != '\n' && *rest.at != '$') ++rest.at;
  if (rest.at == end || *rest.at != '$') return rest.at;
  CardAnnotation annotation;
  rest.at = read_annotation(rest.at, end, annotation);
  out.layer = annotation.layer;
  return rest.at;
}

const char* read_plain_place(const char* at, const char* end, DspfComment::Node& out) {
  constexpr ptrdiff_t kShortest = 13;  // *|S (a 0 0) and its newline
  if (end - at < kShortest || (at[2] | 0x20) != 's' || at[3] != ' ' || at[4] != '(' || end[-1] != '\n') return nullptr;
  const char* const name = at + 5;
  const char* p = name;
  while (!kEndsWord[static_cast<unsigned char>(*p)]) ++p;
  if (p == name || *name == '"' || *p != ' ') return nullptr;
  out.name = {name, static_cast<size_t>(p - name)};
  out.is_in_um = false;
  if (!(p = parse_fixed_decimal(p + 1, end, out.x)) || *p != ' ') return nullptr;
  if (!(p = parse_fixed_decimal(p + 1, end, out.y)) || *p != ')') return nullptr;
  return p[1] == '\n' ? p + 1 : nullptr;
}

}  // namespace gridiron
