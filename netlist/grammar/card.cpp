// SPDX-License-Identifier: Apache-2.0
#include "netlist/grammar/card.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "netlist/grammar/card_def.hpp"
#include "netlist/grammar/file_name.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/values/settings.hpp"

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
    // Of parts without a name of their own, Spirit tells the C++ type.
    const bool is_named =
        e.which().find("gridiron") == std::string::npos && e.which().find("spirit") == std::string::npos;
    throw SyntaxError(where, is_named ? e.which() : "a name or a value");
  }
}

/// PSpice's nodes that instances may leave out.
void refuse_optional_nodes(const char* at, const char* end) {
  constexpr std::string_view kOptional = "optional:";
  for (const char* p = at; p != end && *p != '\n' && *p != ';'; ++p)
    if (is_blank(*p) && same_name({p + 1, std::min(kOptional.size(), static_cast<size_t>(end - p - 1))}, kOptional))
      throw CardError{p + 1, "OPTIONAL: nodes are not read; make them ports, and give them on each X card"};
}

template <class Rule, class Attribute>
bool parse_comment(const Rule& rule, const char* at, const char* end, Attribute& comment) {
  return x3::phrase_parse(at, end, rule, x3::char_(" \t\r"), comment, x3::skip_flag::dont_post_skip);
}

}  // namespace

bool begins_dollar_name(Iterator at, Iterator end) {
  if (end - at < 2 || !is_word_char(at[1]) || at[1] == '[') return false;
  do ++at;
  while (at != end && is_word_char(*at));
  while (at != end && is_blank(*at)) ++at;
  return at == end || *at != '=';
}

Iterator continuation(Iterator at, Iterator end) {
  while (at != end) {
    ++at;  // the newline
    while (at != end && is_blank(*at)) ++at;
    if (at == end) return nullptr;
    if (*at == '+') return at + 1;
    if (begins_cdl_comment(at, end)) return nullptr;
    if (is_comment_sign(*at)) {
      at = static_cast<Iterator>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
      if (!at) return nullptr;
    } else if (*at != '\n') {
      return nullptr;
    }
  }
  return nullptr;
}

void parse_passive(const char*& at, const char* end, ast::Passive& card) {
  const DollarNames of_nodes(DollarNames::are_read);
  parse_card(passive, at, end, card);
}
void parse_source(const char*& at, const char* end, ast::Source& card) {
  const DollarNames of_nodes(DollarNames::are_read);
  parse_card(source, at, end, card);
}
void parse_instance(const char*& at, const char* end, ast::Instance& card) {
  parse_card(instance, at, end, card);
  // CDL: x1 a b / inverter
  if (const auto words = card.words.size(); words > 1 && card.words[words - 2] == "/")
    card.words.erase(card.words.end() - 2);
}
void parse_subcircuit(const char*& at, const char* end, ast::Subcircuit& card) {
  refuse_optional_nodes(at, end);
  parse_card(subcircuit, at, end, card);
}
void parse_words(const char*& at, const char* end, std::vector<ast::Text>& card) {
  parse_card(words_card, at, end, card);
}
void parse_tran(const char*& at, const char* end, ast::Tran& card) {
  TranText text;
  parse_card(tran_card, at, end, text);
  card.times = std::move(text.first);
  for (const ast::Text word : text.second) {
    card.uic |= same_name(word, "uic") || same_name(word, "skipbp");  // of PSpice
    card.startup |= same_name(word, "startup");
  }
}

bool is_tran_word(ast::Text text) {
  for (const std::string_view word : {"uic", "skipbp", "startup", "nodiscard", "steady", "step"})
    if (same_name(text, word)) return true;
  return false;
}

void parse_temp(const char*& at, const char* end, std::vector<ast::Value>& card) {
  parse_card(temp_card, at, end, card);
}

bool is_source_key(ast::Text text) {
  for (const std::string_view key :
       {"dc", "ac", "m", "pulse", "pwl", "sin", "sine", "exp", "rser", "rpar", "cpar", "static_value"})
    if (same_name(text, key)) return true;
  return false;
}

bool is_text_key(ast::Text text) {
  for (const std::string_view key : {"tol", "pwr", "mfg", "pn", "type", "v", "irms", "ipk"})
    if (same_name(text, key)) return true;
  return false;
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
    ast::Assignment a{{}, {NAN, {}, {}}};
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
  const char* second = at;
  while (second != end && is_blank(*second)) ++second;
  const bool ends_here = second != end && (*second == '$' || *second == ';');
  if (is_lib && !ends_here) card.section = file_name(at, end);
  if (is_lib && card.section.empty()) std::swap(card.file, card.section);
  x3::unused_type nothing;
  parse_card(x3::eps > end_of_card(), at, end, nothing);
}

namespace {

/// The node of a V(node) at `at`, which then is behind it; empty where something else is.
ast::Text printed_node(const char*& at, const char* end) {
  const char* p = at;
  const auto skip_blanks = [&] {
    while (p < end && is_blank(*p)) ++p;
  };
  if (p == end || (*p++ | 0x20) != 'v') return {};
  skip_blanks();
  if (p == end || *p++ != '(') return {};
  skip_blanks();
  const char* const first = p;
  while (p < end && is_word_char(*p)) ++p;
  const ast::Text node(first, static_cast<size_t>(p - first));
  skip_blanks();
  if (p == end || *p++ != ')') return {};
  at = p;
  return node;
}

/// What is between blanks, or up to the parenthesis that closes the first one.
ast::Text printed_word(const char*& at, const char* end) {
  const char* const first = at;
  for (int depth = 0; at < end && *at != '\n' && (depth > 0 || !is_blank(*at)); ++at) {
    depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
    if (*at == ')' && depth <= 0) {
      ++at;
      break;
    }
  }
  return {first, static_cast<size_t>(at - first)};
}

}  // namespace

void parse_print(const char*& at, const char* end, Print& card) {
  while (at != end && is_word_char(*at)) ++at;  // .print
  const auto skip = [&] {
    x3::unused_type unused;
    between_tokens().parse(at, end, unused, unused, unused);
  };
  skip();
  bool is_first = true;
  while (at != end && *at != '\n') {
    if (const ast::Text node = printed_node(at, end); !node.empty())
      card.nodes.push_back(node);
    else if (const ast::Text word = printed_word(at, end); !is_first || word.find('(') != word.npos)
      card.others.push_back(word);  // the first word may be that of an analysis
    is_first = false;
    skip();
    while (at != end && *at == ',') ++at, skip();
  }
}

void skip_card(const char*& at, const char* end) {
  while (at != end) {
    if (*at != '\n') {
      const char* const next = *at == '\\' ? behind_backslashes(at, end) : nullptr;
      at = next ? next : at + 1;
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
