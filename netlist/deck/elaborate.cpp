// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "netlist/deck/conditions.hpp"
#include "netlist/deck/deck_findings.hpp"
#include "netlist/deck/foreign_text.hpp"
#include "netlist/deck/instance.hpp"
#include "netlist/deck/model_cards.hpp"
#include "netlist/deck/parallel_values.hpp"
#include "netlist/deck/parameter_findings.hpp"
#include "netlist/deck/parasitics.hpp"
#include "netlist/deck/run_values.hpp"
#include "netlist/deck/top_subcircuit.hpp"
#include "netlist/extracted/extracted_notes.hpp"
#include "netlist/names/ground_names.hpp"
#include "netlist/names/lower_case.hpp"
#include "netlist/values/element_values.hpp"
#include "netlist/values/settings.hpp"
#include "netlist/waves/pwl_file.hpp"
#include "netlist/waves/waveform_card.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

constexpr size_t kDeckAlwaysAllowed = size_t{256} << 20;

/// Builds the circuit from the scopes.
class Flattener {
 public:
  explicit Flattener(Deck& deck) : deck_(deck) { circuit_.nodes.intern("0"); }

  Circuit run() {
    size_t deck_bytes = 0;
    for (const File& f : deck_.files) {
      circuit_.files.push_back(f.text);
      circuit_.text_ranges.push_back(f.range);
      deck_bytes += f.text->text().size();
    }
    room_ = std::max(kDeckAlwaysAllowed, kLargestUnfolding * deck_bytes);
    merge_top_level();
    collect_cards();
    find_cards(deck_, circuit_);
    deck_.findings.clear();  // from here on those of values
    Parameters predefined(deck_.files, deck_.dialect, deck_.language, readings_);
    Parameters parameters(predefined, &deck_.top);
    define(parameters, deck_.top);
    temperatures_ = evaluate_temperatures(deck_, parameters);
    predefined.set(kTemper, temperatures_.circuit);
    if (!deck_.tran.empty()) circuit_.tran = evaluate_tran(deck_, parameters);
    evaluate_in_parallel(deck_, parameters, circuit_);
    finish_values(deck_.top, parameters, ElementCounts{}, 1, {});
    add_parasitics(std::exchange(parasitics_, {}), "", circuit_);
    add_model_cards(deck_.top, parameters, {}, "", 1);
    for (const Use& use : deck_.top.uses) expand(use, deck_.top, parameters, {}, "", 1, 1);
    std::move(model_cards_).finish(circuit_);
    enter_untaken_branches(deck_.top, deck_);
    find_cases_of_names(circuit_);
    find_unused_subcircuits(deck_, deck_.top, circuit_);
    parameter_findings_.look_at(deck_.top, parameters, deck_.ledger);
    parameter_findings_.add_to(circuit_);
    find_third_names(deck_, circuit_);
    append(circuit_.findings, deck_.findings);
    add_extracted_notes(deck_, circuit_);
    find_readings(deck_, readings_, circuit_);
    circuit_.ledger = std::move(deck_.ledger);
    circuit_.files.insert(circuit_.files.end(), pwl_files_.texts().begin(), pwl_files_.texts().end());
    std::ranges::sort(circuit_.initial_conditions, {},
                      [](const InitialCondition& c) { return std::pair(c.kind, c.element); });
    return std::move(circuit_);
  }

 private:
  using Nodes = std::map<std::string, NodeId>;

  ParsedChunk& chunk(const Piece& p) { return deck_.files[p.file].chunks[p.chunk]; }

  static bool is_taken(const std::vector<char>& taken, int32_t branch) { return branch < 0 || taken[branch]; }

  static void define(Parameters& parameters, const Scope& scope) {
    for (const auto& [assignment, where] : scope.parameters) parameters.define(assignment, where);
  }

  /// The main path: concatenates the columns of all chunks and merges their names, on all threads.
  void merge_top_level() {
    const std::vector<Piece>& pieces = deck_.top.pieces;
    if (deck_.mentions) {
      size_t mentions = 0;
      for (const Piece& piece : pieces) mentions += chunk(piece).mentions.size();
      deck_.mentions->reserve(mentions);
      std::vector<NodeId> shift;
      for (const Piece& piece : pieces) shift.push_back(deck_.mentions->append(std::move(chunk(piece).mentions)));
      return copy_columns([&](int64_t p, NodeId n) { return n == kGround ? kGround : n + shift[p]; });
    }
    const std::set<const ParsedChunk*> renamed = merge_ground_names(deck_);
    // Pieces of one chunk that follow one another share a table.
    std::vector<size_t> first, group(pieces.size());
    for (size_t p = 0; p < pieces.size(); ++p) {
      if (p == 0 || pieces[p].file != pieces[p - 1].file || pieces[p].chunk != pieces[p - 1].chunk) first.push_back(p);
      group[p] = first.size() - 1;
    }
    std::vector<NodeNames> own(first.size());
    std::vector<NodeNames*> tables(first.size());
    parallel_tasks(std::ssize(first), [&](int64_t g) {
      const size_t end = g + 1 < std::ssize(first) ? first[g + 1] : pieces.size();
      tables[g] = names_of(std::span(pieces).subspan(first[g], end - first[g]), own[g], renamed);
    });
    const std::vector<std::vector<NodeId>> map = merge_names(tables, circuit_.nodes);
    copy_columns([&](int64_t p, NodeId n) { return map[group[p]][n]; });
  }

  /// The names of all of a chunk or, where only part of it is top level, `own` with those that occur there, to which
  /// the columns refer then.
  NodeNames* names_of(std::span<const Piece> pieces, NodeNames& own, const std::set<const ParsedChunk*>& renamed) {
    ParsedChunk& c = chunk(pieces[0]);
    const bool is_all = pieces.size() == 1 && pieces[0].begin == ElementCounts{} && pieces[0].end == c.counts();
    if (is_all && !renamed.contains(&c)) return &c.names;
    std::vector<NodeId> known(c.names.size(), -1);
    for (const Piece& piece : pieces)
      for (const Kind k : kEveryKind)
        for (auto* column : {&c.elements[k].a, &c.elements[k].b})
          for (int64_t i = piece.begin[k]; i < piece.end[k]; ++i) {
            NodeId& id = known[(*column)[i]];
            if (id < 0) id = own.intern(c.names[(*column)[i]]);
            (*column)[i] = id;
          }
    if (const NodeId n = c.names.in_other_case(); n >= 0) own.note_other_case(c.names[n]);
    return &own;
  }

  /// `node_of(p, n)`: what node n of piece p is in the circuit.
  template <class NodeOf>
  void copy_columns(NodeOf node_of) {
    const std::vector<Piece>& pieces = deck_.top.pieces;
    std::vector<ElementCounts> base(pieces.size() + 1, ElementCounts{});
    for (size_t p = 0; p < pieces.size(); ++p)
      for (const Kind k : kEveryKind) base[p + 1][k] = base[p][k] + pieces[p].end[k] - pieces[p].begin[k];
    for (const Kind k : kEveryKind) {
      Elements& e = circuit_.elements(k);
      const int64_t n = base.back()[k];
      make_room_in_parallel(e.a, n);
      make_room_in_parallel(e.b, n);
      make_room_in_parallel(e.value, n);
      make_room_in_parallel(e.origin, n);
    }
    parallel_tasks(std::ssize(pieces), [&](int64_t p) {
      const Piece& piece = pieces[p];
      for (const Kind k : kEveryKind) {
        if (piece.begin[k] == piece.end[k]) continue;
        const ChunkElements& from = chunk(piece).elements[k];
        Elements& to = circuit_.elements(k);
        for (int64_t i = piece.begin[k], j = base[p][k]; i < piece.end[k]; ++i, ++j) {
          to.a[j] = node_of(p, from.a[i]);
          to.b[j] = node_of(p, from.b[i]);
          to.value[j] = from.value[i];
          to.origin[j] = {piece.file, from.offset[i]};
        }
      }
    });
  }

  /// Values that are more than a number, and waveforms, of a scope's elements, which start at `base` in the circuit's
  /// columns and stand for `count` equal ones each.
  void finish_values(const Scope& scope, Parameters& parameters, ElementCounts base, double count,
                     const std::vector<char>& taken) {
    ElementValues values(deck_, scope, parameters, temperatures_);
    for (const Piece& piece : scope.pieces) {
      if (!is_taken(taken, piece.branch)) continue;
      const ParsedChunk& c = chunk(piece);
      const File& file = deck_.files[piece.file];
      for (const Kind kind : kEveryKind) {
        if (piece.begin[kind] == piece.end[kind]) continue;
        std::vector<double>& column = circuit_.elements(kind).value;
        const std::vector<Deferred>& deferred = c.deferred[kind];
        auto d = std::ranges::lower_bound(deferred, piece.begin[kind], {}, &Deferred::index);
        for (; d != deferred.end() && d->index() < piece.end[kind]; ++d) {
          if (d->is_done()) continue;
          const int64_t element = base[kind] + d->index() - piece.begin[kind];
          const auto [value, initial, parasitics, copies] =
              values.evaluate(kind, *d, column[element], file, c.elements[kind].offset[d->index()]);
          if (parasitics.any())
            note_parasitics(kind, element, parasitics, count, file, c.elements[kind].offset[d->index()]);
          column[element] = value;
          if (kind == kResistor && copies != 1) circuit_.copies.push_back({element, copies});
          if (!std::isnan(initial)) circuit_.initial_conditions.push_back({kind, element, initial});
        }
        const int64_t last = base[kind] + piece.end[kind] - piece.begin[kind];
        if (count != 1) put_in_parallel(circuit_, kind, base[kind], last, count);
      }
      for (const Kind k : {kVoltageSource, kCurrentSource})
        for (int64_t i = piece.begin[k]; i < piece.end[k]; ++i) {
          const int32_t form = c.elements[k].form[i];
          static_cast<Sources&>(circuit_.elements(k)).waveform.push_back(-1);
          if (form >= 0)
            finish_source(k, base[k] + i - piece.begin[k], c.forms[form], parameters, file, c.elements[k].offset[i],
                          count);
        }
      for (const Kind k : kEveryKind) base[k] += piece.end[k] - piece.begin[k];
    }
  }

  void note_parasitics(Kind kind, int64_t element, const Parasitics& p, double count, const File& file,
                       uint64_t offset) {
    if (deck_.mentions) file.fail(offset, "Rser= and the like are not read by several processes; run one process");
    parasitics_.push_back({kind, element, {p.rser / count, p.rpar / count, p.cpar * count}});
  }

  void finish_source(Kind kind, int64_t index, const SourceForm& form, Parameters& parameters, const File& file,
                     uint64_t offset, double count) {
    auto& sources = static_cast<Sources&>(circuit_.elements(kind));
    double& dc = sources.value[index];
    const double multiplier = parameters.evaluate(form.multiplier, Quantity::pure, file, offset);
    if (!(multiplier > 0)) file.fail(offset, fmt::format("M is {:g}; it must be positive", multiplier));
    dc *= multiplier;
    if (!form.parasitics.empty())
      note_parasitics(kind, index, evaluate_parasitics(form, parameters, file, offset), count, file, offset);
    if (form.shape == ast::Shape::none) return;
    Waveform waveform = evaluate_waveform(kind, form, parameters, file, offset);
    const double factor = kind == kCurrentSource ? multiplier * count : 1;
    if (factor != 1) scale(waveform, factor);
    circuit_.waveform_gives_dc.push_back(std::isnan(dc));
    if (std::isnan(dc)) dc = value_at_start(waveform, circuit_.tran.frame());
    sources.waveform[index] = static_cast<int32_t>(circuit_.waveforms.size());
    circuit_.waveforms.push_back(std::move(waveform));
  }

  Waveform evaluate_waveform(Kind kind, const SourceForm& form, Parameters& parameters, const File& file,
                             uint64_t offset) {
    std::vector<double> arguments;
    const ast::Setting* const points = form.pwl_file();
    if (points) try {
        note_file_name(points->values[0].expression, file);
        arguments = pwl_files_.read(std::string(points->values[0].expression), file.text->path(), quantity_of(kind),
                                    deck_.dialect, deck_.opens);
      } catch (const InputError& e) {
        file.fail(points->key, offset, fmt::format("cannot read the points of this PWL: {}", e.what()));
      }
    for (size_t i = 0; i < form.arguments.size(); ++i)
      arguments.push_back(
          parameters.evaluate(form.arguments[i], quantity_of(form.shape, i, quantity_of(kind)), file, offset));
    std::string error;
    Waveform waveform = make_waveform(form.shape, arguments, error);
    if (Pwl* const pwl = std::get_if<Pwl>(&waveform); pwl && error.empty() && !form.options.empty()) {
      const auto time = [&](std::string_view key) {
        const ast::Setting* const option = form.pwl_option(key);
        if (!option) return kUnset;
        if (option->values.empty()) return 0.0;  // R alone
        return parameters.evaluate(option->values[0], Quantity::time, file, offset);
      };
      finish_pwl(*pwl, {time("r"), time("pwl_period"), time(form.pwl_option("td") ? "td" : "pwl_delay")}, error);
    }
    if (!error.empty()) file.fail(offset, error);
    return waveform;
  }

  void note_file_name(ast::Text name, const File& file) {
    const auto index = static_cast<uint64_t>(&file - deck_.files.data());
    const auto at = static_cast<uint64_t>(name.data() - file.text->text().data());
    circuit_.waveform_files.push_back({{index, at}, static_cast<uint32_t>(name.size())});
  }

  void expand(const Use& use, const Scope& scope, Parameters& outer, const Nodes& outer_nodes,
              const std::string& outer_path, int depth, double count) {
    const File& file = deck_.files[use.file];
    const ast::Text wanted = use.card.words.back();
    const Scope* definition = scope.find(lower(wanted));
    if (!definition) file.fail(use.offset, fmt::format("unknown subcircuit '{}'; define it with .subckt", wanted));
    definition->is_instantiated = true;
    const std::string path = fmt::format("{}{}.", outer_path, use.card.name);
    require_fitting(deck_, use, *definition, path, depth, room_);
    const Nodes ports = tied_ports(use, *definition, outer_nodes, outer_path);
    Parameters parameters(outer, definition);
    define(parameters, *definition);
    count *= set_parameters(file, use, *definition, path, count, outer, parameters);
    const std::vector<char> taken = take_branches(*definition, use, parameters, deck_.files);

    ElementCounts base;
    for (const Kind k : kEveryKind) base[k] = circuit_.elements(k).size();
    for (const Piece& piece : definition->pieces)
      if (is_taken(taken, piece.branch)) copy_elements(piece, ports, path);
    finish_values(*definition, parameters, base, count, taken);
    add_parasitics(std::exchange(parasitics_, {}), path, circuit_);
    add_model_cards(*definition, parameters, ports, path, count);
    for (const Use& inner : definition->uses)
      if (is_taken(taken, inner.branch)) expand(inner, *definition, parameters, ports, path, depth + 1, count);
    parameter_findings_.look_at(*definition, parameters, deck_.ledger);
    parameter_findings_.look_at(use, *definition, parameters, outer, file);
  }

  void add_model_cards(const Scope& scope, Parameters& parameters, const Nodes& ports, const std::string& path,
                       double count) {
    model_cards_.add(scope, parameters, path, count, [&](ast::Text node) { return node_id(node, ports, path); });
  }

  Nodes tied_ports(const Use& use, const Scope& definition, const Nodes& outer_nodes, const std::string& outer_path) {
    const auto fail = [&](const std::string& message) { deck_.files[use.file].fail(use.offset, message); };
    const ast::Text wanted = use.card.words.back();
    Nodes ports;
    for (size_t i = 0; i < definition.ports.size(); ++i)
      if (const ast::Text port = definition.ports[i];
          is_ground_in(deck_.language, port) && !is_ground_in(deck_.language, use.card.words[i]))
        fail(
            fmt::format("port '{}' of subcircuit '{}' is ground, as everywhere, and this instance ties it to {}; "
                        "rename the port",
                        port, wanted, use.card.words[i]));
      else if (!ports.emplace(lower(port), node_id(use.card.words[i], outer_nodes, outer_path)).second)
        fail(fmt::format("subcircuit '{}' has two ports '{}'; rename one", wanted, port));
    return ports;
  }

  void copy_elements(const Piece& piece, const Nodes& ports, const std::string& path) {
    const ParsedChunk& c = chunk(piece);
    for (const Kind k : kEveryKind) {
      if (piece.begin[k] == piece.end[k]) continue;
      const ChunkElements& from = c.elements[k];
      Elements& to = circuit_.elements(k);
      circuit_.instances[k].push_back({to.size(), path});
      for (int64_t i = piece.begin[k]; i < piece.end[k]; ++i) {
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
    if (is_ground_in(deck_.language, key)) return kGround;
    const bool is_global = path.empty() || deck_.globals.contains(key) || is_global_in(deck_.language, key);
    return circuit_.nodes.intern(is_global ? std::string(name) : path + std::string(name));
  }

  void collect_cards() {
    for (size_t index = 0; index < deck_.files.size(); ++index) {
      for (ParsedChunk& c : deck_.files[index].chunks) {
        for (LayerCard& card : c.layer_cards) card.origin.file = index;
        for (NominalCard& card : c.nominal_cards) card.origin.file = index;
        append(circuit_.layer_cards, c.layer_cards);
        append(circuit_.nominal_cards, c.nominal_cards);
        for (const auto& [node, offset] : c.prints) {
          circuit_.print_nodes.push_back(node);
          circuit_.print_origins.push_back({index, offset});
        }
        for (const ParsedChunk::Failure& card : c.skipped) circuit_.skipped_cards += card.count;
        for (const auto& [net, offset] : c.net_cards) circuit_.net_cards.push_back({net, {index, offset}});
        for (const auto& [dbu, offset] : c.dbu_cards) {
          if (circuit_.dbu_card > 0 && circuit_.dbu_card != dbu) find_other_dbu(dbu, {index, offset}, circuit_);
          circuit_.dbu_card = dbu;
        }
        if (!c.title.empty()) circuit_.title = c.title;
      }
    }
  }

  Deck& deck_;
  ReadingsOfFiles readings_;
  ParameterFindings parameter_findings_;
  ModelCards model_cards_{deck_.files};
  Circuit circuit_;
  Temperatures temperatures_;
  std::vector<ParasiticElement> parasitics_;  ///< of the instance at hand
  PwlFiles pwl_files_;
  size_t room_ = 0;  ///< bytes of flat text that instances may still add
};

}  // namespace

Circuit flatten(Deck& deck) { return Flattener(deck).run(); }

Circuit elaborate(std::vector<std::shared_ptr<const SourceText>> files, const ReadOptions& options) {
  const std::shared_ptr<const SourceText> first = files.front();
  try {
    Deck deck;
    read_deck(std::move(files), options, deck);
    if (!options.top.empty()) take_as_top(deck, options.top);
    Circuit circuit = flatten(deck);
    if (circuit.element_count() == 0) refuse_empty(deck, first->path());
    return circuit;
  } catch (const InputError& e) {
    const std::string language = foreign_language(first->text());
    if (!language.empty()) throw input_error("{}: this is {}", first->path(), language);
    const std::string hint = hint_at_first_line(e.what(), *first);
    if (hint.empty()) throw;
    throw InputError(e.what() + hint);
  }
}

}  // namespace gridiron
