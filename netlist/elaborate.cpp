// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "netlist/deck.hpp"
#include "netlist/expression.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestInclude = 32;
constexpr int kDeepestInstance = 100;
constexpr int kDeepestDefinition = 100;
constexpr std::size_t kMostFiles = 65'536;

/// Limit on the size of the flattened text; more is malicious or a mistake.
constexpr std::size_t kLargestUnfolding = 2000;  // times the size of the deck
constexpr std::size_t kAlwaysAllowed = std::size_t{256} << 20;
constexpr std::size_t kBytesPerCard = 40;  // in addition to the path of its instance

std::string lower(ast::Text text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return out;
}

/// An input file; its index is Origin::file.
struct File {
  std::shared_ptr<const SourceText> text;
  std::vector<ParsedChunk> chunks;

  [[noreturn]] void fail(std::uint64_t offset, const std::string& message) const {
    throw InputError(fmt::format("{}: {}", text->describe(offset), message));
  }
};

/// The elements of one chunk from `begin` to `end`.
struct Piece {
  std::size_t file, chunk;
  ElementCounts begin, end;
};

struct Use {
  ast::Instance card;
  std::size_t file;
  std::uint64_t offset;
};

/// A subcircuit as defined, or the top level.
struct Scope {
  std::string name;
  Scope* outer = nullptr;
  Origin opened{};
  std::size_t bytes = 0;  ///< of text from .subckt to .ends
  int depth = 0;
  std::vector<ast::Text> ports;
  std::vector<std::pair<ast::Assignment, Origin>> parameters;
  std::vector<Piece> pieces;
  std::vector<Use> uses;
  std::map<std::string, std::unique_ptr<Scope>> definitions;

  const Scope* find(const std::string& subcircuit) const {
    for (const Scope* s = this; s; s = s->outer)
      if (const auto it = s->definitions.find(subcircuit); it != s->definitions.end()) return it->second.get();
    return nullptr;
  }
};

/// Parameters of one instance; evaluated on demand, so their order in the deck does not matter.
class Parameters {
 public:
  Parameters(Parameters* outer, const std::vector<File>& files) : outer_(outer), files_(files) {}

  void define(const ast::Assignment& a, Origin where) { entries_[lower(a.name)] = {a.value, where, Entry::waiting, 0}; }
  void set(ast::Text name, double value) { entries_[lower(name)] = {{value, {}}, {}, Entry::known, value}; }

  double evaluate(const ast::Value& value, const File& file, std::uint64_t fallback_offset) {
    if (value.expression.empty()) return value.number;
    const char* begin = file.text->text().data();
    const bool inside = value.expression.data() >= begin && value.expression.data() <= begin + file.text->text().size();
    try {
      return evaluate_expression(value.expression, [this](std::string_view name) { return look_up(name); });
    } catch (const ExpressionError& e) {
      file.fail(inside ? static_cast<std::uint64_t>(value.expression.data() - begin) : fallback_offset, e.what());
    }
  }

 private:
  struct Entry {
    ast::Value value;
    Origin where{};
    enum { waiting, running, known } state = waiting;
    double number = 0;
  };

  /// An entry and the instance whose parameter it is.
  struct Found {
    Parameters* owner = nullptr;
    Entry* entry = nullptr;
  };

  Found find(std::string_view name) {
    const std::string key = lower(name);
    for (Parameters* p = this; p; p = p->outer_)
      if (const auto it = p->entries_.find(key); it != p->entries_.end()) return {p, &it->second};
    return {};
  }

  double look_up(std::string_view name) {
    const Found found = find(name);
    if (!found.entry) throw ExpressionError(fmt::format("unknown parameter '{}'; define it with .param", name));
    if (found.entry->state == Entry::running)
      throw ExpressionError(fmt::format("parameter '{}' depends on itself", name));
    if (found.entry->state == Entry::waiting) settle(found);
    return found.entry->number;
  }

  /// Evaluates an entry after those it depends on. Uses an explicit stack, as chains of parameters may be long.
  static void settle(Found wanted) {
    std::vector<Found> open{wanted};
    while (!open.empty()) {
      const auto [owner, entry] = open.back();
      if (entry->state == Entry::waiting) {
        entry->state = Entry::running;
        for_each_name(entry->value.expression, [&open, owner = owner](std::string_view name) {
          const Found needed = owner->find(name);
          if (needed.entry && needed.entry->state == Entry::waiting) open.push_back(needed);
        });
        continue;
      }
      open.pop_back();
      if (entry->state == Entry::known) continue;
      entry->number = owner->evaluate(entry->value, owner->files_[entry->where.file], entry->where.offset);
      entry->state = Entry::known;
    }
  }

  Parameters* outer_;
  const std::vector<File>& files_;
  std::map<std::string, Entry> entries_;
};

/// Reads files and assigns their cards to scopes.
class DeckReader {
 public:
  explicit DeckReader(const ReadOptions& options) : options_(options) {}

  void read_main(std::shared_ptr<const SourceText> text) { read_file(std::move(text), "", {}); }

  Scope top;
  std::vector<File> files;
  std::set<std::string> globals;

 private:
  /// The stack of files, and sections of them, being read; each includes the next.
  using Chain = std::vector<std::pair<std::string, std::string>>;

  static std::string canonical(const fs::path& path) {
    std::error_code error;
    const fs::path found = fs::weakly_canonical(path, error);
    return error ? path.string() : found.string();
  }

  void read_file(std::shared_ptr<const SourceText> text, const std::string& section, Chain chain) {
    if (files.size() == kMostFiles)
      throw InputError(fmt::format("{}: more than {} included files", text->path(), kMostFiles));
    const std::size_t file = files.size();
    chain.emplace_back(canonical(text->path()), lower(section));
    std::vector<ParsedChunk> chunks = parse_text(*text, file == 0, options_);
    files.push_back({std::move(text), std::move(chunks)});

    Scope* const outside = scope_;
    bool active = section.empty(), found = section.empty(), ended = false;
    for (std::size_t c = 0; c < files[file].chunks.size() && !ended; ++c) {
      ElementCounts position{};
      const auto flush = [&](const ElementCounts& until) {
        if (active && position != until) scope_->pieces.push_back({file, c, position, until});
        position = until;
      };
      for (std::size_t m = 0; m < files[file].chunks[c].marks.size() && !ended; ++m) {
        const StructureMark mark = files[file].chunks[c].marks[m];
        if (splits_elements(mark.card)) flush(mark.before);
        if (const auto* lib = std::get_if<ast::Include>(&mark.card); lib && lib->file.empty() && !section.empty()) {
          active = lower(lib->section) == lower(section);
          found |= active;
        } else if (std::holds_alternative<LibSectionEnd>(mark.card)) {
          active = section.empty();
        } else if (std::holds_alternative<EndCard>(mark.card)) {
          ended = true;
        } else if (active) {
          apply(mark, file, chain);
        }
      }
      if (ended) {
        files[file].chunks.resize(c + 1);
        break;
      }
      flush(files[file].chunks[c].counts());
      if (const auto& failure = files[file].chunks[c].failure) files[file].fail(failure->offset, failure->message);
    }
    if (scope_ != outside)
      files[file].fail(scope_->opened.offset, fmt::format(".subckt {} has no .ends", scope_->name));
    if (!found) throw InputError(fmt::format("{}: has no section '.lib {}'", files[file].text->path(), section));
  }

  /// Parameters and instances may appear among the elements of their scope; all other cards end a run of elements.
  static bool splits_elements(const StructureCard& card) {
    return !std::holds_alternative<ParamCard>(card) && !std::holds_alternative<GlobalCard>(card) &&
           !std::holds_alternative<ast::Instance>(card);
  }

  void apply(const StructureMark& mark, std::size_t file, const Chain& chain) {
    const auto fail = [&](const std::string& message) { files[file].fail(mark.offset, message); };
    const Origin here{file, mark.offset};
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
      for (const ast::Assignment& a : card->parameters) inner->parameters.emplace_back(a, here);
      const auto [it, is_new] = scope_->definitions.emplace(lower(card->name), std::move(inner));
      if (!is_new) fail(fmt::format("subcircuit '{}' is defined twice; rename one", card->name));
      scope_ = it->second.get();
    } else if (std::holds_alternative<EndsCard>(mark.card)) {
      if (!scope_->outer || scope_->opened.file != file) fail(".ends without .subckt in this file");
      scope_->bytes = mark.offset - scope_->opened.offset;
      scope_ = scope_->outer;
    } else if (const auto* card = std::get_if<ast::Instance>(&mark.card)) {
      scope_->uses.push_back({*card, file, mark.offset});
    } else if (const auto* card = std::get_if<ParamCard>(&mark.card)) {
      for (const ast::Assignment& a : card->assignments) scope_->parameters.emplace_back(a, here);
    } else if (const auto* card = std::get_if<GlobalCard>(&mark.card)) {
      for (const ast::Text node : card->nodes) globals.insert(lower(node));
    }
  }

  void include(const ast::Include& card, std::size_t file, std::uint64_t offset, const Chain& chain) {
    fs::path path{std::string(card.file)};
    const std::string& from = files[file].text->path();
    if (path.is_relative() && !from.starts_with('<')) path = fs::path(from).parent_path() / path;
    if (std::find(chain.begin(), chain.end(), std::pair(canonical(path), lower(card.section))) != chain.end())
      files[file].fail(offset, fmt::format("'{}' includes itself; remove one .include of the cycle", card.file));
    if (chain.size() >= kDeepestInclude)
      files[file].fail(offset, fmt::format("more than {} files deep", kDeepestInclude));
    std::shared_ptr<const SourceText> text;
    try {
      text = SourceText::open(path.string(), true);
    } catch (const InputError& e) {
      files[file].fail(offset, fmt::format("cannot include: {}", e.what()));
    }
    read_file(std::move(text), std::string(card.section), chain);
  }

  const ReadOptions& options_;
  Scope* scope_ = &top;
};

/// Builds a waveform from its arguments; `error` describes invalid ones.
Waveform make_waveform(ast::Shape shape, const std::vector<double>& v, std::string& error) {
  const auto at = [&](std::size_t i) { return i < v.size() ? v[i] : kUnset; };
  const auto count = [&](const char* what, std::size_t least, std::size_t most) {
    if (v.size() < least || v.size() > most)
      error = fmt::format("{} takes {} to {} numbers, got {}", what, least, most, v.size());
  };
  switch (shape) {
    case ast::Shape::pulse:
      count("PULSE", 2, 8);
      return Pulse{at(0), at(1), at(2), at(3), at(4), at(5), at(6)};
    case ast::Shape::sin:
      count("SIN", 2, 6);
      return Sin{at(0), at(1), at(2), at(3), at(4)};
    case ast::Shape::exp:
      count("EXP", 2, 6);
      return Exp{at(0), at(1), at(2), at(3), at(4), at(5)};
    default: {
      if (v.empty() || v.size() % 2 != 0)
        error = fmt::format("PWL takes pairs of time and value, got {} numbers", v.size());
      Pwl pwl;
      for (std::size_t i = 0; i + 1 < v.size(); i += 2) {
        if (i > 0 && v[i] < v[i - 2]) error = "PWL times must not decrease";
        pwl.points.emplace_back(v[i], v[i + 1]);
      }
      return pwl;
    }
  }
}

/// Builds the circuit from the scopes.
class Flattener {
 public:
  explicit Flattener(DeckReader& deck) : deck_(deck) { circuit_.nodes.intern("0"); }

  Circuit run() {
    std::size_t deck_bytes = 0;
    for (const File& f : deck_.files) {
      circuit_.files.push_back(f.text);
      deck_bytes += f.text->text().size();
    }
    room_ = std::max(kAlwaysAllowed, kLargestUnfolding * deck_bytes);
    merge_top_level();
    collect_cards();
    Parameters parameters(nullptr, deck_.files);
    define(parameters, deck_.top);
    finish_values(deck_.top, parameters, ElementCounts{});
    for (const Use& use : deck_.top.uses) expand(use, deck_.top, parameters, {}, "", 1);
    return std::move(circuit_);
  }

 private:
  using Nodes = std::map<std::string, NodeId>;

  ParsedChunk& chunk(const Piece& p) { return deck_.files[p.file].chunks[p.chunk]; }

  static std::size_t element_count(const Piece& p) {
    std::int64_t count = 0;
    for (int k = 0; k < kKinds; ++k) count += p.end[k] - p.begin[k];
    return static_cast<std::size_t>(count);
  }

  static void define(Parameters& parameters, const Scope& scope) {
    for (const auto& [assignment, where] : scope.parameters) parameters.define(assignment, where);
  }

  /// The main path: concatenates the columns of all chunks and merges their names, on all threads.
  void merge_top_level() {
    const std::vector<Piece>& pieces = deck_.top.pieces;
    std::vector<NameTable> own(pieces.size());
    std::vector<const NameTable*> tables(pieces.size());
    parallel_tasks(static_cast<std::int64_t>(pieces.size()), [&](std::int64_t p) {
      const Piece& piece = pieces[p];
      ParsedChunk& c = chunk(piece);
      tables[p] = &c.names;
      if (piece.begin == ElementCounts{} && piece.end == c.counts()) return;
      tables[p] = &own[p];  // only part of the chunk is top level: use only the names that occur there
      for (int k = 0; k < kKinds; ++k)
        for (auto* column : {&c.elements[k].a, &c.elements[k].b})
          for (std::int64_t i = piece.begin[k]; i < piece.end[k]; ++i)
            (*column)[i] = own[p].intern(c.names[(*column)[i]]);
    });
    const std::vector<std::vector<NodeId>> map = merge_names(tables, circuit_.nodes);

    std::vector<ElementCounts> base(pieces.size() + 1, ElementCounts{});
    for (std::size_t p = 0; p < pieces.size(); ++p)
      for (int k = 0; k < kKinds; ++k) base[p + 1][k] = base[p][k] + pieces[p].end[k] - pieces[p].begin[k];
    for (int k = 0; k < kKinds; ++k) {
      Elements& e = circuit_.elements(static_cast<Kind>(k));
      const std::int64_t n = base.back()[k];
      e.a.resize(n);
      e.b.resize(n);
      e.value.resize(n);
      e.origin.resize(n);
    }
    parallel_tasks(static_cast<std::int64_t>(pieces.size()), [&](std::int64_t p) {
      const Piece& piece = pieces[p];
      for (int k = 0; k < kKinds; ++k) {
        const ChunkElements& from = chunk(piece).elements[k];
        Elements& to = circuit_.elements(static_cast<Kind>(k));
        for (std::int64_t i = piece.begin[k], j = base[p][k]; i < piece.end[k]; ++i, ++j) {
          to.a[j] = map[p][from.a[i]];
          to.b[j] = map[p][from.b[i]];
          to.value[j] = from.value[i];
          to.origin[j] = {piece.file, from.offset[i]};
        }
      }
    });
  }

  /// Expressions and waveforms of a scope's elements, which start at `base` in the circuit's columns.
  void finish_values(const Scope& scope, Parameters& parameters, ElementCounts base) {
    for (const Piece& piece : scope.pieces) {
      const ParsedChunk& c = chunk(piece);
      const File& file = deck_.files[piece.file];
      for (int k = 0; k < kKinds; ++k) {
        const std::vector<Deferred>& deferred = c.deferred[k];
        auto d = std::lower_bound(deferred.begin(), deferred.end(), piece.begin[k],
                                  [](const Deferred& a, std::int64_t index) { return a.index < index; });
        for (; d != deferred.end() && d->index < piece.end[k]; ++d)
          circuit_.elements(static_cast<Kind>(k)).value[base[k] + d->index - piece.begin[k]] =
              parameters.evaluate({0, d->expression}, file, c.elements[k].offset[d->index]);
      }
      for (const Kind k : {kVoltageSource, kCurrentSource}) {
        auto& sources = static_cast<Sources&>(circuit_.elements(k));
        for (std::int64_t i = piece.begin[k]; i < piece.end[k]; ++i) {
          const std::int32_t s = c.elements[k].shape[i];
          sources.waveform.push_back(s < 0 ? -1 : static_cast<std::int32_t>(circuit_.waveforms.size()));
          if (s < 0) continue;
          std::vector<double> arguments;
          for (const ast::Value& v : c.shapes[s].arguments)
            arguments.push_back(parameters.evaluate(v, file, c.elements[k].offset[i]));
          std::string error;
          circuit_.waveforms.push_back(make_waveform(c.shapes[s].shape, arguments, error));
          if (!error.empty()) file.fail(c.elements[k].offset[i], error);
          double& dc = sources.value[base[k] + i - piece.begin[k]];
          if (std::isnan(dc)) dc = value_at_start(circuit_.waveforms.back());
        }
      }
      for (int k = 0; k < kKinds; ++k) base[k] += piece.end[k] - piece.begin[k];
    }
  }

  void expand(const Use& use, const Scope& scope, Parameters& outer, const Nodes& outer_nodes,
              const std::string& outer_path, int depth) {
    const File& file = deck_.files[use.file];
    const auto fail = [&](const std::string& message) { file.fail(use.offset, message); };
    const ast::Text wanted = use.card.words.back();
    const Scope* definition = scope.find(lower(wanted));
    if (!definition) fail(fmt::format("unknown subcircuit '{}'; define it with .subckt", wanted));
    const std::size_t nodes = use.card.words.size() - 1;
    if (nodes != definition->ports.size())
      fail(fmt::format("subcircuit '{}' has {} ports, got {} nodes", wanted, definition->ports.size(), nodes));
    if (depth > kDeepestInstance)
      fail(fmt::format("subcircuits nested more than {} deep; does '{}' contain itself?", kDeepestInstance, wanted));
    const std::string path = fmt::format("{}{}.", outer_path, use.card.name);
    std::size_t cards = 1 + definition->ports.size() + definition->parameters.size();
    for (const Piece& piece : definition->pieces) cards += element_count(piece);
    const std::size_t bytes = cards * (path.size() + kBytesPerCard) + definition->bytes;
    if (bytes > room_)
      fail(
          fmt::format("subcircuits unfold to more than {} times the size of the deck, which no netlist does; look for "
                      "a superfluous instance in '{}'",
                      kLargestUnfolding, wanted));
    room_ -= bytes;

    Nodes ports;
    for (std::size_t i = 0; i < nodes; ++i)
      if (!ports.emplace(lower(definition->ports[i]), node_id(use.card.words[i], outer_nodes, outer_path)).second)
        fail(fmt::format("subcircuit '{}' has two ports '{}'; rename one", wanted, definition->ports[i]));
    Parameters parameters(&outer, deck_.files);
    define(parameters, *definition);
    for (const ast::Assignment& a : use.card.parameters)
      parameters.set(a.name, outer.evaluate(a.value, file, use.offset));

    ElementCounts base;
    for (int k = 0; k < kKinds; ++k) base[k] = circuit_.elements(static_cast<Kind>(k)).size();
    for (const Piece& piece : definition->pieces) copy_elements(piece, ports, path);
    finish_values(*definition, parameters, base);
    for (const Use& inner : definition->uses) expand(inner, *definition, parameters, ports, path, depth + 1);
  }

  void copy_elements(const Piece& piece, const Nodes& ports, const std::string& path) {
    const ParsedChunk& c = chunk(piece);
    for (int k = 0; k < kKinds; ++k) {
      if (piece.begin[k] == piece.end[k]) continue;
      const ChunkElements& from = c.elements[k];
      Elements& to = circuit_.elements(static_cast<Kind>(k));
      circuit_.instances[k].push_back({to.size(), path});
      for (std::int64_t i = piece.begin[k]; i < piece.end[k]; ++i) {
        to.a.push_back(node_id(c.names[from.a[i]], ports, path));
        to.b.push_back(node_id(c.names[from.b[i]], ports, path));
        to.value.push_back(from.value[i]);
        to.origin.push_back({piece.file, from.offset[i]});
      }
    }
  }

  /// A node as seen from inside an instance: a port, ground, a global node, or local to the instance.
  NodeId node_id(ast::Text name, const Nodes& ports, const std::string& path) {
    const std::string key = lower(name);
    if (const auto it = ports.find(key); it != ports.end()) return it->second;
    if (key == "0" || key == "gnd") return kGround;
    const bool is_global = path.empty() || deck_.globals.contains(key);
    return circuit_.nodes.intern(is_global ? std::string(name) : path + std::string(name));
  }

  void collect_cards() {
    const auto append = [](auto& to, auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    for (std::size_t index = 0; index < deck_.files.size(); ++index) {
      File& file = deck_.files[index];
      for (ParsedChunk& c : file.chunks) {
        append(circuit_.layer_cards, c.layer_cards);
        append(circuit_.nominal_cards, c.nominal_cards);
        append(circuit_.print_nodes, c.print_nodes);
        for (const ParsedChunk::Failure& skipped : c.skipped)
          if (circuit_.warnings.size() < kMostWarnings)
            circuit_.warnings.push_back(
                {fmt::format("{}: card skipped: {}", file.text->describe(skipped.offset), skipped.message)});
        circuit_.skipped_cards += c.skipped_cards;
        for (const auto& [net, offset] : c.net_cards) circuit_.net_cards.push_back({net, {index, offset}});
        if (c.dbu_card > 0) circuit_.dbu_card = c.dbu_card;
        if (c.tran.step > 0) circuit_.tran = c.tran;
        if (!c.title.empty()) circuit_.title = c.title;
      }
    }
  }

  DeckReader& deck_;
  Circuit circuit_;
  std::size_t room_ = 0;  ///< bytes of flat text that instances may still add
};

}  // namespace

Circuit elaborate(std::shared_ptr<const SourceText> main_file, const ReadOptions& options) {
  DeckReader deck(options);
  const std::string path = main_file->path();
  deck.read_main(std::move(main_file));
  Circuit circuit = Flattener(deck).run();
  if (circuit.element_count() == 0)
    throw InputError(fmt::format("{}: no elements in this netlist; is it the right file?", path));
  return circuit;
}

}  // namespace gridiron
