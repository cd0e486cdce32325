// SPDX-License-Identifier: Apache-2.0
#include "netlist/values/scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "netlist/deck/conditions.hpp"
#include "netlist/deck/deck_findings.hpp"
#include "netlist/deck/deck_ledger.hpp"
#include "netlist/deck/dialect_guess.hpp"
#include "netlist/deck/foreign_text.hpp"
#include "netlist/deck/include_path.hpp"
#include "netlist/deck/section_bounds.hpp"
#include "netlist/deck/unread_parts.hpp"
#include "netlist/extracted/cdl_cards.hpp"
#include "netlist/grammar/card.hpp"
#include "netlist/names/lower_case.hpp"
#include "support/error_text.hpp"
#include "support/nearest_names.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestInclude = 32;
constexpr int kDeepestDefinition = 100;
constexpr size_t kMostFiles = 65'536;

/// Reads files and assigns their cards to scopes.
class DeckReader {
 public:
  /// `language`: that of conditions; none: what is guessed where the first of them stands.
  DeckReader(const ReadOptions& options, std::optional<Dialect> language, Deck& deck)
      : options_(options), language_(language), deck_(deck), files_(deck.files), scope_(&deck.top) {}

  /// One file after the other, each up to its .end.
  void read(std::vector<std::shared_ptr<const SourceText>> files) {
    std::vector<char> has_end;
    for (const auto& text : files) {
      if (std::ranges::count(files, text->path(), &SourceText::path) > 1)
        throw input_error("{}: is given twice; leave it out once", text->path());
      has_end.push_back(read_file(text, "", {}, {}));
    }
    if (conditions_) conditions_->take_parameters();
    deck_.missing_end = missing_end(files, has_end);
    report_replaced_option(deck_);
    for (const Ledger::File& file : deck_.ledger.files)
      if (files_.size() > 1 && has_no_cards(file))
        deck_.findings.push_back({true, "empty-file", "this file has no cards; is it what was meant?", file.path});
  }

  /// Conditions outside of subcircuits; null if there are none.
  TopConditions* conditions() { return conditions_ ? &*conditions_ : nullptr; }

 private:
  /// The stack of files, and sections of them, being read; each includes the next.
  using Chain = std::vector<std::pair<std::string, std::string>>;

  /// A file that is being read, or a section of it.
  struct Reading {
    size_t file;
    std::string section;  ///< in lower case; empty: all but the sections
    Chain chain;          ///< this file is the last of it
    bool in_section, has_section, has_end = false;
    std::vector<uint64_t> whole_libraries = {};  ///< where they are named
    const StructureMark* open_section = nullptr;
    OpenBlocks blocks = {};
    UnreadParts unread = {};
    CardTally tally = {};  ///< of the chunk at hand

    bool is_active() const { return in_section && blocks.are_live(); }

    /// What becomes of a card here, unless it is read.
    std::optional<CardKind> unread_kind() const {
      if (!in_section) return left_out(open_section, !section.empty());
      return blocks.are_live() ? std::nullopt : std::optional(CardKind::other_branch);
    }
  };

  /// `card`: that includes it. Returns whether an .end came.
  bool read_file(std::shared_ptr<const SourceText> text, const std::string& section, Chain chain, Origin card) {
    if (files_.size() == kMostFiles) throw input_error("{}: more than {} included files", text->path(), kMostFiles);
    refuse_foreign(*text);
    const size_t file = files_.size();
    chain.emplace_back(canonical_path(text->path()), lower(section));
    std::vector<ParsedChunk> chunks = parse_text(*text, file == 0, options_);
    files_.push_back({std::move(text), std::move(chunks), {.is_included = chain.size() > 1, .card = card}});
    for (const Scope* s = scope_; s->outer; s = s->outer) files_[file].around.push_back(s->opened);
    deck_.ledger.files.push_back({files_[file].text->path(), {}});

    Scope* const outside = scope_;
    Reading reading{file, lower(section), std::move(chain), section.empty(), section.empty()};
    reading.unread.change(0, reading.unread_kind());
    const bool has_no_sections = options_.dialect == Dialect::pspice || options_.dialect == Dialect::ltspice;
    reading.whole_libraries = whole_libraries(files_[file], has_no_sections);
    for (size_t c = 0; c < files_[file].chunks.size(); ++c) {
      read_chunk(reading, c);
      if (reading.has_end) files_[file].chunks.resize(c + 1);
    }
    require_endl(files_[file], reading.open_section);
    reading.blocks.require_closed(files_[file]);
    report_unread(deck_, file);
    if (scope_ != outside)
      files_[file].fail(scope_->opened.offset, fmt::format(".subckt {} has no .ends", scope_->name));
    if (!reading.has_section) throw MissingSection{sections_of(files_[file], reading.whole_libraries)};
    return reading.has_end;
  }

  /// What elements are part of where they stand.
  struct Part {
    int32_t unread, branch;  ///< a CardKind, what becomes of them; −1 if they are read
    CardKind kind(Kind of_element) const { return static_cast<CardKind>(unread < 0 ? of_element : unread); }
    bool operator==(const Part&) const = default;
  };
  Part part_of(const Reading& reading) const {
    const std::optional<CardKind> unread = reading.unread_kind();
    return {unread ? static_cast<int32_t>(*unread) : -1, branch_};
  }

  /// Up to the .end, if it comes.
  void read_chunk(Reading& reading, size_t c) {
    const size_t file = reading.file;
    const ParsedChunk& chunk = files_[file].chunks[c];  // which stays where it is while further files are read
    ElementCounts position{};
    const auto take = [&](const Part& part, const ElementCounts& until) {
      if (position == until) return;
      if (part.unread < 0) scope_->add({file, c, position, until, part.branch});
      for (const Kind k : kEveryKind) reading.tally.add(part.kind(k), until[k] - position[k]);
      position = until;
    };
    auto failure = chunk.failures.begin();
    const auto fail_before = [&](uint64_t offset) {
      for (; failure != chunk.failures.end() && failure->offset < offset; ++failure)
        if (reading.is_active()) fail_card(file, *failure);
    };
    const ElementCounts all = chunk.counts();
    Part here = part_of(reading);
    std::optional<Part> has_rows;  // that the ledger has, for all elements of this chunk
    auto condition = chunk.conditions.begin();
    const auto read_conditions_before = [&](uint64_t offset) {
      for (; condition != chunk.conditions.end() && condition->offset < offset; ++condition) {
        if (failure != chunk.failures.end()) fail_before(condition->offset);
        if (has_rows != here) {  // a new row comes before that of conditions
          const auto is_new = [&](Kind k) { return all[k] > 0 && !reading.tally.has(here.kind(k)); };
          if (std::ranges::any_of(kEveryKind, is_new)) take(here, chunk.counts_before(condition->offset, position));
          if (std::ranges::none_of(kEveryKind, is_new)) has_rows = here;
        }
        read_condition(reading, *condition);
        if (const Part next = part_of(reading); next != here) {
          take(here, chunk.counts_before(condition->offset, position));
          reading.unread.change(condition->offset, reading.unread_kind());
          here = next;
        }
      }
    };
    for (size_t m = 0; m < chunk.marks.size() && !reading.has_end; ++m) {
      const StructureMark& mark = chunk.marks[m];
      read_conditions_before(mark.offset);
      fail_before(mark.offset);
      if (ends_elements(mark.card)) take(here, mark.before);
      read_mark(reading, mark);
      here = part_of(reading);
    }
    constexpr uint64_t kEnd = std::numeric_limits<uint64_t>::max();
    if (!reading.has_end) read_conditions_before(kEnd);
    reading.tally.enter_into(deck_.ledger.files[file]);
    reading.unread.leave_out(files_[file].chunks[c], deck_.ledger.files[file]);
    enter_cards(deck_.ledger.files[file], chunk);
    if (reading.has_end) return;
    take(here, all);
    reading.tally.enter_into(deck_.ledger.files[file]);
    fail_before(kEnd);
  }

  void read_mark(Reading& reading, const StructureMark& mark) {
    const size_t file = reading.file;
    const auto* const lib = std::get_if<ast::Include>(&mark.card);
    const bool is_whole = lib && std::ranges::binary_search(reading.whole_libraries, mark.offset);
    const bool opens_section = lib && lib->file.empty() && !is_whole;
    const bool bounds_section = opens_section || std::holds_alternative<LibSectionEnd>(mark.card);
    reading.tally.add(bounds_section ? kind_of(mark.card) : reading.unread_kind().value_or(kind_of(mark.card)), 1);
    if (bounds_section && reading.in_section) reading.blocks.require_closed(files_[file]);
    if (opens_section) {
      require_endl(files_[file], reading.open_section);
      reading.open_section = &mark;
      reading.in_section = !reading.section.empty() && lower(lib->section) == reading.section;
      if (reading.in_section && reading.has_section)
        files_[file].fail(mark.offset, fmt::format("section '{}' is there twice; remove one", lib->section));
      reading.has_section |= reading.in_section;
      if (reading.in_section) files_[file].range.begin = end_of_card(files_[file], mark.offset);
    } else if (bounds_section) {
      require_open(files_[file], reading.open_section, std::get<LibSectionEnd>(mark.card), mark.offset);
      if (!reading.section.empty() && reading.in_section) files_[file].range.end = mark.offset;
      reading.open_section = nullptr;
      reading.in_section = reading.section.empty();
    } else if (std::holds_alternative<EndCard>(mark.card)) {
      reading.has_end = true;
      if (reading.section.empty()) files_[file].range.end = mark.offset;
      report_what_follows(reading, mark.offset);
    } else if (reading.is_active()) {
      if (scope_->outer && std::holds_alternative<EndsCard>(mark.card))
        reading.blocks.require_closed(files_[file], scope_);
      if (is_whole)
        include_library(*lib, file, mark.offset, reading.chain);
      else
        apply(mark, file, reading.chain);
    }
    if (bounds_section) reading.unread.change(mark.offset, reading.unread_kind());
  }

  void read_condition(Reading& reading, const ConditionMark& mark) {
    const size_t file = reading.file;
    const bool begins = mark.card.kind == ConditionCard::kIf;
    const bool is_live = reading.in_section && (begins ? reading.blocks.are_live() : reading.blocks.last_is_live());
    reading.tally.add(is_live ? CardKind::condition : reading.unread_kind().value_or(CardKind::other_branch), 1);
    if (!reading.in_section) return;
    if (!conditions_)
      conditions_.emplace(deck_, language_ ? *language_ : guess_so_far(deck_), Origin{file, mark.offset});
    reading.blocks.read(mark.card, {file, mark.offset}, files_[file], *scope_, *conditions_, branch_);
  }

  /// A card in a branch that is up to the instances matters where one takes it.
  void fail_card(size_t file, const ParsedChunk::Failure& card) {
    const std::string message = card.message + files_[file].hint_of_cut(card.offset);
    if (branch_ < 0) files_[file].fail(card.offset, message);
    Branch& branch = scope_->branches[branch_];
    if (!branch.fault.empty()) return;
    branch.fault = message;
    branch.fault_file = file;
    branch.fault_at = card.offset;
  }

  /// Lines after the .end at `offset` that are neither empty nor comments are not read.
  void report_what_follows(Reading& reading, uint64_t offset) {
    const SourceText& text = *files_[reading.file].text;
    const auto [count, first] = lines_after_end(text.text(), offset);
    if (count == 0) return;
    reading.tally.add(CardKind::after_end, count);
    deck_.findings.push_back(after_end_finding(text, count, first));
  }

  void apply(const StructureMark& mark, size_t file, const Chain& chain) {
    const auto fail = [&](const std::string& message) { files_[file].fail(mark.offset, message); };
    const Origin here{file, mark.offset};
    if (branch_ >= 0 && !fits_branch(mark.card))
      fail(
          fmt::format("{} in a branch of .if in a subcircuit is not supported; write it before the .if, or outside of "
                      "the subcircuit",
                      class_of(kind_of(mark.card)).name));
    if (const auto* card = std::get_if<ast::Include>(&mark.card)) {
      if (!card->file.empty()) include(*card, file, mark.offset, chain);
    } else if (const auto* card = std::get_if<ast::Subcircuit>(&mark.card)) {
      auto inner = std::make_unique<Scope>();
      inner->name = std::string(card->name);
      inner->outer = scope_;
      inner->opened = here;
      inner->depth = scope_->depth + 1;
      if (inner->depth > kDeepestDefinition) fail(fmt::format("more than {} .subckt deep", kDeepestDefinition));
      inner->ports = card->ports;
      for (const ast::Assignment& a : card->parameters) define(*inner, a, here);
      const auto [it, is_new] = scope_->definitions.emplace(lower(card->name), std::move(inner));
      if (!is_new) fail(fmt::format("subcircuit '{}' is defined twice; rename one", card->name));
      scope_ = it->second.get();
    } else if (const auto* card = std::get_if<EndsCard>(&mark.card)) {
      if (!scope_->outer || scope_->opened.file != file) fail(".ends without .subckt in this file");
      if (!card->names.empty() && !same_name(card->names[0], scope_->name))
        fail(fmt::format(".ends {} while .subckt {} is open; end that one first", card->names[0], scope_->name));
      scope_->bytes = mark.offset - scope_->opened.offset;
      scope_ = scope_->outer;
    } else if (const auto* card = std::get_if<ast::Instance>(&mark.card)) {
      scope_->uses.push_back({*card, file, mark.offset, branch_});
    } else if (const auto* card = std::get_if<ast::Controlled>(&mark.card)) {
      scope_->controlled.push_back({*card, here});
    } else if (const auto* card = std::get_if<ast::Coupling>(&mark.card)) {
      scope_->couplings.push_back({*card, here});
    } else if (const auto* card = std::get_if<ParamCard>(&mark.card)) {
      for (const ast::Assignment& a : card->assignments) define(*scope_, a, here);
    } else if (const auto* card = std::get_if<FunctionCard>(&mark.card)) {
      if (!scope_->functions.emplace(lower(card->function.name), card->function).second)
        fail(fmt::format("function '{}' is defined twice; remove one", card->function.name));
    } else if (const auto* card = std::get_if<GlobalCard>(&mark.card)) {
      for (const ast::Text node : card->nodes) deck_.globals.insert(lower(node));
    } else if (const auto* card = std::get_if<ast::Model>(&mark.card)) {
      const bool is_new = scope_->models.emplace(lower(card->name), ModelCard{*card, here}).second;
      if (!is_new && grammar::is_resistor_model(*card))
        fail(fmt::format("model '{}' is defined twice; remove one", card->name));
    } else if (const auto* card = std::get_if<TemperatureCard>(&mark.card)) {
      auto& last = deck_.temperatures[card->which];
      if (last && !is_same_value(last->first, card->value))
        deck_.findings.push_back({true, "temperature", "this temperature replaces an earlier one; the last one applies",
                                  files_[file].text->describe(mark.offset)});
      last = {card->value, here};
    } else if (const auto* card = std::get_if<ast::Tran>(&mark.card)) {
      if (scope_->outer)
        deck_.findings.push_back({true, "tran-in-subcircuit",
                                  "this .tran stands in a subcircuit and is not carried out; write it outside",
                                  files_[file].text->describe(mark.offset)});
      else
        deck_.tran.emplace_back(*card, here);
    }
  }

  void define(Scope& scope, const ast::Assignment& assignment, Origin where) {
    if (branch_ >= 0) return add_to_branch({branch_, assignment, where}, scope);
    const size_t next = scope.parameters.size();
    const auto [known, is_new] = scope.defined.try_emplace(lower(assignment.name), next);
    if (!is_new && !is_same_value(scope.parameters[known->second].first.value, assignment.value))
      deck_.findings.push_back(
          {true, "parameter-replaced",
           fmt::format("parameter '{}' is defined again with another value; the last one applies", assignment.name),
           files_[where.file].text->describe(where.offset)});
    known->second = next;
    scope.parameters.emplace_back(assignment, where);
  }

  /// `.lib FILE`, all of it.
  void include_library(const ast::Include& card, size_t file, uint64_t offset, const Chain& chain) {
    const bool has_no_sections = options_.dialect == Dialect::pspice || options_.dialect == Dialect::ltspice;
    if (!has_no_sections && !fs::exists(path_from(files_[file].text->path(), card.section)))
      files_[file].fail(offset,
                        fmt::format(".lib {0} begins a section that no .endl ends, and there is no file {0}; add "
                                    ".endl, or correct the name",
                                    card.section));
    include({card.section, {}}, file, offset, chain);
  }

  void include(const ast::Include& card, size_t file, uint64_t offset, const Chain& chain) {
    const fs::path as_written{std::string(card.file)}, path = path_from(files_[file].text->path(), card.file);
    if (auto finding = namesake_finding(as_written, path, files_[file].text->describe(offset)))
      deck_.findings.push_back(*std::move(finding));
    if (std::ranges::find(chain, std::pair(canonical_path(path), lower(card.section))) != chain.end())
      files_[file].fail(offset, fmt::format("'{}' includes itself; remove one .include of the cycle", card.file));
    if (chain.size() >= kDeepestInclude)
      files_[file].fail(offset, fmt::format("more than {} files deep", kDeepestInclude));
    if (options_.opens) options_.opens(path.string());
    std::shared_ptr<const SourceText> text;
    try {
      text = SourceText::open(path.string(), true);
    } catch (const InputError& e) {
      files_[file].fail(offset, fmt::format("cannot include: {}", e.what()));
    }
    try {
      read_file(std::move(text), std::string(card.section), chain, {file, offset});
    } catch (const MissingSection& e) {
      files_[file].fail(offset, fmt::format("'{}' has no section '{}'; its sections are: {}", card.file, card.section,
                                            names_near(card.section, e.sections)));
    }
  }

  const ReadOptions& options_;
  std::optional<Dialect> language_;
  Deck& deck_;
  std::vector<File>& files_;
  Scope* scope_;
  int32_t branch_ = -1;  ///< of the subcircuit that is open, if cards belong to one
  std::optional<TopConditions> conditions_;
};

}  // namespace

void read_deck(std::vector<std::shared_ptr<const SourceText>> files, const ReadOptions& options, Deck& deck) {
  // Conditions decide before the whole deck is known, and so before its language is: where they took another one, they
  // are decided anew.
  std::optional<Dialect> language;
  if (options.dialect != Dialect::automatic) language = options.dialect;
  for (;;) {
    deck = Deck();
    deck.dialect = options.dialect;
    deck.opens = options.opens;
    DeckReader reader(options, language, deck);
    reader.read(files);
    deck.language = options.dialect == Dialect::automatic ? guess_dialect(deck) : options.dialect;
    TopConditions* const conditions = reader.conditions();
    if (!conditions) break;
    if (conditions->language() == deck.language) {
      conditions->require_temperature();
      break;
    }
    if (language)
      deck.files[conditions->first().file].fail(
          conditions->first().offset,
          fmt::format("the cards that tell the dialect of this deck depend on conditions, from here on, that dialects "
                      "decide differently; give {}",
                      field("dialect")));
    language = deck.language;
  }
  decide_first_line(deck);
  require_cdl_that_reads_alike(deck);
}

}  // namespace gridiron
