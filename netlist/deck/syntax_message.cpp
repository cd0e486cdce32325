// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/syntax_message.hpp"

#include <fmt/format.h>

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

}  // namespace

std::string syntax_message(std::string_view text, const char* where, const char* expected) {
  if (is_out_of_range(where, text.data() + text.size())) return "this number is beyond what a double holds";
  return fmt::format("expected {} here; a card reads like '{}'", expected, example(text));
}

}  // namespace gridiron
