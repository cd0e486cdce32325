// SPDX-License-Identifier: Apache-2.0
// What can be told of an expression without computing it.
#include "netlist/values/expression_text.hpp"

#include <algorithm>

#include "netlist/values/expression.hpp"
#include "netlist/values/spice_number.hpp"

namespace gridiron {
namespace {

using namespace expression_text;

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t first = text.find_first_not_of(kBlanks);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

}  // namespace

const char* expression_text::behind_line_end(const char* at, const char* end) {
  if (*at == '\\') {
    if (end - at < 3 || at[1] != '\\') return nullptr;
    at = std::find_if_not(at + 2, end, is_blank);
    return at != end && *at == '\n' ? at + 1 : nullptr;
  }
  while (at != end && *at == '\n') {
    at = std::find_if_not(at + 1, end, is_blank);
    if (at != end && *at == '+') return at + 1;
    at = std::find(at, end, '\n');
  }
  return nullptr;
}

std::string expression_text::in_one_line(std::string_view text) {
  std::string line;
  for (const char *at = text.data(), *const end = at + text.size(); at != end;)
    if (const char* const next = *at == '\\' || *at == '\n' ? behind_line_end(at, end) : nullptr) {
      line += ' ';
      at = next;
    } else {
      line += *at++;
    }
  return line;
}

void for_each_name(std::string_view expression, const std::function<void(std::string_view)>& f) {
  const auto belongs = [choice = has_choice(expression)](char c) { return is_name_char(c, choice); };
  for (auto at = expression.begin(); at != expression.end();) {
    const auto end = std::find_if_not(at, expression.end(), belongs);
    if (end == at) {
      ++at;
      continue;
    }
    const bool is_number = is_decimal(*at) || *at == '.';
    if (!is_number) f({at, end});
    at = end;
  }
}

std::optional<OnlyNumber> only_number(std::string_view expression) {
  expression = without_blanks(expression);
  const char* const last = expression.data() + expression.size();
  double digits = 0;
  const char* const letters = parse_decimal(expression.data(), last, digits);
  if (!letters || end_of_digits_behind(letters, end_of_letters(letters, last), last) != last) return std::nullopt;
  return OnlyNumber{digits, {letters, last}};
}

std::string_view only_name(std::string_view expression) {
  expression = without_blanks(expression);
  if (expression.empty()) return {};
  const bool is_name = std::ranges::all_of(expression, [](char c) { return is_name_char(c, false); }) &&
                       !is_decimal(expression.front()) && expression.front() != '.';
  return is_name ? expression : std::string_view();
}

}  // namespace gridiron
