// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/parameter_card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "netlist/grammar/card.hpp"
#include "netlist/grammar/primitives.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/values/settings.hpp"

namespace gridiron {
namespace {

using grammar::SyntaxError;

void skip_between(const char*& at, const char* end) {
  grammar::x3::unused_type unused;
  grammar::between_tokens().parse(at, end, unused, unused, unused);
}

bool is_at_end(const char*& at, const char* end) {
  skip_between(at, end);
  return at == end || *at == '\n';
}

bool take_sign(const char*& at, const char* end, char sign) {
  if (is_at_end(at, end) || *at != sign) return false;
  ++at;
  return true;
}

bool begins_number(const char* at, const char* end) {
  if (at != end && (*at == '+' || *at == '-')) ++at;
  if (at != end && *at == '.') ++at;
  return at != end && *at >= '0' && *at <= '9';
}

ast::Text take_name(const char*& at, const char* end) {
  ast::Text name;
  if (is_at_end(at, end) || !grammar::word::read(at, end, name)) throw SyntaxError(at, "a name");
  return name;
}

/// The names up to the parenthesis that closes, behind the one that opens.
std::vector<ast::Text> take_arguments(const char*& at, const char* end) {
  std::vector<ast::Text> names;
  if (take_sign(at, end, ')')) return names;
  constexpr size_t kMost = 100;  // that a call may have
  do {
    const ast::Text name = take_name(at, end);
    if (names.size() == kMost) throw CardError{name.data(), fmt::format("more than {} arguments", kMost)};
    if (std::ranges::any_of(names, [name](ast::Text other) { return same_name(other, name); }))
      throw CardError{name.data(), fmt::format("a second argument '{}'; rename one", name)};
    names.push_back(name);
  } while (take_sign(at, end, ','));
  if (!take_sign(at, end, ')')) throw SyntaxError(at, "a ')'");
  return names;
}

bool is_operator(char c) { return std::string_view("+-*/%^<>=!&|?:~").find(c) != std::string_view::npos; }

/// The end of an expression without brackets. Blanks belong to it within parentheses and beside operators, as in
/// `p = 2 * (a + b) q = 1`, so that neither side of an operator is lost.
const char* end_of_expression(const char* at, const char* end) {
  int depth = 0;  // a comma within parentheses is one of a function
  char before = '\0';
  for (;;) {
    const char* next = at;
    if (at == end || *at != '$') skip_between(next, end);  // within a word it begins no comment
    const bool is_last = next == end || *next == '\n' || (*next == ',' && depth <= 0);
    const bool goes_on = !is_last && (depth > 0 || is_operator(*next) || is_operator(before));
    if (is_last || (next != at && !goes_on)) return at;
    if (std::find(at, next, '\n') != next) throw SyntaxError(next, "the expression in one line, or in {braces},");
    before = *next;
    depth += before == '(' ? 1 : before == ')' ? -1 : 0;
    at = next + 1;
  }
}

/// A number, an {expression}, or one without brackets.
ast::Value take_value(const char*& at, const char* end) {
  skip_between(at, end);
  ast::Value value;
  const char* p = at;
  const bool is_read = grammar::value::read(p, end, value);
  const char* const last = is_read ? end_of_expression(p, end) : p;
  if (!is_read || last != p) {
    p = is_read ? last : end_of_expression(at, end);
    value = {0, ast::Text(at, static_cast<size_t>(p - at)), {}};
  }
  if (p == at) throw SyntaxError(at, "a number or {expression}");
  at = p;
  return value;
}

}  // namespace

void parse_parameter_card(const char*& at, const char* end, std::vector<ast::Assignment>& assignments,
                          std::vector<UserFunction>& functions) {
  take_name(at, end);              // the directive
  if (is_at_end(at, end)) return;  // alone, as at the head of CDL
  do {
    if (!is_at_end(at, end) && is_operator(*at)) throw SyntaxError(at, "a name");
    const ast::Text name = take_name(at, end);
    UserFunction function{name, {}, {}};
    const bool is_function = take_sign(at, end, '(');
    if (is_function) function.arguments = take_arguments(at, end);
    // Decks in tiles have `.parameter NAME VALUE`.
    if (!take_sign(at, end, '=') && (is_function || !begins_number(at, end))) throw SyntaxError(at, "'='");
    const char* const begin = at;
    const ast::Value value = take_value(at, end);
    if (is_function) {
      function.body =
          value.expression.empty() ? without_brackets({begin, static_cast<size_t>(at - begin)}) : value.expression;
      functions.push_back(std::move(function));
    } else {
      assignments.push_back({name, value});
    }
    take_sign(at, end, ',');
  } while (!is_at_end(at, end));
}

const char* parse_function_head(const char*& at, const char* end, UserFunction& function) {
  take_name(at, end);  // .func
  function.name = take_name(at, end);
  if (!take_sign(at, end, '(')) throw SyntaxError(at, "a '(' and the names of the arguments");
  function.arguments = take_arguments(at, end);
  take_sign(at, end, '=');
  skip_between(at, end);
  return at;
}

ast::Text without_brackets(ast::Text text) {
  const auto trim = [&text] {
    while (!text.empty() && grammar::is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && grammar::is_blank(text.back())) text.remove_suffix(1);
  };
  const auto closed_by = [](char c) { return c == '{' ? '}' : c == '\'' ? '\'' : c == '"' ? '"' : '\0'; };
  trim();
  if (text.size() > 1 && closed_by(text.front()) == text.back()) {
    text = text.substr(1, text.size() - 2);
    trim();
  }
  return text;
}

}  // namespace gridiron
