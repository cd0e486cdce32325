// SPDX-License-Identifier: Apache-2.0
#include "netlist/grammar/card.hpp"

#include <limits>

#include "netlist/grammar/card_def.hpp"
#include "netlist/name_table.hpp"

namespace gridiron::grammar {
namespace {

template <class Rule, class Attribute>
void parse_card(const Rule& rule, const char*& at, const char* end, Attribute& card) {
  try {
    if (!x3::phrase_parse(at, end, rule, between_tokens(), card, x3::skip_flag::dont_post_skip))
      throw SyntaxError(at, "a card");
  } catch (const x3::expectation_failure<const char*>& e) {
    const char* where = e.where();
    x3::unused_type unused;
    between_tokens().parse(where, end, unused, unused, unused);
    throw SyntaxError(where, e.which());
  }
}

template <class Rule, class Attribute>
bool parse_comment(const Rule& rule, const char* at, const char* end, Attribute& comment) {
  return x3::phrase_parse(at, end, rule, x3::char_(" \t\r"), comment, x3::skip_flag::dont_post_skip);
}

/// The text of one line from `at` up to a blank, or between quotes.
ast::Text file_name(const char*& at, const char* end) {
  while (at != end && is_blank(*at)) ++at;
  const char quote = at != end && (*at == '"' || *at == '\'') ? *at : '\0';
  if (quote != '\0') ++at;
  const char* first = at;
  while (at != end && *at != '\n' && (quote != '\0' ? *at != quote : !is_blank(*at))) ++at;
  const ast::Text text(first, static_cast<std::size_t>(at - first));
  if (quote != '\0') {
    if (at == end || *at != quote) throw SyntaxError(first, "a closing quote");
    ++at;
  }
  return text;
}

}  // namespace

void parse_passive(const char*& at, const char* end, ast::Passive& card) { parse_card(passive, at, end, card); }
void parse_source(const char*& at, const char* end, ast::Source& card) { parse_card(source, at, end, card); }
void parse_instance(const char*& at, const char* end, ast::Instance& card) { parse_card(instance, at, end, card); }
void parse_subcircuit(const char*& at, const char* end, ast::Subcircuit& card) {
  parse_card(subcircuit, at, end, card);
}
void parse_parameters(const char*& at, const char* end, std::vector<ast::Assignment>& card) {
  parse_card(param_card, at, end, card);
}
void parse_words(const char*& at, const char* end, std::vector<ast::Text>& card) {
  parse_card(words_card, at, end, card);
}
void parse_tran(const char*& at, const char* end, ast::Tran& card) { parse_card(tran_card, at, end, card); }

void parse_temp(const char*& at, const char* end, std::vector<ast::Value>& card) {
  parse_card(temp_card, at, end, card);
}

bool is_resistor_model(const ast::Model& card) { return same_name(card.type, "r") || same_name(card.type, "res"); }

void parse_model(const char*& at, const char* end, ast::Model& card) {
  parse_card(model_head, at, end, card);
  if (is_resistor_model(card))
    parse_card(model_parameters, at, end, card.parameters);
  else
    skip_card(at, end);
}

void parse_options(const char*& at, const char* end, std::vector<ast::Assignment>& card) {
  const auto next = [&](const auto& rule, auto& attribute) {
    return x3::phrase_parse(at, end, rule, between_tokens(), attribute, x3::skip_flag::dont_post_skip);
  };
  x3::unused_type nothing;
  next(directive, nothing);
  while (!next(end_of_card(), nothing)) {
    ast::Assignment a{{}, {std::numeric_limits<double>::quiet_NaN(), {}}};
    if (next(option, a) || next(name, a.name))
      card.push_back(a);
    else
      ++at;
  }
}

void parse_include(const char*& at, const char* end, ast::Include& card) {
  const bool is_lib = (at[1] | 0x20) == 'l';
  while (at != end && !is_blank(*at) && *at != '\n') ++at;
  const char* const start = at;
  card.file = file_name(at, end);
  if (card.file.empty()) throw SyntaxError(start, "a file name");
  if (is_lib) card.section = file_name(at, end);
  if (is_lib && card.section.empty()) std::swap(card.file, card.section);
  x3::unused_type nothing;
  parse_card(x3::eps > end_of_card(), at, end, nothing);
}

void parse_print(const char*& at, const char* end, std::vector<ast::Text>& probed_nodes) {
  const char* first = at;
  skip_card(at, end);
  for (; first < at; ++first) {
    if ((*first | 0x20) != 'v' || is_word_char(first[-1])) continue;
    const char* p = first + 1;
    while (p < at && is_blank(*p)) ++p;
    if (p == at || *p != '(') continue;
    ++p;
    while (p < at && is_blank(*p)) ++p;
    const char* name_end = p;
    while (name_end < at && is_word_char(*name_end)) ++name_end;
    if (name_end > p) probed_nodes.emplace_back(p, static_cast<std::size_t>(name_end - p));
    first = name_end - 1;
  }
}

void skip_card(const char*& at, const char* end) {
  while (at != end) {
    if (*at != '\n') {
      ++at;
    } else if (const char* next = continuation(at, end)) {
      at = next;
    } else {
      return;
    }
  }
}

bool parse_layer_comment(const char* at, const char* end, ast::LayerComment& comment) {
  return parse_comment(layer_comment, at, end, comment);
}
bool parse_nominal_comment(const char* at, const char* end, ast::NominalComment& comment) {
  return parse_comment(nominal_comment, at, end, comment);
}
bool parse_dbu_comment(const char* at, const char* end, double& units_per_um) {
  return parse_comment(dbu_comment, at, end, units_per_um);
}
bool parse_net_comment(const char* at, const char* end, ast::NetComment& comment) {
  return parse_comment(net_comment, at, end, comment);
}

}  // namespace gridiron::grammar
