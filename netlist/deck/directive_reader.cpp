// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/directive_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "netlist/deck/parameter_card.hpp"
#include "netlist/deck/tran_card.hpp"
#include "netlist/extracted/cdl_cards.hpp"
#include "netlist/grammar/card.hpp"
#include "netlist/grammar/primitives.hpp"
#include "netlist/names/lower_case.hpp"
#include "netlist/values/settings.hpp"
#include "netlist/values/simulator_options.hpp"
#include "support/error.hpp"

namespace gridiron {

template <class Card, class Parse>
void DirectiveReader::read_structure(const char*& at, const char* end, Parse parse) {
  Card card;
  const char* const start = at;
  if constexpr (requires { card.nodes; })
    parse(at, end, card.nodes);
  else if constexpr (requires { card.names; })
    parse(at, end, card.names);
  else
    parse(at, end, card);
  mark(start, std::move(card));
}

void DirectiveReader::mark(const char* where, StructureCard card) {
  chunk_.marks.push_back({std::move(card), offset(where), chunk_.counts()});
}

bool DirectiveReader::read(const char*& at, const char* end) {
  std::string word(grammar::first_word(at, end));
  for (char& c : word) c = lower(c);
  word.resize(std::min(word.find('/'), word.size()));  // PSpice: .PROBE/CSDF, .TRAN/OP
  if (word == ".end") {
    const char* const start = at;
    grammar::skip_card(at, end);
    mark(start, EndCard{});
    return true;
  }
  if (read_structure_named(word, at, end)) return false;
  const Directive* directive =
      find_directive(word == "*.scale" && !is_cdl_scale_of_metres(at, end) ? "*.scale micron" : word);
  if (!directive)
    throw CardError{at, fmt::format("unknown card '{}'; write '*' before it if it does not change the operating point "
                                    "({} skips all such cards)",
                                    grammar::first_word(at, end), field("lenient"))};
  read_not_carried_out(*directive, at, end);
  return false;
}

void DirectiveReader::read_global_comment(const char*& at, const char* end) {
  const char* const start = at;
  GlobalCard card{cdl_global_nodes(at, end)};
  if (!options_.mentions) mark(start, std::move(card));  // several processes read flat decks, where all are global
}

/// False for a directive that is not carried out.
bool DirectiveReader::read_structure_named(std::string_view word, const char*& at, const char* end) {
  if (word == ".subckt" || word == ".macro")
    read_structure<ast::Subcircuit>(at, end, grammar::parse_subcircuit);
  else if (word == ".ends" || word == ".eom")
    read_structure<EndsCard>(at, end, grammar::parse_words);
  else if (word == ".param" || word == ".para" || word == ".params" || word == ".parameter")
    read_parameters(at, end);
  else if (word == ".func")
    read_function(at, end);
  else if (word == ".if")
    read_condition(ConditionCard::kIf, at, end);
  else if (word == ".elseif")
    read_condition(ConditionCard::kElseif, at, end);
  else if (word == ".else")
    read_condition(ConditionCard::kElse, at, end);
  else if (word == ".endif")
    read_condition(ConditionCard::kEndif, at, end);
  else if (word == ".elif" || word == ".elsif" || word == ".else_if" || word == ".end_if" || word == ".fi")
    read_condition(ConditionCard::kMisspelt, at, end);
  else if (word == ".global")
    read_structure<GlobalCard>(at, end, grammar::parse_words);
  else if (word == "*.global")
    read_global_comment(at, end);
  else if (word == ".include" || word == ".inc")
    read_structure<ast::Include>(at, end, grammar::parse_include);
  else if (word == ".lib")
    notes_.begin_section(), read_structure<ast::Include>(at, end, grammar::parse_include);
  else if (word == ".endl")
    notes_.begin_section(), read_structure<LibSectionEnd>(at, end, grammar::parse_words);
  else if (word == ".tran")
    read_tran(at, end);
  else if (word == ".print")
    read_print(at, end);
  else if (word == ".model")
    read_structure<ast::Model>(at, end, grammar::parse_model);
  else if (word == ".temp")
    read_temp(at, end);
  else if (word.starts_with(".opt"))
    read_options(at, end);
  else
    return false;
  return true;
}

void DirectiveReader::read_parameters(const char*& at, const char* end) {
  ParamCard card;
  std::vector<UserFunction> functions;
  const char* const start = at;
  if (same_name(grammar::first_word(at, end), ".para")) notes_.add_sign(Dialect::hspice, offset(at));
  parse_parameter_card(at, end, card.assignments, functions);
  if (!card.assignments.empty() || functions.empty()) mark(start, std::move(card));
  for (UserFunction& function : functions) mark(start, FunctionCard{std::move(function)});
}

void DirectiveReader::read_function(const char*& at, const char* end) {
  FunctionCard card;
  const char* const start = at;
  const char* const body = parse_function_head(at, end, card.function);
  grammar::skip_card(at, end);
  card.function.body = without_brackets(text_of(body, at));
  if (card.function.body.empty()) throw grammar::SyntaxError(body, "the {expression} of the function");
  mark(start, std::move(card));
}

void DirectiveReader::read_condition(ConditionCard::Kind kind, const char*& at, const char* end) {
  const char* const start = at;
  while (at != end && grammar::is_word_char(*at)) ++at;
  const char* const rest = at;
  grammar::skip_card(at, end);
  add({kind, without_brackets(text_of(rest, at))}, start);
}

ast::Text DirectiveReader::text_of(const char* from, const char* to) {
  const auto end_of_text = [to](const char* begin) {  // or where a comment begins: `;`, or `$` where a token could
    const char* at = begin;
    while (at != to && *at != '\n' && *at != ';' && !(*at == '$' && (at == begin || grammar::is_blank(at[-1]))) &&
           !(*at == '\\' && grammar::behind_backslashes(at, to)))
      ++at;
    return at;
  };
  if (const char* const last = end_of_text(from); std::find(last, to, '\n') == to)
    return {from, static_cast<size_t>(last - from)};
  std::string joined;
  while (from != to) {
    const char* line_end = std::find(from, to, '\n');
    const char* const last = end_of_text(from);
    joined.append(from, last).push_back(' ');
    if (line_end == to) break;
    if (last != line_end && *last == '\\') {
      from = line_end + 1;
      continue;
    }
    const char* const next = grammar::continuation(line_end, to);
    if (!next) break;
    from = next;
  }
  if (joined.empty()) return {from, 0};
  return chunk_.texts.emplace_back(std::move(joined));
}

void DirectiveReader::read_print(const char*& at, const char* end) {
  chunk_.print_cards.push_back(offset(at));
  grammar::Print card;
  grammar::parse_print(at, end, card);
  for (const ast::Text node : card.nodes) chunk_.prints.emplace_back(node, offset(node.data()));
  for (const ast::Text other : card.others) chunk_.unprinted.emplace_back(other, offset(other.data()));
}

void DirectiveReader::read_not_carried_out(const Directive& directive, const char*& at, const char* end) {
  const bool is_refused = directive.treatment == Directive::Treatment::refused;
  const bool is_block = !directive.block_end.empty();
  if (is_refused) {
    const std::string message = fmt::format("{} is not supported: {}", directive.word, directive.reason);
    if (!is_block || !options_.lenient) throw CardError{at, message};
    notes_.add_skipped({offset(at), fmt::format("{} (skipped up to {})", message, directive.block_end)});
  } else {
    notes_.add(directive, offset(at));
  }
  if (!is_block) return grammar::skip_card(at, end);
  chunk_.open_block = {&directive, offset(at), 0};
  at = skip_block(at, end, chunk_.open_block);
}

void DirectiveReader::read_temp(const char*& at, const char* end) {
  std::vector<ast::Value> values;
  const char* const start = at;
  grammar::parse_temp(at, end, values);
  if (values.size() > 1)
    throw CardError{start, fmt::format(".temp asks for runs at {} temperatures; give one", values.size())};
  mark(start, TemperatureCard{TemperatureCard::kTemp, values[0]});
}

void DirectiveReader::read_options(const char*& at, const char* end) {
  std::vector<ast::Assignment> options;
  const char* const start = at;
  grammar::parse_options(at, end, options);
  for (const ast::Assignment& o : options) {
    const bool has_value = !std::isnan(o.value.number) || !o.value.expression.empty();
    if (same_name(o.name, "rshunt"))
      throw CardError{o.name.data(), "rshunt ties every node to ground; write the resistors that are meant"};
    if (same_name(o.name, "parhier") && same_name(o.value.expression, "global"))
      throw CardError{o.name.data(), "parameters of instances override global ones here; remove parhier=global"};
    if (const bool is_temp = same_name(o.name, "temp"); is_temp || same_name(o.name, "tnom")) {
      if (!has_value) throw CardError{o.name.data(), fmt::format("expected '{}=' and a temperature in °C", o.name)};
      mark(start, TemperatureCard{is_temp ? TemperatureCard::kOptionTemp : TemperatureCard::kOptionTnom, o.value});
      continue;
    }
    notes_.add_option(o.name, is_simulator_option(o.name) ? Fate::harmless : Fate::skipped, offset(o.name.data()));
  }
}

void DirectiveReader::read_tran(const char*& at, const char* end) {
  ast::Tran card;
  const char* const begin = at;
  require_no_sweep(begin, end);
  grammar::parse_tran(at, end, card);
  std::vector<double> times;
  for (ast::Value& time : card.times) {
    if (!time.letters.empty())
      time = {notes_.measured(time.number, time.letters, Quantity::time, options_.dialect, text_), {}, {}};
    if (time.expression.empty()) times.push_back(time.number);
  }
  if (times.size() == card.times.size())
    if (const std::string fault = tran_fault(times); !fault.empty()) throw CardError{begin, fault};
  mark(begin, std::move(card));
}

}  // namespace gridiron
