// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "netlist/grammar/card.hpp"
#include "netlist/grammar/primitives.hpp"
#include "netlist/lower_case.hpp"
#include "netlist/settings.hpp"
#include "netlist/simulator_options.hpp"
#include "netlist/spice_number.hpp"
#include "netlist/tran_card.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

/// "gnd" is another spelling of node 0.
ast::Text ground_name(ast::Text name) {
  return name.size() == 3 && (name[0] | 0x20) == 'g' && same_name(name, "gnd") ? ast::Text("0") : name;
}

/// Reads the cards of one chunk, one after the other.
class ChunkReader {
 public:
  ChunkReader(const SourceText& text, std::size_t begin, std::size_t end, const ReadOptions& options)
      : text_(text.text().data()),
        at_(text_ + begin),
        end_(text_ + end),
        ends_with_line_(begin < end && end_[-1] == '\n'),
        options_(options),
        source_(text) {}

  ParsedChunk read(bool starts_deck, const SkippedBlock& block = {}) {
    // Reserves address space for the usual case, a resistor every 40 bytes and a node for two of them; only pages in
    // use take memory.
    const auto cards = (end_ - at_) / 40;
    ChunkElements& r = chunk_.elements[kResistor];
    r.a.reserve(cards);
    r.b.reserve(cards);
    r.value.reserve(cards);
    r.offset.reserve(cards);
    if (options_.mentions)
      chunk_.mentions.reserve(cards);
    else
      chunk_.names.expect(cards / 2, cards * 5);
    if (at_ == text_) skip_byte_order_mark();
    if (starts_deck) read_first_line();
    chunk_.open_block = block;
    if (block.directive) skip_block();
    while (!done_ && next_card()) {
      const char* const start = at_;
      try {
        read_card();
      } catch (const grammar::SyntaxError& e) {
        fail_or_skip(start, e.where,
                     is_out_of_range(e.where)
                         ? "this number is beyond what a double holds"
                         : fmt::format("expected {} here; a card reads like '{}'", e.what(), example({start, end_})));
      } catch (const CardError& e) {
        fail_or_skip(start, e.where, e.message);
      }
    }
    look_up_rest();
    chunk_.names.drop_index();
    return std::move(chunk_);
  }

 private:
  void skip_byte_order_mark() {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    if (std::string_view(at_, end_).starts_with(kMark)) at_ += kMark.size();
  }

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
    const ReadOptions strict;
    ChunkReader probe(source_, static_cast<std::size_t>(at_ - text_), static_cast<std::size_t>(line_end - text_),
                      strict);
    const ParsedChunk line = probe.read(false);
    if (!line.failure) {
      const bool is_instance = !line.marks.empty() && std::holds_alternative<ast::Instance>(line.marks[0].card);
      const bool is_element = line.counts() != ElementCounts{};  // otherwise a comment or a directive
      const char* const card = std::find_if_not(start, line_end, grammar::is_blank);
      if (is_instance || is_element) chunk_.first_line = {offset(card), offset(line_end), true};
      return;
    }
    if (is_continued) return;  // no title, but a card with a mistake
    chunk_.title.assign(start, line_end);
    chunk_.first_line = {offset(start), offset(line_end), false, line.failure->message, line.failure->offset};
    at_ = line_end;
  }

  /// Advances to the first character of the next card, reading comments on the way.
  bool next_card() {
    for (; at_ != end_; ++at_) {
      if (*at_ == '\n' || grammar::is_blank(*at_)) continue;
      if (*at_ == '*')
        read_comment();
      else if (!grammar::is_comment_sign(*at_))
        return true;
      at_ = static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
      if (!at_) {
        at_ = end_;
        return false;
      }
    }
    return false;
  }

  void read_comment() {
    const char* p = at_ + 1;
    while (p != end_ && grammar::is_blank(*p)) ++p;
    if (p == end_) return;
    switch (lower(*p)) {
      case 'l': {
        ast::LayerComment c;
        if (grammar::parse_layer_comment(at_, end_, c)) {
          chunk_.layer_cards.push_back({c.number, std::string(c.layer), std::string(c.net), {0, offset(at_)}});
        } else {
          note_if_odd(p, "layer:");
        }
        break;
      }
      case 'n': {
        ast::NominalComment c;
        ast::NetComment n;
        if (grammar::parse_nominal_comment(at_, end_, c)) {
          chunk_.nominal_cards.push_back({std::string(c.net), c.volts, {0, offset(at_)}});
        } else if (grammar::parse_net_comment(at_, end_, n)) {
          chunk_.net_cards.emplace_back(n.net, offset(at_));
        } else {
          note_if_odd(p, "nominal:");
        }
        break;
      }
      case 'd':
        if (double dbu = 0; grammar::parse_dbu_comment(at_, end_, dbu) && dbu > 0 && std::isfinite(dbu)) {
          chunk_.dbu_cards.emplace_back(dbu, offset(at_));
        } else {
          note_if_odd(p, "dbu:");
        }
        break;
      default:
        break;
    }
  }

  /// `at` is where the words of a comment begin.
  void note_if_odd(const char* at, std::string_view keyword) {
    const std::size_t length = std::min(keyword.size(), static_cast<std::size_t>(end_ - at));
    if (same_name({at, length}, keyword)) chunk_.odd_comments.push_back(offset(at_));
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
      case 'x':
        return read_structure<ast::Instance>(grammar::parse_instance);
      case '.':
        return read_directive();
      case '+':
        throw CardError{at_, "a continuation line that continues nothing; remove the '+'"};
      default:
        if (static_cast<unsigned char>(*at_) < 32)
          throw CardError{at_, "this is not text; name a SPICE netlist (plain, .gz, .bz2, .xz or .zst)"};
        throw CardError{at_, fmt::format("unknown card '{}'; a power grid has R, C, L, V, I and X elements "
                                         "({} skips all others)",
                                         first_word(), field("lenient"))};
    }
  }

  /// The usual card, `name node node number` on a line of its own. False, with nothing read, for any other: it is up to
  /// the grammar. No word runs over the newline at the end of the chunk.
  bool read_plain(Kind kind) {
    if (!ends_with_line_) return false;
    const char* p = at_;
    const auto word = [&p] {
      const char* const begin = p;
      while (grammar::is_word_char(*p)) ++p;
      return ast::Text(begin, static_cast<std::size_t>(p - begin));
    };
    const auto is_at_word = [&p] {
      if (!grammar::is_blank(*p)) return false;
      do ++p;
      while (grammar::is_blank(*p));
      return *p != '$' && grammar::is_word_char(*p);
    };
    word();
    if (!is_at_word()) return false;
    const ast::Text a = word();
    if (!is_at_word()) return false;
    const ast::Text b = word();
    double value = 0;
    if (!is_at_word() || !(p = parse_decimal(p, end_, value))) return false;
    const char* const letters = p;
    if (!grammar::is_blank(*p) && *p != '\n') p = end_of_letters(letters, end_);
    const ast::Text unit(letters, static_cast<std::size_t>(p - letters));
    while (grammar::is_blank(*p)) ++p;
    if (*p != '\n' || grammar::continuation(p, end_)) return false;
    if (!unit.empty()) value = measured(value, unit, quantity_of(kind));
    add_columns(kind, at_, a, b, value);
    at_ = p;
    return true;
  }

  double measured(double digits, ast::Text letters, Quantity quantity) {
    try {
      const auto [value, reading] = scaled(digits, letters, quantity, options_.dialect);
      chunk_.readings.add(reading, offset(letters.data()));
      return value;
    } catch (const UnitError& e) {
      throw CardError{letters.data(), e.what()};
    }
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
    if (!card.model && card.settings.empty() && card.value)
      return add_element(kind, start, card.a, card.b, measured(*card.value, quantity_of(kind)));
    Deferred more = read_settings(kind, card);
    if (!card.value && more.model.empty()) throw grammar::SyntaxError(at_, "a number or {expression}");
    const ast::Value value = measured(card.value.value_or(ast::Value{kUnset, {}, {}}), quantity_of(kind));
    more.expression = value.expression;
    defer(kind, std::move(more));
    add_columns(kind, start, card.a, card.b, value.number);
  }

  void read_source(Kind kind) {
    if (read_plain(kind)) return chunk_.elements[kind].form.push_back(-1);
    ast::Source card;
    const char* const start = at_;
    grammar::parse_source(at_, end_, card);
    std::int32_t index = -1;
    bool has_shape = false;
    if (!card.settings.empty()) {
      index = static_cast<std::int32_t>(chunk_.forms.size());
      chunk_.forms.push_back(read_form(kind, card));
      has_shape = chunk_.forms.back().shape != ast::Shape::none;
    }
    if (!card.dc && !has_shape) chunk_.valueless.push_back(offset(start));
    // A source without a DC value takes the initial value of its waveform, filled in by elaborate().
    const ast::Value dc = card.dc.value_or(ast::Value{has_shape ? kUnset : 0.0, {}, {}});
    add_element(kind, start, card.a, card.b, measured(dc, quantity_of(kind)));
    chunk_.elements[kind].form.push_back(index);
  }

  void defer(Kind kind, Deferred card) {
    card.index = chunk_.elements[kind].size();
    chunk_.deferred[kind].push_back(std::move(card));
  }

  void add_element(Kind kind, const char* start, ast::Text a, ast::Text b, const ast::Value& value) {
    if (!value.expression.empty()) defer(kind, {0, value.expression, {}, {}});
    add_columns(kind, start, a, b, value.number);
  }

  void add_columns(Kind kind, const char* start, ast::Text a, ast::Text b, double value) {
    ChunkElements& e = chunk_.elements[kind];
    if (options_.mentions) {
      e.a.push_back(chunk_.mentions.add(ground_name(a)));
      e.b.push_back(chunk_.mentions.add(ground_name(b), e.a.back()));
    } else {
      e.a.push_back(-1);
      e.b.push_back(-1);
      look_up_chained(ground_name(a), e.a);
      look_up_later(ground_name(b), e.b);
    }
    e.value.push_back(value);
    e.offset.push_back(offset(start));
  }

  /// A node whose name has not been looked up yet.
  struct Waiting {
    NodeNames::Wanted node;
    std::vector<NodeId>* column;
    std::size_t row;
    std::vector<NodeId>* next_column;  ///< of the card after it, if that begins with the same node; otherwise null
    std::size_t next_row;
  };

  /// Name look-up is bound by memory latency. So the slots of the table are prefetched while the next cards are parsed,
  /// later the names they point to, and only then are the names compared: in the order of the text, as ids require.
  void look_up_later(ast::Text name, std::vector<NodeId>& column) {
    Waiting& newest = waiting_[queued_ % kWaiting];
    if (queued_ >= kWaiting) look_up(newest);
    newest = {chunk_.names.wanted(name), &column, column.size() - 1, nullptr, 0};
    chunk_.names.prefetch(newest.node);
    if (queued_ >= kWaiting / 2) chunk_.names.prefetch_name(waiting_[(queued_ - kWaiting / 2) % kWaiting].node);
    ++queued_;
  }
  void look_up(const Waiting& w) {
    const NodeId node = chunk_.names.intern(w.node);
    (*w.column)[w.row] = node;
    if (w.next_column) (*w.next_column)[w.next_row] = node;
  }
  /// Along a wire, every card begins with the node that the one before it ends at.
  void look_up_chained(ast::Text name, std::vector<NodeId>& column) {
    if (queued_ > 0) {
      Waiting& last = waiting_[(queued_ - 1) % kWaiting];
      if (last.node.name == name) {
        last.next_column = &column;
        last.next_row = column.size() - 1;
        return;
      }
    }
    look_up_later(name, column);
  }
  void look_up_rest() {
    for (std::size_t k = queued_ < kWaiting ? 0 : queued_ - kWaiting; k < queued_; ++k) look_up(waiting_[k % kWaiting]);
    queued_ = 0;
  }

  template <class Card, class Parse>
  void read_structure(Parse parse) {
    Card card;
    const char* const start = at_;
    if constexpr (requires { card.assignments; })
      parse(at_, end_, card.assignments);
    else if constexpr (requires { card.nodes; })
      parse(at_, end_, card.nodes);
    else
      parse(at_, end_, card);
    mark(start, std::move(card));
  }

  void mark(const char* where, StructureCard card) {
    chunk_.marks.push_back({std::move(card), offset(where), chunk_.counts()});
  }

  void read_directive() {
    std::string word(first_word());
    for (char& c : word) c = lower(c);
    const char* const start = at_;
    const auto skip = [&] { grammar::skip_card(at_, end_); };
    if (word == ".subckt") return read_structure<ast::Subcircuit>(grammar::parse_subcircuit);
    if (word == ".param") return read_structure<ParamCard>(grammar::parse_parameters);
    if (word == ".global") return read_structure<GlobalCard>(grammar::parse_words);
    if (word == ".lib" || word == ".endl") begin_section();
    if (word == ".include" || word == ".inc" || word == ".lib")
      return read_structure<ast::Include>(grammar::parse_include);
    if (word == ".ends") {
      EndsCard card;
      grammar::parse_words(at_, end_, card.names);
      return mark(start, std::move(card));
    }
    if (word == ".endl") {
      LibSectionEnd card;
      grammar::parse_words(at_, end_, card.names);
      return mark(start, std::move(card));
    }
    if (word == ".end") {
      skip();
      mark(start, EndCard{});
      done_ = true;
      return;
    }
    if (word == ".tran") return read_tran();
    if (word == ".print") {
      chunk_.print_cards.push_back(offset(start));
      grammar::Print card;
      grammar::parse_print(at_, end_, card);
      for (const ast::Text node : card.nodes) chunk_.prints.emplace_back(node, offset(node.data()));
      for (const ast::Text other : card.others) chunk_.unprinted.emplace_back(other, offset(other.data()));
      return;
    }
    if (word == ".model") return read_structure<ast::Model>(grammar::parse_model);
    if (word == ".temp") return read_temp();
    if (word.starts_with(".opt")) return read_options();
    const Directive* directive = find_directive(word);
    if (!directive)
      throw CardError{at_,
                      fmt::format("unknown card '{}'; write '*' before it if it does not change the operating point "
                                  "({} skips all such cards)",
                                  first_word(), field("lenient"))};
    read_not_carried_out(*directive);
  }

  void read_not_carried_out(const Directive& directive) {
    const bool is_refused = directive.treatment == Directive::Treatment::refused;
    const bool is_block = !directive.block_end.empty();
    if (is_refused) {
      const std::string message = fmt::format("{} is not supported: {}", directive.word, directive.reason);
      if (!is_block || !options_.lenient) throw CardError{at_, message};
      note_skipped(at_, fmt::format("{} (skipped up to {})", message, directive.block_end));
    } else {
      note_directive(directive);
    }
    if (!is_block) return grammar::skip_card(at_, end_);
    chunk_.open_block = {&directive, offset(at_), 0};
    skip_block();
  }

  /// What is counted is counted section by section, as those of a library may not be read.
  void begin_section() {
    section_directives_ = std::ssize(chunk_.directives);
    section_options_ = std::ssize(chunk_.options);
  }

  void note_directive(const Directive& directive) {
    std::vector<DirectiveCards>& all = chunk_.directives;
    const auto known = std::find_if(all.begin() + section_directives_, all.end(),
                                    [&](const DirectiveCards& d) { return d.directive == &directive; });
    if (known == all.end())
      all.push_back({&directive, offset(at_), 1});
    else
      ++known->count;
  }

  /// Skips the lines of the open block up to its end, which may be in a later chunk. A `.end` is left to be read.
  void skip_block() {
    SkippedBlock& block = chunk_.open_block;
    const Directive& directive = *block.directive;
    const bool nests = directive.word == ".if";
    for (; at_ != end_; ++at_) {
      while (at_ != end_ && grammar::is_blank(*at_)) ++at_;
      const ast::Text word = at_ == end_ ? ast::Text() : first_word();
      if (same_name(word, directive.word) && (nests || block.depth == 0)) ++block.depth;
      const bool ends = same_name(word, directive.block_end) && --block.depth == 0;
      if (ends) block = {};
      if (ends && directive.block_end == ".end") return;
      at_ = std::find(at_, end_, '\n');
      if (ends || at_ == end_) return;
    }
  }

  void read_temp() {
    std::vector<ast::Value> values;
    const char* const start = at_;
    grammar::parse_temp(at_, end_, values);
    if (values.size() > 1)
      throw CardError{start, fmt::format(".temp asks for runs at {} temperatures; give one", values.size())};
    mark(start, TemperatureCard{TemperatureCard::kTemp, values[0]});
  }

  void read_options() {
    std::vector<ast::Assignment> options;
    const char* const start = at_;
    grammar::parse_options(at_, end_, options);
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
      note_option(o.name, is_simulator_option(o.name) ? Fate::harmless : Fate::skipped);
    }
  }

  void note_option(ast::Text name, Fate fate) {
    std::vector<OptionUse>& all = chunk_.options;
    const auto known = std::find_if(all.begin() + section_options_, all.end(),
                                    [&](const OptionUse& o) { return same_name(o.name, name); });
    if (known == all.end())
      all.push_back({lower(name), fate, offset(name.data()), 1});
    else
      ++known->count;
  }

  void read_tran() {
    ast::Tran card;
    const char* const begin = at_;
    grammar::parse_tran(at_, end_, card);
    std::vector<double> times;
    for (ast::Value& time : card.times) {
      time = measured(time, Quantity::time);
      if (time.expression.empty()) times.push_back(time.number);
    }
    if (times.size() == card.times.size())
      if (const std::string fault = tran_fault(times); !fault.empty()) throw CardError{begin, fault};
    mark(begin, std::move(card));
  }

  std::uint64_t offset(const char* where) const { return static_cast<std::uint64_t>(where - text_); }

  ast::Text first_word() const {
    const char* p = at_;
    while (p != end_ && grammar::is_word_char(*p) && p - at_ < 40) ++p;
    return {at_, static_cast<std::size_t>(std::max<std::ptrdiff_t>(p - at_, 1))};
  }

  static const char* example(std::string_view card) {
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

  bool is_out_of_range(const char* number) const {
    double value = 0;
    number += number != end_ && (*number == '-' || *number == '+');
    return std::from_chars(number, end_, value).ec == std::errc::result_out_of_range;
  }

  void fail_or_skip(const char* start, const char* where, std::string message) {
    if (!options_.lenient) {
      chunk_.failure = ParsedChunk::Failure{offset(where), std::move(message)};
      done_ = true;
      return;
    }
    note_skipped(where, std::move(message));
    at_ = start;
    grammar::skip_card(at_, end_);
  }

  void note_skipped(const char* where, std::string message) {
    ++chunk_.skipped_cards;
    if (chunk_.skipped.size() < kMostSkipped) chunk_.skipped.push_back({offset(where), std::move(message)});
  }

  const char* text_;
  const char* at_;
  const char* end_;
  bool ends_with_line_;
  const ReadOptions& options_;
  const SourceText& source_;
  ParsedChunk chunk_;
  static constexpr std::size_t kWaiting = 32;
  std::array<Waiting, kWaiting> waiting_;
  std::size_t queued_ = 0;
  std::ptrdiff_t section_directives_ = 0, section_options_ = 0;  ///< the first ones of this section of a library
  bool done_ = false;
};

}  // namespace

ParsedChunk read_chunk(const SourceText& text, std::size_t begin, std::size_t end, const ReadOptions& options,
                       bool starts_deck, const SkippedBlock& block) {
  return ChunkReader(text, begin, end, options).read(starts_deck, block);
}

}  // namespace gridiron
