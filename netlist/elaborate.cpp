// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "netlist/deck.hpp"
#include "netlist/expression.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestInclude = 32;
constexpr int kDeepestInstance = 100;
constexpr int kDeepestParameter = 200;
constexpr std::int64_t kMostInstances = 10'000'000;
constexpr std::size_t kMostFiles = 65'536;

std::string lower(ast::Text text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return out;
}

/// A file that was read; its index is Origin::file.
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

/// Parameters of one instance; evaluated when asked for, so their order in the deck does not matter.
class Parameters {
 public:
  Parameters(const Parameters* outer, const std::vector<File>& files) : outer_(outer), files_(files) {}

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

  double look_up(std::string_view name) {
    const auto it = entries_.find(lower(name));
    if (it == entries_.end()) {
      if (!outer_) throw ExpressionError(fmt::format("unknown parameter '{}'; define it with .param", name));
      return const_cast<Parameters*>(outer_)->look_up(name);
    }
    Entry& e = it->second;
    if (e.state == Entry::running) throw ExpressionError(fmt::format("parameter '{}' depends on itself", name));
    if (e.state == Entry::waiting) {
      if (++depth_ > kDeepestParameter)
        throw ExpressionError(fmt::format("more than {} parameters deep", kDeepestParameter));
      e.state = Entry::running;
      e.number = evaluate(e.value, files_[e.where.file], e.where.offset);
      e.state = Entry::known;
      --depth_;
    }
    return e.number;
  }

  const Parameters* outer_;
  const std::vector<File>& files_;
  std::map<std::string, Entry> entries_;
  int depth_ = 0;
};

/// Reads files and sorts their cards into scopes.
class DeckReader {
 public:
  explicit DeckReader(const ReadOptions& options) : options_(options) {}

  void read_main(std::shared_ptr<const SourceText> text) { read_file(std::move(text), "", {}); }

  Scope top;
  std::vector<File> files;
  std::vector<std::string> globals;

 private:
  void read_file(std::shared_ptr<const SourceText> text, const std::string& section, std::vector<std::string> chain) {
    if (files.size() == kMostFiles)
      throw InputError(fmt::format("{}: more than {} included files", text->path(), kMostFiles));
    const std::size_t file = files.size();
    std::error_code ignored;
    chain.push_back(fs::weakly_canonical(text->path(), ignored).string());
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
        flush(mark.before);
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
      if (ended) break;
      flush(files[file].chunks[c].counts());
      if (const auto& failure = files[file].chunks[c].failure) files[file].fail(failure->offset, failure->message);
    }
    if (scope_ != outside) files[file].fail(opened_.back(), fmt::format(".subckt {} has no .ends", scope_->name));
    if (!found) throw InputError(fmt::format("{}: has no section '.lib {}'", files[file].text->path(), section));
  }

  void apply(const StructureMark& mark, std::size_t file, const std::vector<std::string>& chain) {
    const auto fail = [&](const std::string& message) { files[file].fail(mark.offset, message); };
    const Origin here{file, mark.offset};
    if (const auto* card = std::get_if<ast::Include>(&mark.card)) {
      if (!card->file.empty()) include(*card, file, mark.offset, chain);
    } else if (const auto* card = std::get_if<ast::Subcircuit>(&mark.card)) {
      auto inner = std::make_unique<Scope>();
      inner->name = std::string(card->name);
      inner->outer = scope_;
      inner->ports = card->ports;
      for (const ast::Assignment& a : card->parameters) inner->parameters.emplace_back(a, here);
      const auto [it, is_new] = scope_->definitions.emplace(lower(card->name), std::move(inner));
      if (!is_new) fail(fmt::format("subcircuit '{}' is defined twice; rename one", card->name));
      scope_ = it->second.get();
      opened_.push_back(mark.offset);
    } else if (std::holds_alternative<EndsCard>(mark.card)) {
      if (!scope_->outer) fail(".ends without .subckt");
      scope_ = scope_->outer;
      opened_.pop_back();
    } else if (const auto* card = std::get_if<ast::Instance>(&mark.card)) {
      scope_->uses.push_back({*card, file, mark.offset});
    } else if (const auto* card = std::get_if<ParamCard>(&mark.card)) {
      for (const ast::Assignment& a : card->assignments) scope_->parameters.emplace_back(a, here);
    } else if (const auto* card = std::get_if<GlobalCard>(&mark.card)) {
      for (const ast::Text node : card->nodes) globals.push_back(lower(node));
    }
  }

  void include(const ast::Include& card, std::size_t file, std::uint64_t offset,
               const std::vector<std::string>& chain) {
    fs::path path{std::string(card.file)};
    const std::string& from = files[file].text->path();
    if (path.is_relative() && !from.starts_with('<')) path = fs::path(from).parent_path() / path;
    std::error_code ignored;
    const std::string canonical = fs::weakly_canonical(path, ignored).string();
    if (std::find(chain.begin(), chain.end(), canonical) != chain.end() && card.section.empty())
      files[file].fail(offset, fmt::format("'{}' includes itself; remove one .include of the cycle", card.file));
    if (chain.size() >= kDeepestInclude)
      files[file].fail(offset, fmt::format("more than {} files deep", kDeepestInclude));
    std::shared_ptr<const SourceText> text;
    try {
      text = SourceText::open(path.string());
    } catch (const InputError& e) {
      files[file].fail(offset, fmt::format("cannot include: {}", e.what()));
    }
    read_file(std::move(text), std::string(card.section), chain);
  }

  const ReadOptions& options_;
  Scope* scope_ = &top;
  std::vector<std::uint64_t> opened_;
};

/// Arguments of a waveform, and what is wrong with them.
Waveform make_waveform(ast::Shape shape, const std::vector<double>& v, std::string& error) {
  const auto at = [&](std::size_t i) { return i < v.size() ? v[i] : kUnset; };
  const auto count = [&](const char* what, std::size_t least, std::size_t most) {
    if (v.size() < least || v.size() > most)
      error = fmt::format("{} takes {} to {} numbers, here are {}", what, least, most, v.size());
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
        error = fmt::format("PWL takes pairs of time and value, here are {} numbers", v.size());
      Pwl pwl;
      for (std::size_t i = 0; i + 1 < v.size(); i += 2) {
        if (i > 0 && v[i] < v[i - 2]) error = "PWL times must not decrease";
        pwl.points.emplace_back(v[i], v[i + 1]);
      }
      return pwl;
    }
  }
}

/// Builds the circuit out of the scopes.
class Flattener {
 public:
  explicit Flattener(DeckReader& deck) : deck_(deck) { circuit_.nodes.intern("0"); }

  Circuit run() {
    for (const File& f : deck_.files) circuit_.files.push_back(f.text);
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

  static void define(Parameters& parameters, const Scope& scope) {
    for (const auto& [assignment, where] : scope.parameters) parameters.define(assignment, where);
  }

  /// The main path: columns of all chunks side by side, names merged, on all threads.
  void merge_top_level() {
    const std::vector<Piece>& pieces = deck_.top.pieces;
    std::vector<NameTable> compacted(pieces.size());
    std::vector<std::vector<NodeId>> to_compacted(pieces.size());
    std::vector<const NameTable*> tables(pieces.size());
    parallel_tasks(static_cast<std::int64_t>(pieces.size()), [&](std::int64_t p) {
      const Piece& piece = pieces[p];
      ParsedChunk& c = chunk(piece);
      tables[p] = &c.names;
      if (piece.begin == ElementCounts{} && piece.end == c.counts()) return;
      tables[p] = &compacted[p];  // only part of the chunk is top level: only the names used there count
      to_compacted[p].assign(c.names.size(), -1);
      for (int k = 0; k < kKinds; ++k)
        for (const auto* column : {&c.elements[k].a, &c.elements[k].b})
          for (std::int64_t i = piece.begin[k]; i < piece.end[k]; ++i)
            if (NodeId& id = to_compacted[p][(*column)[i]]; id < 0) id = compacted[p].intern(c.names[(*column)[i]]);
    });
    std::vector<std::vector<NodeId>> map = merge_names(tables, circuit_.nodes);
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      if (to_compacted[p].empty()) continue;
      for (NodeId& id : to_compacted[p])
        if (id >= 0) id = map[p][id];
      map[p] = std::move(to_compacted[p]);
    }

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
      for (const Deferred& d : c.deferred) {
        if (d.index < piece.begin[d.kind] || d.index >= piece.end[d.kind]) continue;
        circuit_.elements(d.kind).value[base[d.kind] + d.index - piece.begin[d.kind]] =
            parameters.evaluate({0, d.expression}, file, c.elements[d.kind].offset[d.index]);
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
      fail(fmt::format("subcircuit '{}' has {} ports, here are {} nodes", wanted, definition->ports.size(), nodes));
    if (depth > kDeepestInstance)
      fail(fmt::format("subcircuits nested more than {} deep; does '{}' contain itself?", kDeepestInstance, wanted));
    if (++instances_ > kMostInstances) fail(fmt::format("more than {} subcircuit instances", kMostInstances));

    const std::string path = fmt::format("{}{}.", outer_path, use.card.name);
    Nodes ports;
    for (std::size_t i = 0; i < nodes; ++i)
      ports[lower(definition->ports[i])] = node_id(use.card.words[i], outer_nodes, outer_path);
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
    const bool is_global =
        path.empty() || std::find(deck_.globals.begin(), deck_.globals.end(), key) != deck_.globals.end();
    return circuit_.nodes.intern(is_global ? std::string(name) : path + std::string(name));
  }

  void collect_cards() {
    const auto append = [](auto& to, auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    for (File& file : deck_.files) {
      for (ParsedChunk& c : file.chunks) {
        append(circuit_.layer_cards, c.layer_cards);
        append(circuit_.nominal_cards, c.nominal_cards);
        append(circuit_.print_nodes, c.print_nodes);
        append(circuit_.warnings, c.warnings);
        circuit_.skipped_cards += c.skipped_cards;
        if (!c.net_card.empty()) circuit_.net_card = c.net_card;
        if (c.dbu_card > 0) circuit_.dbu_card = c.dbu_card;
        if (c.tran.step > 0) circuit_.tran = c.tran;
        if (!c.title.empty()) circuit_.title = c.title;
      }
    }
  }

  DeckReader& deck_;
  Circuit circuit_;
  std::int64_t instances_ = 0;
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
