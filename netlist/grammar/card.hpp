// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "netlist/grammar/ast.hpp"

/// The grammar of single cards. Each function parses the card that starts at `at`, continuation lines included, and
/// moves `at` to the end of its last line (on the newline or at `end`). Errors: SyntaxError.
namespace gridiron::grammar {

struct SyntaxError : std::runtime_error {
  SyntaxError(const char* where, const std::string& expected) : std::runtime_error(expected), where(where) {}
  const char* where;
};

void parse_passive(const char*& at, const char* end, ast::Passive& card);
void parse_source(const char*& at, const char* end, ast::Source& card);
void parse_instance(const char*& at, const char* end, ast::Instance& card);
void parse_subcircuit(const char*& at, const char* end, ast::Subcircuit& card);
void parse_include(const char*& at, const char* end, ast::Include& card);          ///< and .lib
void parse_words(const char*& at, const char* end, std::vector<ast::Text>& card);  ///< .global, .ends
/// Whether a word on a V or I card begins something else than its value: DC, AC, a waveform, ….
bool is_source_key(ast::Text text);
/// Whether a setting of R, C or L describes a part that is bought, by any text.
bool is_text_key(ast::Text text);
bool is_resistor_model(const ast::Model& card);
void parse_model(const char*& at, const char* end, ast::Model& card);
void parse_temp(const char*& at, const char* end, std::vector<ast::Value>& card);
/// Options with a number, an {expression} or a name as their value, or, with NaN, without one.
void parse_options(const char*& at, const char* end, std::vector<ast::Assignment>& card);
/// Whether a word of .tran is none of its times, but says how to simulate.
bool is_tran_word(ast::Text text);
void parse_tran(const char*& at, const char* end, ast::Tran& card);
/// The nodes of V(node), and all else that the card asks for.
struct Print {
  std::vector<ast::Text> nodes, others;
};
void parse_print(const char*& at, const char* end, Print& card);
/// Skips a card whose content is irrelevant (.op, .option, unknown ones under --lenient).
void skip_card(const char*& at, const char* end);

/// Comment cards that carry information; false for all others. `at` is the position of the '*'.
bool parse_layer_comment(const char* at, const char* end, ast::LayerComment& comment);
bool parse_nominal_comment(const char* at, const char* end, ast::NominalComment& comment);
bool parse_dbu_comment(const char* at, const char* end, double& units_per_um);
bool parse_net_comment(const char* at, const char* end, ast::NetComment& comment);

}  // namespace gridiron::grammar
