// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/parameter_card.hpp"

#include <utility>

#include "netlist/grammar/card.hpp"
#include "netlist/grammar/primitives.hpp"

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
  do names.push_back(take_name(at, end));
  while (take_sign(at, end, ','));
  if (!take_sign(at, end, ')')) throw SyntaxError(at, "a ')'");
  return names;
}

/// A number, an {expression}, or text up to a blank.
ast::Value take_value(const char*& at, const char* end) {
  const auto is_end = [end](const char* p) { return p == end || grammar::is_blank(*p) || *p == '\n' || *p == ';'; };
  skip_between(at, end);
  ast::Value value;
  const char* p = at;
  if (!grammar::value::read(p, end, value) || !(is_end(p) || *p == ',')) {
    int depth = 0;  // a comma within parentheses is one of a function
    for (p = at; !is_end(p) && (*p != ',' || depth > 0); ++p) depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
    value = {0, ast::Text(at, static_cast<size_t>(p - at)), {}};
  }
  if (p == at) throw SyntaxError(at, "a number or {expression}");
  at = p;
  return value;
}

}  // namespace

void parse_parameter_card(const char*& at, const char* end, std::vector<ast::Assignment>& assignments,
                          std::vector<UserFunction>& functions) {
  take_name(at, end);  // the directive
  do {
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
