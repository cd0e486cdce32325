// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/pad_meter.hpp"

#include <array>
#include <cmath>
#include <numeric>

#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// Entries of sums, given one after the other, in the order of the sums; `first`: of every sum and the end.
template <class Entry>
std::vector<Entry> by_sum(const std::vector<std::pair<int32_t, Entry>>& given, int64_t sums,
                          std::vector<int64_t>& first) {
  first.assign(sums + 1, 0);
  for (const auto& [sum, entry] : given) ++first[sum + 1];
  for (size_t s = 1; s < first.size(); ++s) first[s] += first[s - 1];
  std::vector<int64_t> next(first.begin(), first.end());
  std::vector<Entry> entries(given.size());
  for (const auto& [sum, entry] : given) entries[next[sum]++] = entry;
  return entries;
}

/// Σ term(i) over [begin, end), with the same bits for any number of threads.
template <class Term>
double sum_of(int64_t begin, int64_t end, Term term) {
  constexpr int64_t kLanes = 4;
  return joined_ranges<double>(
      end - begin,
      [&](int64_t from, int64_t to) {
        double sum[kLanes] = {};  // apart, so that none waits for the other
        int64_t i = begin + from;
        for (; i + kLanes <= begin + to; i += kLanes)
          for (int64_t lane = 0; lane < kLanes; ++lane) sum[lane] += term(i + lane);
        for (; i < begin + to; ++i) sum[0] += term(i);
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
      },
      [](double& all, double some) { all += some; });
}

/// By kind and element the tie of a step that it is; −1: it is none, as an inductor of the storage, which carries its
/// own current.
std::array<std::vector<int64_t>, kKinds> ties_of_elements(const Circuit& circuit, const Topology& step) {
  std::array<std::vector<int64_t>, kKinds> ties;
  for (const Kind kind : {kVoltageSource, kResistor, kInductor}) ties[kind].assign(circuit.elements(kind).size(), -1);
  for (int64_t t = 0; t < std::ssize(step.grid.tie_elements); ++t)
    if (const auto [kind, index] = step.grid.tie_elements[t]; !ties[kind].empty()) ties[kind][index] = t;
  return ties;
}

}  // namespace

PadMeter::PadMeter(const Design& design, const Topology& step, bool are_nodes_apart, const Storage& storage,
                   std::span<const PadCurrent> pads)
    : design_(design), storage_(storage), are_nodes_apart_(are_nodes_apart) {
  const std::vector<PadAt> at = find_tied_nodes(step, pads);
  find_entries(step.merge);
  find_pads(step.merge, at);
}

int32_t PadMeter::place(const Merge& merge, NodeId node) const {
  if (are_nodes_apart_) return node;
  return merge.group[node] < merge.unknowns ? merge.group[node] : -1;
}

std::vector<PadMeter::PadAt> PadMeter::find_tied_nodes(const Topology& step, std::span<const PadCurrent> pads) {
  const Grid& dc = design_.topology->grid;
  const Merge& merge = step.merge;
  const size_t nodes = merge.parent.size();
  std::vector<int32_t> root(nodes);
  std::iota(root.begin(), root.end(), 0);
  for (const int32_t n : merge.order) root[n] = root[merge.parent[n]];

  const auto ties = ties_of_elements(*design_.circuit, step);
  std::vector<int64_t> storage_of_inductor;
  const Elements& inductors = design_.circuit->inductors;
  for (int64_t i = 0, e = storage_.capacitors; i < inductors.size(); ++i)
    storage_of_inductor.push_back(inductors.a[i] == inductors.b[i] || inductors.value[i] == 0 ? -1 : e++);

  std::vector<char> is_wanted(nodes, 0);
  is_wanted[kGround] = 1;
  std::vector<int64_t> tie_of_pad(pads.size(), -1);
  std::vector<PadAt> found;
  for (size_t k = 0; k < pads.size(); ++k) {
    PadAt& at = found.emplace_back();
    at.node = pads[k].node;
    at.edge = pads[k].edge;
    if (step.nets.inverted[step.parts.part[at.node]]) at.turn = -1;
    if (pads[k].tie < 0) continue;
    const Grid::TieElement element = dc.tie_elements[pads[k].tie];
    if (element.kind == kInductor && storage_of_inductor[element.index] >= 0) {
      at.storage = storage_of_inductor[element.index];
      continue;
    }
    tie_of_pad[k] = ties[element.kind][element.index];
    if (tie_of_pad[k] >= 0) is_wanted[root[step.grid.network.tie_a[tie_of_pad[k]]]] = 1;
  }

  const std::vector<int64_t> tie_of_tied = list_tied_nodes(merge, root, is_wanted);
  for (size_t k = 0; k < pads.size(); ++k) {
    const int64_t tie = tie_of_pad[k];
    if (tie < 0) continue;
    for (const NodeId n : {step.grid.network.tie_a[tie], step.grid.network.tie_b[tie]}) {
      if (tied_of_node_[n] < 0 || tie_of_tied[tied_of_node_[n]] != tie) continue;
      found[k].tied = tied_of_node_[n];
      found[k].sign = n == pads[k].node ? -1 : 1;
    }
  }
  return found;
}

std::vector<int64_t> PadMeter::list_tied_nodes(const Merge& merge, std::span<const int32_t> root,
                                               std::span<const char> is_wanted) {
  tied_of_node_.assign(root.size(), -1);
  std::vector<int32_t> tied;
  std::vector<int64_t> tie_of_tied;
  for (size_t k = merge.order.size(); k-- > 0;) {
    const int32_t n = merge.order[k];
    if (!is_wanted[root[n]]) continue;
    tied_of_node_[n] = static_cast<int32_t>(tied.size());
    tied.push_back(n);
    tie_of_tied.push_back(merge.order_tie[k]);
  }
  std::vector<SumRounds::Contribution> to_parents;
  for (size_t k = 0; k < tied.size(); ++k) {
    const auto at = static_cast<int32_t>(k), parent = tied_of_node_[merge.parent[tied[k]]];
    if (parent >= 0) to_parents.push_back({at, parent, 1.0});
    if (merge.parent[tied[k]] == kGround) tables_.on_ground.push_back(at);
  }
  tables_.tree = SumRounds(std::ssize(tied), to_parents);
  sum_.assign(tied.size(), 0.0);
  return tie_of_tied;
}

void PadMeter::find_entries(const Merge& merge) {
  const int32_t of_grid = sum_.size();
  const Network& network = design_.topology->grid.network;
  std::vector<std::pair<int32_t, PadTables::Resistor>> resistors;
  for (int64_t k = 0; k < network.edges(); ++k)
    for (const auto& [from, into] : {std::pair(network.b[k], network.a[k]), std::pair(network.a[k], network.b[k])}) {
      if (network.a[k] == network.b[k]) continue;
      const PadTables::Resistor resistor{place(merge, from), place(merge, into), network.conductance[k]};
      if (into == kGround) resistors.emplace_back(of_grid, resistor);
      if (tied_of_node_[into] >= 0) resistors.emplace_back(tied_of_node_[into], resistor);
    }
  tables_.resistor = by_sum(resistors, of_grid + 1, tables_.first_resistor);

  std::vector<std::pair<int32_t, PadTables::Given>> given;
  const auto add = [&](int64_t current, NodeId a, NodeId b, int32_t at_ground) {
    if (a == b) return;
    for (const auto& [node, sign] : {std::pair(a, -1.0F), std::pair(b, 1.0F)}) {
      const PadTables::Given entry{static_cast<int32_t>(current), sign};
      if (node == kGround && at_ground >= 0) given.emplace_back(at_ground, entry);
      if (tied_of_node_[node] >= 0) given.emplace_back(tied_of_node_[node], entry);
    }
  };
  const Sources& loads = design_.circuit->current_sources;
  for (int64_t e = 0; e < storage_.size(); ++e)
    add(loads.size() + e, storage_.a[e], storage_.b[e], storage_.is_capacitor(e) ? -1 : of_grid);
  for (int64_t i = 0; i < loads.size(); ++i) {
    add(i, loads.a[i], loads.b[i], -1);
    tables_.into_ground.push_back((loads.b[i] == kGround) - (loads.a[i] == kGround));
  }
  tables_.given = by_sum(given, of_grid + 1, tables_.first_given);
}

void PadMeter::find_pads(const Merge& merge, const std::vector<PadAt>& pads) {
  const int64_t loads = design_.circuit->current_sources.size();
  for (const PadAt& pad : pads) {
    PadTables::Pad& at = tables_.pads.emplace_back();
    if (pad.tied >= 0) {
      at.tied = pad.tied;
      at.factor = pad.turn * pad.sign;
    } else if (pad.storage >= 0) {
      at.current = static_cast<int32_t>(loads + pad.storage);
      at.factor = storage_.b[pad.storage] == pad.node ? pad.turn : -pad.turn;
    } else if (pad.edge >= 0) {
      at.node = place(merge, pad.node);
      at.factor = -pad.turn * design_.topology->grid.network.conductance[pad.edge];
    }
  }
}

PadState& PadMeter::measure(const Potentials& volts, std::span<const double> storage_a, std::span<const double> load) {
  const int32_t loads = load.size();
  const auto current_of = [&](int32_t i) { return i < loads ? load[i] : storage_a[i - loads]; };
  if (are_nodes_apart_)
    measure([&](int32_t node) { return volts[node]; }, current_of, load);
  else
    measure([&](int32_t merged) { return merged < 0 ? 0.0 : volts.merged[merged]; }, current_of, load);
  return state_;
}

template <class VoltsAt, class CurrentOf>
void PadMeter::measure(VoltsAt volts_at, CurrentOf current_of, std::span<const double> load) {
  const PadTables& t = tables_;
  const auto through = [&](int64_t r) {
    return t.resistor[r].conductance * (volts_at(t.resistor[r].from) - volts_at(t.resistor[r].into));
  };
  const auto amperes = [&](int64_t g) { return t.given[g].sign * current_of(t.given[g].current); };
  const int64_t tied = t.tied();
  parallel_each(tied, [&](int64_t s) {
    double sum = 0;
    for (int64_t r = t.first_resistor[s]; r < t.first_resistor[s + 1]; ++r) sum += through(r);
    for (int64_t g = t.first_given[s]; g < t.first_given[s + 1]; ++g) sum += amperes(g);
    sum_[s] = sum;
  });
  for (size_t round = 0; round + 1 < t.tree.first_of_round.size(); ++round) {
    const int64_t first = t.tree.first_of_round[round];
    parallel_each(t.tree.first_of_round[round + 1] - first, [&](int64_t i) {
      const int64_t r = first + i;
      double& sum = sum_[t.tree.receiver[r]];
      for (int64_t g = t.tree.first_term[r]; g < t.tree.first_term[r + 1]; ++g) sum += sum_[t.tree.term[g].from];
    });
  }
  const auto grounded = [&](int64_t k) { return sum_[t.on_ground[k]]; };
  state_.supplied = 0.0 - sum_of(t.first_resistor[tied], t.first_resistor[tied + 1], through) -
                    sum_of(t.first_given[tied], t.first_given[tied + 1], amperes) -
                    sum_of(0, std::ssize(t.on_ground), grounded);
  state_.drawn = sum_of(0, std::ssize(load), [&](int64_t i) { return t.into_ground[i] * load[i]; });
  state_.pad.resize(t.pads.size());
  parallel_each(std::ssize(t.pads), [&](int64_t k) {
    const PadTables::Pad& pad = t.pads[k];
    const double into_grid = pad.tied >= 0      ? sum_[pad.tied]
                             : pad.current >= 0 ? current_of(pad.current)
                             : pad.node >= 0    ? volts_at(pad.node)
                                                : 0.0;
    state_.pad[k] = pad.factor * into_grid;
  });
}

double PadMeter::stored_charge(const Potentials& volts) const {
  double charge = 0;
  for (int64_t e = 0; e < storage_.capacitors; ++e) {
    const NodeId a = storage_.a[e], b = storage_.b[e];
    if (a != b && (a == kGround || b == kGround)) charge += storage_.value[e] * volts[a == kGround ? b : a];
  }
  return charge;
}

double PadMeter::initial_charge() const {
  double charge = 0;
  for (int64_t e = 0; e < storage_.capacitors; ++e)
    charge += storage_.value[e] * storage_.initial[e] * ((storage_.b[e] == kGround) - (storage_.a[e] == kGround));
  return charge;
}

PadsOverTime::PadsOverTime(std::span<const PadCurrent> dc, double supplied_a, double drawn_a, int64_t scenarios)
    : supplied_at_rest_(supplied_a), drawn_at_rest_(drawn_a), scenarios_(scenarios) {
  for (const PadCurrent& pad : dc) at_rest_.push_back(pad.current_a);
}

void PadsOverTime::add_flow(int64_t j, double supplied, double drawn, double weight) {
  if (j == 0) seconds_ += weight;
  charge_.supplied_c += weight * (supplied_at_rest_ + supplied);
  charge_.drawn_c += weight * (drawn_at_rest_ + drawn);
}

void PadsOverTime::add(int64_t j, const PadState& state, double time, double weight) {
  add_flow(j, state.supplied, state.drawn, weight);
  sums_.resize(at_rest_.size() * scenarios_);
  CurrentOverTime* const sums = sums_.data() + static_cast<size_t>(j) * at_rest_.size();
  parallel_each(std::ssize(at_rest_), [&](int64_t k) { sums[k].take(at_rest_[k] + state.pad[k], weight, time); });
}

std::vector<PadOverTime> PadsOverTime::take_pads() const {
  std::vector<PadOverTime> pads(at_rest_.size());
  for (size_t k = 0; k < pads.size(); ++k) {
    const CurrentOverTime* worst = &sums_[k];
    for (size_t at = k; at < sums_.size(); at += pads.size())
      if (std::abs(sums_[at].peak) > std::abs(worst->peak)) worst = &sums_[at];
    if (seconds_ > 0)
      pads[k] = {worst->amperes / seconds_, std::sqrt(worst->squares / seconds_), worst->peak, worst->peak_time};
  }
  return pads;
}

}  // namespace gridiron
