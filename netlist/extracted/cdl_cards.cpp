// SPDX-License-Identifier: Apache-2.0
// Cards of CDL, which are comments to all other programs.
#include "netlist/extracted/cdl_cards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "netlist/grammar/card.hpp"
#include "netlist/grammar/primitives.hpp"
#include "netlist/names/lower_case.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/values/quantity.hpp"
#include "netlist/values/spice_number.hpp"

namespace gridiron {
namespace {

/// `VDD!` of `VDD!:P`; empty for all others.
ast::Text without_supply_kind(ast::Text node) {
  const size_t n = node.size();
  const bool has_kind = n > 2 && node[n - 2] == ':' && (node[n - 1] | 0x20) >= 'a' && (node[n - 1] | 0x20) <= 'z';
  return has_kind ? node.substr(0, n - 2) : ast::Text();
}

/// Moves `at` from a newline behind the `*+` that begins the next line.
bool continues_as_comment(const char*& at, const char* end) {
  if (end - at < 3 || at[1] != '*' || at[2] != '+') return false;
  at += 3;
  return true;
}

/// Which words of a card may be numbers, by its first one.
struct Numbers {
  size_t names = 0;            ///< that many words first are names: of the card and of nodes
  bool only_assigned = false;  ///< only what follows an equals sign
};

Numbers numbers_of(std::string_view word) {
  switch (word.empty() ? '.' : lower(word.front())) {
    case 'e':
    case 'g':
      return {5};
    case 'x':
      return {1, true};
    case '.':
      break;
    default:
      return {3};
  }
  const auto is = [word](std::string_view name) { return same_name(word, name); };
  for (const std::string_view directive : {".param", ".para", ".params", ".parameter"})
    if (is(directive)) return {2};
  for (const std::string_view directive : {".func", ".if", ".elseif", ".temp", ".tran"})
    if (is(directive)) return {1};
  return {1, true};
}

/// Finds numbers with an M for their suffix in the lines of a text, card by card.
class NumbersWithM {
 public:
  /// Where a line has one; npos if nowhere. A line that begins with '+' goes on with the card before.
  size_t find(std::string_view line) {
    if (line.front() != '+') {
      const size_t end = std::min(line.find_first_of(" \t\r=("), line.size());
      numbers_ = numbers_of(line.substr(0, end));
      words_ = 0;
      is_assigned_ = false;
    }
    constexpr std::string_view kBetween = " \t\r,()+";
    for (size_t i = line.front() == '+' ? 1 : 0; i < line.size();) {
      if (line[i] == ';' || (line[i] == '$' && (i == 0 || grammar::is_blank(line[i - 1])))) break;
      if (line[i] == '{' || line[i] == '\'') {
        const size_t end = std::min(line.find(line[i] == '{' ? '}' : '\'', i + 1), line.size());
        if (const size_t found = within(line, i + 1, end, true); found != line.npos) return found;
        i = end + 1;
        ++words_;
      } else if (line[i] == '=') {
        is_assigned_ = true;
        ++i;
      } else if (kBetween.find(line[i]) != kBetween.npos) {
        ++i;
      } else {
        const size_t end = std::min(line.find_first_of(" \t\r,()={'", i), line.size());
        const std::string_view word = line.substr(i, end - i);
        if (same_name(word, "poly")) numbers_.names += 2;
        for (const std::string_view kind : {"vcvs", "vccs", "cccs", "ccvs"})
          if (same_name(word, kind)) ++numbers_.names;
        const bool may_be_number = is_assigned_ || (words_ >= numbers_.names && !numbers_.only_assigned);
        if (const size_t found = within(line, i, end, false); may_be_number && found != line.npos) return found;
        i = end;
        ++words_;
        is_assigned_ = false;
      }
    }
    return line.npos;
  }

 private:
  /// The same of the text from `begin` to `end` of a line: an expression, or a word that may be one.
  static size_t within(std::string_view line, size_t begin, size_t end, bool is_expression) {
    constexpr std::string_view kBefore = " \t,(+-*/<>?:=!&|";
    for (size_t i = begin; i < end; ++i) {
      const bool begins_number = (line[i] >= '0' && line[i] <= '9') || line[i] == '.';
      if (!begins_number || (i > begin && kBefore.find(line[i - 1]) == kBefore.npos)) continue;
      double digits = 0;
      const char* const last = line.data() + end;
      const char* const letters = parse_decimal(line.data() + i, last, digits);
      if (!letters || letters == last || lower(*letters) != 'm') continue;
      const std::string_view rest(letters, static_cast<size_t>(std::min<ptrdiff_t>(3, last - letters)));
      if (same_name(rest, "meg") || same_name(rest, "mil")) continue;
      if (is_expression || end_of_letters(letters, last) == last ||
          kBefore.find(*end_of_letters(letters, last)) != kBefore.npos)
        return i;
    }
    return line.npos;
  }

  Numbers numbers_;
  size_t words_ = 0;
  bool is_assigned_ = false;
};

/// Calls `visit` with each line of a card, but for comments and the title, and its place in the text.
template <class Visit>
void each_card_line(const File& file, Visit visit) {
  const std::string_view text = file.text->text();
  const std::string_view title = file.chunks.empty() ? std::string_view() : file.chunks.front().title;
  bool is_of_comment = false;  // that lines with '+' continue
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const size_t first = std::min(text.find_first_not_of(" \t\r", at), end);
    const std::string_view line = text.substr(first, end - first);
    at = end + 1;
    if (line.starts_with('.') && same_name(line.substr(0, line.find_first_of(" \t\r")), ".end")) return;
    if (line.empty() || (first == 0 && line == title)) continue;
    if (line.front() != '+' && !grammar::is_comment_sign(line.front())) is_of_comment = false;
    if (grammar::begins_cdl_comment(line.data(), line.data() + line.size())) is_of_comment = true;
    if (!is_of_comment && !grammar::is_comment_sign(line.front())) visit(first, line);
  }
}

void require_no_m(const File& file, const std::string& mega) {
  NumbersWithM numbers;
  each_card_line(file, [&](size_t first, std::string_view line) {
    if (const size_t found = numbers.find(line); found != line.npos)
      file.fail(first + found, fmt::format("M behind a number is mega to CDL, as {} has *.MEGA, and milli here; write "
                                           "MEG or an exponent, and remove *.MEGA",
                                           mega));
  });
}

/// Whether a word that ends with M is assigned to behind the first '$' of a line, which few lines have.
bool may_have_multiplier(std::string_view line) {
  const size_t sign = line.find('$');
  for (size_t at = sign; at != line.npos && (at = line.find('=', at)) != line.npos; ++at) {
    size_t end = at;
    while (end > sign && grammar::is_blank(line[end - 1])) --end;
    if ((line[end - 1] | 0x20) == 'm') return true;
  }
  return false;
}

/// Where `line` has `M=` behind annotations that begin with '$'; npos if nowhere. Behind $PINS it would be a pin.
size_t multiplier_behind_annotation(std::string_view line) {
  if (!may_have_multiplier(line)) return line.npos;
  constexpr std::string_view kBlank = " \t\r";
  bool is_behind = false;
  for (size_t i = line.find_first_not_of(kBlank); i < line.size(); i = line.find_first_not_of(kBlank, i)) {
    const size_t end = std::min(line.find_first_of(" \t\r=", i), line.size());
    const std::string_view word = line.substr(i, end - i);
    if (line[i] == ';' || same_name(word, "$pins")) break;
    is_behind |= line[i] == '$';
    const size_t next = line.find_first_not_of(kBlank, end);
    const bool is_assigned = next < line.size() && line[next] == '=';
    if (is_behind && is_assigned && same_name(word, "m")) return i;
    i = std::max(end, i + 1);
  }
  return line.npos;
}

void require_no_mega(const Deck& deck) {
  for (const File& file : deck.files)
    for (const ParsedChunk& chunk : file.chunks)
      for (const DirectiveCards& cards : chunk.directives)
        if (cards.directive->word == "*.mega") {
          const std::string mega = file.text->describe(cards.offset);
          for (const File& other : deck.files) require_no_m(other, mega);
          return;
        }
}

void require_multipliers_before_annotations(const Deck& deck) {
  if (deck.language != Dialect::cdl) return;
  for (const File& file : deck.files)
    each_card_line(file, [&file](size_t first, std::string_view line) {
      if (const size_t found = multiplier_behind_annotation(line); found != line.npos)
        file.fail(first + found,
                  "M= behind annotations with '$' counts to CDL and is a comment here; write it before them");
    });
}

}  // namespace

std::vector<ast::Text> cdl_global_nodes(const char*& at, const char* end) {
  std::vector<ast::Text> nodes;
  grammar::x3::unused_type unused;
  while (at != end && grammar::is_word_char(*at)) ++at;  // *.GLOBAL
  for (;;) {
    grammar::between_tokens().parse(at, end, unused, unused, unused);
    if (at == end) return nodes;
    if (ast::Text node; *at == ',') {
      ++at;
    } else if (grammar::word::read(at, end, node)) {
      nodes.push_back(node);
      if (const ast::Text name = without_supply_kind(node); !name.empty()) nodes.push_back(name);
    } else if (*at != '\n') {
      throw grammar::SyntaxError(at, "a node name");
    } else if (!continues_as_comment(at, end)) {
      return nodes;
    }
  }
}

bool is_cdl_scale_of_metres(const char* at, const char* end) {
  while (at != end && grammar::is_word_char(*at)) ++at;
  while (at != end && (grammar::is_blank(*at) || *at == '=')) ++at;
  if (at == end || *at == '\n') return true;
  const ast::Text unit = grammar::first_word(at, end);
  return same_name(unit, "meter") || same_name(unit, "metre");
}

void require_cdl_that_reads_alike(const Deck& deck) {
  require_no_mega(deck);
  require_multipliers_before_annotations(deck);
}

}  // namespace gridiron
