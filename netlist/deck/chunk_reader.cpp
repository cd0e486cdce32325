// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "netlist/deck/comment_reader.hpp"
#include "netlist/deck/dialect_guess.hpp"
#include "netlist/deck/directive_reader.hpp"
#include "netlist/deck/node_lookup.hpp"
#include "netlist/deck/parameter_card.hpp"
#include "netlist/deck/plain_card.hpp"
#include "netlist/deck/plain_condition.hpp"
#include "netlist/deck/plain_expression.hpp"
#include "netlist/deck/syntax_message.hpp"
#include "netlist/extracted/card_annotations.hpp"
#include "netlist/grammar/card.hpp"
#include "netlist/grammar/controlled_card.hpp"
#include "netlist/grammar/primitives.hpp"
#include "netlist/names/lower_case.hpp"
#include "netlist/values/settings.hpp"
#include "support/byte_order_mark.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

constexpr std::string_view kSlash = " / ";  // before the subcircuit of an instance, as in CDL

/// Reads the cards of one chunk, one after the other.
class ChunkReader {
 public:
  ChunkReader(const SourceText& text, size_t begin, size_t end, const ReadOptions& options)
      : text_(text.text().data()),
        at_(text_ + begin),
        end_(text_ + end),
        ends_with_line_(begin < end && end_[-1] == '\n'),
        options_(options),
        source_(text) {}

  ParsedChunk read(bool starts_deck, const SkippedBlock& block = {}) {
    const grammar::DollarNames dollar_names(options_.dialect == Dialect::pspice);
    // Reserves address space for the usual case, with a node for two resistors; only pages in use take memory.
    const auto cards = (end_ - at_) / bytes_per_card(at_, end_);
    ChunkElements& r = chunk_.elements[kResistor];
    r.a.reserve(cards);
    r.b.reserve(cards);
    r.value.reserve(cards);
    r.offset.reserve(cards);
    if (options_.mentions)
      chunk_.mentions.reserve(cards);
    else
      chunk_.names.expect(cards / 2, cards * 5);
    if (at_ == text_) at_ = without_byte_order_mark({at_, end_}).data();
    if (starts_deck) read_first_line();
    chunk_.open_block = block;
    if (block.directive) at_ = skip_block(at_, end_, chunk_.open_block);
    while (!done_ && next_card()) {
      const char* const start = at_;
      try {
        read_card();
      } catch (const grammar::SyntaxError& e) {
        fail_or_skip(start, e.where, syntax_message({start, end_}, e.where, e.what()));
      } catch (const CardError& e) {
        fail_or_skip(start, e.where, e.message);
      }
    }
    lookup_.finish();
    chunk_.names.drop_index();
    return std::move(chunk_);
  }

 private:
  /// A first line that is not a card is the title; one that reads as a card is decided by read_deck().
  void read_first_line() {
    const char* const start = at_;
    const char* line_end = at_;
    grammar::skip_card(line_end, end_);
    if (at_ == line_end || *at_ == '*' || *at_ == '.' || *at_ == '+') return;
    const bool is_continued = std::find(start, line_end, '\n') != line_end;
    const bool is_text = std::none_of(start, line_end, [](char c) {
      return static_cast<unsigned char>(c) < 32 && !grammar::is_blank(c) && c != '\n';
    });
    if (!is_text) return;
    ReadOptions strict;
    strict.dialect = options_.dialect;
    ChunkReader probe(source_, static_cast<size_t>(at_ - text_), static_cast<size_t>(line_end - text_), strict);
    const ParsedChunk line = probe.read(false);
    if (line.failures.empty()) {
      const bool is_of_circuit = !line.marks.empty() && belongs_to_circuit(line.marks[0].card);
      const bool is_element = line.counts() != ElementCounts{};  // otherwise a comment or a directive
      const char* const card = std::find_if_not(start, line_end, grammar::is_blank);
      if (is_of_circuit || is_element) chunk_.first_line = {offset(card), offset(line_end), true};
      note_bare_value(line);
      return;
    }
    if (is_continued) return;  // no title, but a card with a mistake
    chunk_.title.assign(start, line_end);
    chunk_.first_line = {offset(start), offset(line_end), false, line.failures[0].message, line.failures[0].offset};
    at_ = line_end;
  }

  /// A title of words reads as a card whose value is a parameter.
  void note_bare_value(const ParsedChunk& line) {
    for (const Kind kind : {kCapacitor, kInductor, kVoltageSource, kCurrentSource})
      for (const Deferred& card : line.deferred[kind])
        if (const ast::Text value = card.expression().empty() ? card.model() : card.expression();
            !value.empty() && grammar::is_blank(value.data()[-1])) {
          chunk_.first_line.parameter = value;
          chunk_.first_line.fault_at = offset(value.data());
        }
  }

  /// Advances to the first character of the next card, reading comments on the way.
  bool next_card() {
    for (; at_ != end_; ++at_) {
      if (*at_ == '\n' || grammar::is_blank(*at_)) continue;
      if (*at_ == '*') {
        const char* const read = comments_.read(at_, end_, offset(at_));
        const bool is_of_cdl = grammar::begins_cdl_comment(at_, end_);
        if (is_of_cdl && reads_cdl_comments_) return true;
        if (is_of_cdl) {
          grammar::skip_card(at_, end_);
          if (at_ == end_) return false;
          continue;
        }
        if (const Dialect dialect = dialect_of_comment(at_, end_); dialect != Dialect::automatic)
          notes_.add_sign(dialect, offset(at_));
        at_ = read;
      } else if (!grammar::is_comment_sign(*at_)) {
        return true;
      }
      at_ = static_cast<const char*>(std::memchr(at_, '\n', static_cast<size_t>(end_ - at_)));
      if (!at_) {
        at_ = end_;
        return false;
      }
    }
    return false;
  }

  void read_card() {
    switch (lower(*at_)) {
      case 'r':
        return read_passive(kResistor);
      case 'c':
        return read_passive(kCapacitor);
      case 'l':
        return read_passive(kInductor);
      case 'v':
        return read_source(kVoltageSource);
      case 'i':
        return read_source(kCurrentSource);
      case 'e':
      case 'f':
      case 'g':
      case 'h':
        return read_model_card<ast::Controlled>(grammar::parse_controlled);
      case 'k':
        return read_model_card<ast::Coupling>(grammar::parse_coupling);
      case 'x':
        return read_instance();
      case '.':
      case '*':  // a card of CDL
        return read_directive();
      case '+':
        throw CardError{at_, "a continuation line that continues nothing; remove the '+'"};
      default:
        if (static_cast<unsigned char>(*at_) < 32)
          throw CardError{at_, "this is not text; name a SPICE netlist (plain, .gz, .bz2, .xz or .zst)"};
        // Where one is not understood, many are not: what follows the first is but counted.
        if (!options_.lenient && notes_.has_failure()) return count_failure();
        throw CardError{at_, fmt::format("unknown card '{}'; a power grid has elements R, C, L, K, V, I, E, F, G, H "
                                         "and X ({} skips all others)",
                                         first_word(), field("lenient"))};
    }
  }

  /// False, with nothing read, for a card that is up to the grammar.
  bool read_plain(Kind kind) {
    PlainCard card;
    if (!ends_with_line_) return false;
    if (!parse_plain(at_, end_, card))
      return is_annotated(card) ? read_annotated(kind, card) : read_plain_expression(kind, card);
    add_plain(kind, card);
    return true;
  }
  void add_plain(Kind kind, const PlainCard& card) {
    const double value = card.unit.empty() ? card.value : measured(card.value, card.unit, quantity_of(kind));
    add_columns(kind, at_, card.a, card.b, value);
    at_ = card.end;
  }

  /// The same of a card that would be plain without what stands behind a `$`.
  [[gnu::noinline]] bool read_annotated(Kind kind, PlainCard& card) {
    CardAnnotation note;
    card.end = read_annotation(card.end, end_, note);
    if (grammar::is_continued(card.end, end_)) return false;
    add_plain(kind, card);
    if (kind == kResistor) add_note(note);
    return true;
  }
  /// To the last resistor.
  void add_note(const CardAnnotation& note) {
    chunk_.has_annotations = true;
    if (options_.mentions) return;
    if (chunk_.notes.cards.empty()) chunk_.notes.cards.reserve(chunk_.elements[kResistor].a.capacity());
    chunk_.notes.add(chunk_.elements[kResistor].a.size() - 1, note);
  }

  /// The same of a card whose value is an {expression} or the name of a parameter, or stands behind its key.
  [[gnu::noinline]] bool read_plain_expression(Kind kind, const PlainCard& plain) {
    constexpr char kKeys[kKinds] = {'r', 'c', 'l'};
    PlainExpression card;
    if (!parse_plain_expression(plain, end_, kKeys[kind], card)) return false;
    const bool may_be_model = kind == kResistor && card.is_name;
    if (card.is_name && !may_be_model && grammar::is_source_key(card.value.expression)) return false;
    if (!card.value.letters.empty()) card.value = measured(card.value, quantity_of(kind));
    if (!card.value.expression.empty()) {
      Deferred& more = defer(kind);
      may_be_model ? more.set_model(card.value.expression) : more.set_expression(card.value.expression);
    }
    add_columns(kind, at_, plain.a, plain.b, may_be_model ? kUnset : card.value.number);
    at_ = card.end;
    return true;
  }

  double measured(double digits, ast::Text letters, Quantity quantity) {
    return notes_.measured(digits, letters, quantity, options_.dialect, text_);
  }
  /// A number takes its suffix and unit; an expression waits for its parameters.
  ast::Value measured(ast::Value value, Quantity quantity) {
    if (!value.letters.empty()) value = {measured(value.number, value.letters, quantity), {}, {}};
    return value;
  }

  void read_passive(Kind kind) {
    if (read_plain(kind)) return;
    ast::Passive card;
    const char* const start = at_;
    grammar::parse_passive(at_, end_, card);
    add_passive(kind, start, card);
    if (kind == kResistor && std::memchr(start, '$', static_cast<size_t>(at_ - start)))
      add_note(annotation_of_card({start, at_}));
  }
  void add_passive(Kind kind, const char* start, ast::Passive& card) {
    if (!card.model && card.settings.empty() && card.value)
      return add_element(kind, start, card.a, card.b, measured(*card.value, quantity_of(kind)));
    Deferred more = read_settings(kind, card);
    if (!card.value && more.model().empty()) throw grammar::SyntaxError(at_, "a number or {expression}");
    const ast::Value value = measured(card.value.value_or(ast::Value{kUnset, {}, {}}), quantity_of(kind));
    more.set_expression(value.expression);
    more.set_index(chunk_.elements[kind].size());
    chunk_.deferred[kind].push_back(std::move(more));
    add_columns(kind, start, card.a, card.b, value.number);
  }

  void read_source(Kind kind) {
    if (read_plain(kind)) return chunk_.elements[kind].form.push_back(-1);
    ast::Source card;
    const char* const start = at_;
    grammar::parse_source(at_, end_, card);
    int32_t index = -1;
    bool has_shape = false;
    if (!card.settings.empty()) {
      index = static_cast<int32_t>(chunk_.forms.size());
      chunk_.forms.push_back(read_form(kind, card));
      has_shape = chunk_.forms.back().shape != ast::Shape::none;
    }
    if (!card.dc && !has_shape) chunk_.valueless.push_back(offset(start));
    // A source without a DC value takes the initial value of its waveform, filled in by elaborate().
    const ast::Value dc = card.dc.value_or(ast::Value{has_shape ? kUnset : 0.0, {}, {}});
    add_element(kind, start, card.a, card.b, measured(dc, quantity_of(kind)));
    chunk_.elements[kind].form.push_back(index);
  }

  /// What is to be filled in of the next element of a kind.
  Deferred& defer(Kind kind) {
    std::vector<Deferred>& all = chunk_.deferred[kind];
    if (all.empty()) all.reserve((end_ - at_) / kBytesPerCard);
    Deferred& card = all.emplace_back();
    card.set_index(chunk_.elements[kind].size());
    return card;
  }

  void add_element(Kind kind, const char* start, ast::Text a, ast::Text b, const ast::Value& value) {
    if (!value.expression.empty()) defer(kind).set_expression(value.expression);
    add_columns(kind, start, a, b, value.number);
  }

  /// "gnd" is another spelling of node 0.
  ast::Text ground_name(ast::Text name) const {
    return (name[0] | 0x20) == 'g' && name.size() < 7 && is_ground_in(options_.dialect, name) ? ast::Text("0") : name;
  }

  void add_columns(Kind kind, const char* start, ast::Text a, ast::Text b, double value) {
    ChunkElements& e = chunk_.elements[kind];
    if (options_.mentions) {
      e.a.push_back(chunk_.mentions.add(ground_name(a)));
      e.b.push_back(chunk_.mentions.add(ground_name(b), e.a.back()));
    } else {
      e.a.push_back(-1);
      e.b.push_back(-1);
      lookup_.add_chained(ground_name(a), e.a);
      lookup_.add(ground_name(b), e.b);
    }
    e.value.push_back(value);
    e.offset.push_back(offset(start));
  }

  template <class Card, class Parse>
  void read_model_card(Parse parse) {
    Card card;
    const char* const start = at_;
    parse(at_, end_, card);
    chunk_.marks.push_back({std::move(card), offset(start), chunk_.counts()});
  }

  void read_instance() {
    ast::Instance card;
    const char* const start = at_;
    grammar::parse_instance(at_, end_, card);
    if (std::search(start, at_, kSlash.begin(), kSlash.end()) != at_) notes_.add_sign(Dialect::cdl, offset(start));
    chunk_.marks.push_back({std::move(card), offset(start), chunk_.counts()});
  }

  void read_directive() {
    const char* const start = at_;
    if (ConditionCard card; ends_with_line_ && conditions_.read(at_, end_, card)) {
      if (chunk_.conditions.empty()) chunk_.conditions.reserve((end_ - at_) / kBytesPerCard);
      return directives_.add(card, start);
    }
    const ast::Text word = first_word();
    if (same_name(word, "*.global") || same_name(word, "*.connect")) notes_.add_sign(Dialect::cdl, offset(at_));
    if (same_name(word, ".connect") || same_name(word, "*.connect")) return read_connect();
    done_ = directives_.read(at_, end_);
  }

  /// `.connect a b` makes one node of two: a resistor of 0.
  void read_connect() {
    std::vector<ast::Text> nodes;
    const char* const start = at_;
    const ast::Text word = first_word();
    grammar::parse_words(at_, end_, nodes);
    if (nodes.size() != 2) throw CardError{start, fmt::format("{} joins two nodes, got {}", word, nodes.size())};
    add_columns(kResistor, start, nodes[0], nodes[1], 0);
  }

  uint64_t offset(const char* where) const { return static_cast<uint64_t>(where - text_); }

  ast::Text first_word() const { return grammar::first_word(at_, end_); }

  void count_failure() {
    notes_.add(ParsedChunk::Failure{offset(at_), {}});
    grammar::skip_card(at_, end_);
  }

  void fail_or_skip(const char* start, const char* where, std::string message) {
    if (!options_.lenient) {
      notes_.add(ParsedChunk::Failure{offset(where), std::move(message)});
    } else {
      notes_.add_skipped({offset(where), std::move(message)});
    }
    at_ = start;
    grammar::skip_card(at_, end_);
  }

  const char* text_;
  const char* at_;
  const char* end_;
  bool ends_with_line_;
  const ReadOptions& options_;
  const bool reads_cdl_comments_ = reads_cdl_comments(options_.dialect);
  const SourceText& source_;
  ParsedChunk chunk_;
  NodeLookup lookup_{chunk_.names};
  CommentReader comments_{options_, chunk_};
  SectionNotes notes_{chunk_};
  DirectiveReader directives_{text_, options_, chunk_, notes_};
  PlainConditions conditions_;
  bool done_ = false;
};

}  // namespace

ParsedChunk read_chunk(const SourceText& text, size_t begin, size_t end, const ReadOptions& options, bool starts_deck,
                       const SkippedBlock& block) {
  return ChunkReader(text, begin, end, options).read(starts_deck, block);
}

}  // namespace gridiron
