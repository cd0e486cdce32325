// SPDX-License-Identifier: Apache-2.0
#include "analysis/insight/budget_members.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>
#include <unordered_map>

#include "analysis/model/design.hpp"
#include "netlist/names/name_table.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

using Term = BudgetTable::Term;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return out;
}

/// Whether `name` is what `pattern` describes with * and ?; linear in the name for each * (the last one is retried).
bool matches(std::string_view pattern, std::string_view name) {
  size_t p = 0, n = 0, star = pattern.npos, retry = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != pattern.npos) {
      p = star + 1;
      n = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

/// The terms of all rows, sorted by how they are looked up.
class Terms {
 public:
  Terms(const Design& design, const BudgetTable& table, std::span<const NetResult> nets)
      : design_(design), table_(table) {
    for (size_t row = 0; row < table.rows.size(); ++row)
      for (const Term& term : table.rows[row].members) add(static_cast<int64_t>(row), term, nets);
    found_ = std::vector<std::atomic<bool>>(terms_.size());
  }

  /// Calls f(row) for the rows that mean a load; a row may be told several times.
  void for_each_row(const InstancePins& load, const NodeTable& nodes, auto&& f) {
    const auto tell = [&](size_t at) {
      if (!found_[at].load(std::memory_order_relaxed)) found_[at].store(true, std::memory_order_relaxed);
      f(terms_[at].row);
    };
    for (const size_t at : all_) tell(at);
    for (const size_t at : nets_)
      if (nodes.net[load.power] == terms_[at].net || (!load.is_one_ended() && nodes.net[load.ground] == terms_[at].net))
        tell(at);
    if (!areas_.empty() && nodes.has_place(load.power))
      for (const size_t at : areas_) {
        const Term& term = *terms_[at].term;
        const double x = nodes.x_um[load.power], y = nodes.y_um[load.power];
        if (x >= term.x0_um && x <= term.x1_um && y >= term.y0_um && y <= term.y1_um) tell(at);
      }
    if (names_.empty() && globs_.empty()) return;
    for (const std::string& name : names_of(load)) {
      const auto [first, last] = names_.equal_range(name);
      for (auto it = first; it != last; ++it) tell(it->second);
      for (const size_t at : globs_)
        if (matches(terms_[at].pattern, name)) tell(at);
    }
  }

  void require_all_found() const {
    for (size_t at = 0; at < terms_.size(); ++at)
      if (!found_[at]) fail(at);
  }

 private:
  struct Entry {
    int64_t row;
    const Term* term;
    std::string pattern;  ///< of names, in lower case
    int32_t net = -1;     ///< index into the nets
  };

  void add(int64_t row, const Term& term, std::span<const NetResult> nets) {
    Entry entry{row, &term, term.kind == Term::Kind::glob ? lower(term.text) : "", -1};
    const size_t at = terms_.size();
    if (term.kind == Term::Kind::area) {
      areas_.push_back(at);
    } else if (term.kind == Term::Kind::net) {
      const auto net = std::ranges::find_if(nets, [&](const NetResult& n) { return same_name(n.name, term.text); });
      if (net == nets.end()) {
        std::vector<std::string_view> names;
        for (const NetResult& n : nets) names.push_back(n.name);
        throw input_error("{}: the netlist has no net {}; it has {}", table_.place(table_.rows[row]), term.text,
                          fmt::join(names, ", "));
      }
      entry.net = static_cast<int32_t>(net - nets.begin());
      nets_.push_back(at);
    } else if (entry.pattern.find_first_not_of('*') == std::string::npos) {
      all_.push_back(at);
    } else if (entry.pattern.find_first_of("*?") != std::string::npos) {
      globs_.push_back(at);
    } else {
      names_.emplace(entry.pattern, at);
    }
    terms_.push_back(std::move(entry));
  }

  std::vector<std::string> names_of(const InstancePins& load) const {
    const Circuit& circuit = *design_.circuit;
    std::vector<std::string> names = {lower(circuit.element_name(kCurrentSource, load.source))};
    const auto add_sink = [&](int64_t source) {
      const SinkName sink = sink_name(circuit, source);
      if (sink.instance.empty()) return;
      names.push_back(lower(sink.instance));
      if (!sink.terminal.empty()) names.push_back(lower(sink.text()));
    };
    if (circuit.made_names) {
      add_sink(load.source);
      if (load.twin >= 0) {
        names.push_back(lower(circuit.element_name(kCurrentSource, load.twin)));
        add_sink(load.twin);
      }
    } else if (load.is_pair) {
      names.push_back(names[0].substr(0, names[0].size() - 2));
      if (load.twin >= 0) names.push_back(lower(circuit.element_name(kCurrentSource, load.twin)));
    } else {
      add_sink(load.source);
    }
    return names;
  }

  [[noreturn]] void fail(size_t at) const {
    const Entry& entry = terms_[at];
    const std::string place = table_.place(table_.rows[entry.row]);
    if (entry.term->kind == Term::Kind::area)
      throw input_error("{}: no load lies in {}{}", place, entry.term->text,
                        design_.places.placed == 0 ? "; node names of this netlist tell no places" : "");
    if (entry.term->kind == Term::Kind::net) throw input_error("{}: no load is on net {}", place, entry.term->text);
    for (const auto& [kind, word] : {std::pair(kVoltageSource, "voltage source"), {kResistor, "resistor"}})
      if (names_.contains(entry.pattern) && design_.find_element(kind, entry.term->text) >= 0)
        throw input_error("{}: {} is a {}; a budget is of current sources", place, entry.term->text, word);
    throw input_error("{}: {:?} means no load; name current sources or instances of the netlist", place,
                      entry.term->text);
  }

  const Design& design_;
  const BudgetTable& table_;
  std::vector<Entry> terms_;
  std::vector<size_t> all_, nets_, areas_, globs_;  ///< indices into terms_
  std::unordered_multimap<std::string, size_t> names_;
  std::vector<std::atomic<bool>> found_;
};

}  // namespace

std::vector<BudgetMember> find_members(const Design& design, const BudgetTable& table,
                                       std::span<const InstancePins> loads, const NodeTable& nodes,
                                       std::span<const NetResult> nets) {
  Terms terms(design, table, nets);
  constexpr int64_t kGrain = 1 << 12;
  const auto count = std::ssize(loads);
  std::vector<std::vector<BudgetMember>> parts((count + kGrain - 1) / kGrain);
  parallel_ranges(
      count,
      [&](int64_t begin, int64_t end) {
        std::vector<BudgetMember>& part = parts[begin / kGrain];
        std::vector<int64_t> rows;
        for (int64_t load = begin; load < end; ++load) {
          rows.clear();
          terms.for_each_row(loads[load], nodes, [&](int64_t row) { rows.push_back(row); });
          sort_unique(rows);
          for (const int64_t row : rows) part.push_back({row, load});
        }
      },
      kGrain);
  terms.require_all_found();
  std::vector<BudgetMember> members;
  for (const std::vector<BudgetMember>& part : parts) append(members, part);
  return members;
}

}  // namespace gridiron
