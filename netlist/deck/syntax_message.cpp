// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/syntax_message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "netlist/names/lower_case.hpp"
#include "netlist/names/name_table.hpp"

namespace gridiron {
namespace {

const char* example(std::string_view card) {
  if (same_name(card.substr(0, 5), ".tran")) return ".tran 10p 10n";
  switch (lower(card.front())) {
    case 'r':
      return "r1 a b 1.5k";
    case 'c':
      return "c1 a b 10f";
    case 'l':
      return "l1 a b 1n";
    case 'v':
      return "v1 a 0 1.8";
    case 'i':
      return "i1 a 0 DC 1m PULSE(0 1m 0 1n 1n 2n 10n)";
    case 'e':
      return "e1 a b c d 2";
    case 'f':
      return "f1 a b v1 2";
    case 'g':
      return "g1 a b c d 1m";
    case 'h':
      return "h1 a b v1 2";
    case 'k':
      return "k1 l1 l2 0.5";
    case 'x':
      return "x1 a b subcircuit w=2";
    default:
      return ".param w=1 l={2*w}";
  }
}

bool is_out_of_range(const char* number, const char* end) {
  double value = 0;
  if (number != end && (*number == '-' || *number == '+')) ++number;
  return std::from_chars(number, end, value).ec == std::errc::result_out_of_range;
}

struct Lookalike {
  std::string_view bytes, name;
};
constexpr Lookalike kLookalikes[] = {
    {"\xc2\xa0", "a no-break space (U+00A0)"},
    {"\xe2\x80\x89", "a thin space (U+2009)"},
    {"\xe2\x80\xaf", "a narrow no-break space (U+202F)"},
    {"\xe3\x80\x80", "an ideographic space (U+3000)"},
    {"\xe2\x80\x8b", "a zero-width space (U+200B)"},
    {"\xe2\x88\x92", "a minus sign (U+2212) for '-'"},
    {"\xe2\x80\x93", "an en dash (U+2013) for '-'"},
    {"\xe2\x80\x98", "a quotation mark (U+2018) for \"'\""},
    {"\xe2\x80\x99", "a quotation mark (U+2019) for \"'\""},
    {"\xe2\x80\x9c", "a quotation mark (U+201C) for '\"'"},
    {"\xe2\x80\x9d", "a quotation mark (U+201D) for '\"'"},
    {"\xef\xbc\x8c", "a fullwidth comma (U+FF0C) for ','"},
    {"\xef\xbc\x9d", "a fullwidth equals sign (U+FF1D) for '='"},
};

/// A character of the line that looks like one of SPICE's and is none; empty if there is none.
std::string_view lookalike_in(std::string_view line) {
  if (std::ranges::none_of(line, [](char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; })) return {};
  for (const auto& [bytes, name] : kLookalikes)
    if (line.find(bytes) != line.npos) return name;
  return {};
}

}  // namespace

std::string syntax_message(std::string_view text, const char* where, const char* expected) {
  if (is_out_of_range(where, text.data() + text.size())) return "this number is beyond what a double holds";
  const std::string_view lookalike = lookalike_in(text.substr(0, text.find('\n')));
  if (!lookalike.empty())
    return fmt::format("expected {} here; this line has {}, which is part of names to SPICE: replace it", expected,
                       lookalike);
  return fmt::format("expected {} here; a card reads like '{}'", expected, example(text));
}

}  // namespace gridiron
