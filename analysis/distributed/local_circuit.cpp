// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/local_circuit.hpp"

#include <algorithm>
#include <exception>
#include <optional>

#include "analysis/distributed/element_distribution.hpp"
#include "analysis/distributed/shared_files.hpp"
#include "analysis/model/findings.hpp"
#include "analysis/model/matrices/matrix_findings.hpp"
#include "analysis/model/static_sources.hpp"
#include "netlist/deck/deck_findings.hpp"
#include "netlist/deck/part_reader.hpp"
#include "netlist/names/name_table.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"

namespace gridiron::distributed {
namespace {

/// Gives up what lies behind an .end in an earlier part. Returns per file whether there is one.
std::vector<char> end_files(const Communicator& all, NetlistPart& part, size_t files) {
  std::vector<double> ender(files, -static_cast<double>(all.count()));  // the first process that met an .end, negated
  for (const size_t file : part.ended_files()) ender[file] = -static_cast<double>(all.rank());
  all.largest(ender);
  std::vector<char> has_end;
  for (size_t file = 0; file < files; ++file) {
    if (-ender[file] < all.rank()) part.drop(file);
    has_end.push_back(-ender[file] < all.count());
  }
  return has_end;
}

/// The cards of this process's part of the text.
NetlistPart::Cards read_part(const Communicator& all, const std::vector<std::string>& paths,
                             const ReadOptions& options) {
  const std::vector<std::shared_ptr<const SourceText>> files = open_files(all, paths);
  std::optional<NetlistPart> part;
  std::exception_ptr error;
  try {
    part.emplace(files, all.rank(), all.count(), options);
  } catch (...) {
    error = std::current_exception();
  }
  together(all, [&] {
    if (error) std::rethrow_exception(error);
  });
  const std::vector<char> has_end = end_files(all, *part, files.size());
  together(all, [&] { part->require_no_failure(); });

  Writer first_line;
  if (all.rank() == 0)
    for (const std::string& node : part->nodes_of_first_line()) first_line.put(node);
  const std::vector<std::string> nodes = gather_texts(all, first_line);
  std::vector<double> occurs(nodes.size());
  for (size_t k = 0; k < nodes.size(); ++k) occurs[k] = all.rank() > 0 && part->has_node(nodes[k]) ? 1.0 : 0.0;
  all.largest(occurs);

  NetlistPart::Cards cards;
  together(all, [&] {
    cards = part->take([&](std::string_view name) {
      const auto found = std::ranges::find(nodes, name);
      return found != nodes.end() && occurs[found - nodes.begin()] > 0;
    });
    if (all.rank() == 0)
      if (const auto missing = missing_end(files, has_end)) cards.circuit.findings.push_back(*missing);
  });
  return cards;
}

/// Gives all processes the comment cards of all parts, and the first one what was found when reading them.
void share_cards(const Communicator& all, const Circuit& part, Circuit& circuit) {
  Writer writer;
  writer.put(part.title);
  writer.put(part.dbu_card);
  writer.put(part.skipped_cards);
  writer.put(part.layer_cards.size());
  for (const LayerCard& card : part.layer_cards)
    writer.put(card.number), writer.put(card.layer), writer.put(card.net), writer.put(card.origin);
  writer.put(part.nominal_cards.size());
  for (const NominalCard& card : part.nominal_cards)
    writer.put(card.net), writer.put(card.volts), writer.put(card.origin);
  writer.put(part.net_cards.size());
  for (const NetCard& card : part.net_cards) writer.put(card.net), writer.put(card.origin);
  for (const Ledger::File& file : part.ledger.files) {
    writer.put(file.rows.size());
    for (const Ledger::Row& row : file.rows) writer.put(row.what), writer.put(row.fate), writer.put(row.count);
  }
  for (const ReadFinding& f : part.findings)
    writer.put(f.is_warning), writer.put(f.code), writer.put(f.message), writer.put(f.place);
  for (const Ledger::File& file : part.ledger.files) circuit.ledger.files.push_back({file.path, {}});
  for (const Communicator::Bytes& bytes : all.gather(writer.bytes())) {
    Reader reader(bytes);
    const std::string_view title = reader.text();
    if (const double dbu = reader.take<double>(); dbu > 0) circuit.dbu_card = dbu;
    const auto skipped = reader.take<int64_t>();
    for (auto n = reader.take<size_t>(); n > 0; --n) {
      const int number = reader.take<int>();
      const std::string layer(reader.text());
      const std::string net(reader.text());
      circuit.layer_cards.push_back({number, layer, net, reader.take<Origin>()});
    }
    for (auto n = reader.take<size_t>(); n > 0; --n) {
      const std::string net(reader.text());
      const double volts = reader.take<double>();
      circuit.nominal_cards.push_back({net, volts, reader.take<Origin>()});
    }
    for (auto n = reader.take<size_t>(); n > 0; --n) {
      const std::string net(reader.text());
      circuit.net_cards.push_back({net, reader.take<Origin>()});
    }
    if (all.rank() > 0) continue;
    if (!title.empty()) circuit.title = title;
    circuit.skipped_cards += skipped;
    for (size_t f = 0; f < part.ledger.files.size(); ++f)
      for (auto n = reader.take<size_t>(); n > 0; --n) {
        const std::string what(reader.text());
        const Fate fate = reader.take<Fate>();
        Ledger::add(circuit.ledger.files[f], what, fate, reader.take<int64_t>());
      }
    while (!reader.is_done()) {
      const bool is_warning = reader.take<bool>();
      const std::string code(reader.text()), message(reader.text());
      circuit.findings.push_back({is_warning, code, message, std::string(reader.text())});
    }
  }
}

/// Every element is judged once, by the process that has its text at hand.
std::vector<Finding> check_part(const Communicator& all, NetlistPart::Cards& part, const Circuit& shared) {
  part.circuit.title = shared.title;
  part.circuit.findings = shared.findings;
  part.circuit.skipped_cards = shared.skipped_cards;
  std::vector<Finding> findings = check_values(part.circuit, [&](NodeId n) { return part.nodes.name(n); });
  append(findings, refuse_negative_resistors(part.circuit));
  together(all, [&] { throw_first_error(findings); });
  return findings;
}

/// What the sources of all parts hold at time 0 and over time; the first process tells of it.
std::vector<Finding> check_start_values_of_all(const Communicator& all, const Circuit& part, const LoadTable* loads,
                                               const std::string& file) {
  std::vector<uint8_t> is_given;
  if (loads) {
    NameTable rows;
    for (const std::string& name : loads->names) rows.intern(name);
    for (int64_t i = 0; i < part.current_sources.size(); ++i)
      is_given.push_back(rows.find(part.card_name(kCurrentSource, i)) >= 0);
  }
  StartValues of[] = {start_values(part, kCurrentSource, is_given), start_values(part, kVoltageSource)};
  for (StartValues& kind : of)
    kind = {sum(all, kind.sources), sum(all, kind.of), sum(all, kind.at_start), sum(all, kind.over_time)};
  return all.rank() > 0 ? std::vector<Finding>() : start_value_findings(of[0], of[1], file);
}

}  // namespace

LocalCircuit read_shared_netlist(const Communicator& all, const std::vector<std::string>& paths,
                                 const ReadOptions& options, const LoadTable* loads) {
  NetlistPart::Cards part = read_part(all, paths, options);
  LocalCircuit local;
  local.circuit.files = part.circuit.files;
  share_cards(all, part.circuit, local.circuit);
  local.findings = check_part(all, part, local.circuit);
  for (Finding& finding : check_start_values_of_all(all, part.circuit, loads, paths.front()))
    local.findings.push_back(std::move(finding));
  distribute_elements(all, std::move(part), local);
  int64_t elements = 0;
  for (const int64_t count : local.elements_in_all) elements += count;
  together(all, [&] {
    if (elements == 0) throw input_error("{}: no elements in this netlist; is it the right file?", paths.front());
  });
  return local;
}

}  // namespace gridiron::distributed
