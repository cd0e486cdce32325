// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/pad_meter.hpp"

#include <algorithm>
#include <cmath>

namespace gridiron {

PadMeter::PadMeter(const Design& design, const Topology& step, const Storage& storage, std::span<const PadCurrent> pads)
    : design_(design), storage_(storage) {
  find_tied_nodes(step, pads);
  find_entries();
}

void PadMeter::find_tied_nodes(const Topology& step, std::span<const PadCurrent> pads) {
  const Grid& dc = design_.topology->grid;
  const Merge& merge = step.merge;
  const std::size_t nodes = merge.parent.size();
  std::vector<std::int32_t> root(nodes);
  for (const std::int32_t n : merge.order) root[n] = merge.parent[n] < 0 ? n : root[merge.parent[n]];

  // Ties of the step by element, where a pad's may be; an inductor of the storage carries its own current.
  std::vector<std::int64_t> tie_of_source(design_.circuit->voltage_sources.value.size(), -1);
  std::vector<std::int64_t> tie_of_resistor(design_.circuit->resistors.value.size(), -1);
  std::vector<std::int64_t> tie_of_inductor(design_.circuit->inductors.value.size(), -1);
  for (std::size_t t = 0; t < step.grid.tie_elements.size(); ++t) {
    const Grid::TieElement element = step.grid.tie_elements[t];
    if (element.kind == kVoltageSource) tie_of_source[element.index] = static_cast<std::int64_t>(t);
    if (element.kind == kResistor) tie_of_resistor[element.index] = static_cast<std::int64_t>(t);
    if (element.kind == kInductor) tie_of_inductor[element.index] = static_cast<std::int64_t>(t);
  }
  std::vector<std::int64_t> storage_of_inductor;
  const Elements& inductors = design_.circuit->inductors;
  for (std::int64_t i = 0, e = storage_.capacitors; i < inductors.size(); ++i)
    storage_of_inductor.push_back(inductors.a[i] == inductors.b[i] || inductors.value[i] == 0 ? -1 : e++);

  std::vector<char> is_wanted(nodes, 0);
  is_wanted[kGround] = 1;
  std::vector<std::int64_t> tie_of_pad(pads.size(), -1);
  for (std::size_t k = 0; k < pads.size(); ++k) {
    PadAt& at = pads_.emplace_back();
    at.node = pads[k].node;
    at.edge = pads[k].edge;
    if (step.nets.inverted[step.parts.part[at.node]]) at.turn = -1;
    if (pads[k].tie < 0) continue;
    const Grid::TieElement element = dc.tie_elements[pads[k].tie];
    if (element.kind == kInductor && storage_of_inductor[element.index] >= 0) {
      at.storage = storage_of_inductor[element.index];
      continue;
    }
    tie_of_pad[k] = (element.kind == kVoltageSource ? tie_of_source
                     : element.kind == kResistor    ? tie_of_resistor
                                                    : tie_of_inductor)[element.index];
    if (tie_of_pad[k] >= 0) is_wanted[root[step.grid.network.tie_a[tie_of_pad[k]]]] = 1;
  }

  tied_of_node_.assign(nodes, -1);
  for (auto it = merge.order.rbegin(); it != merge.order.rend(); ++it) {
    if (!is_wanted[root[*it]] || merge.parent[*it] < 0) continue;
    tied_of_node_[*it] = static_cast<std::int32_t>(tied_.size());
    tied_.push_back({*it, -1, 0, merge.parent[*it] == kGround});
  }
  for (TiedNode& tied : tied_) tied.parent = tied_of_node_[merge.parent[tied.node]];
  for (std::size_t k = 0; k < pads.size(); ++k) {
    const std::int64_t tie = tie_of_pad[k];
    if (tie < 0) continue;
    for (const NodeId n : {step.grid.network.tie_a[tie], step.grid.network.tie_b[tie]}) {
      if (tied_of_node_[n] < 0 || merge.parent_tie[n] != tie) continue;
      pads_[k].tied = tied_of_node_[n];
      pads_[k].sign = n == pads[k].node ? -1 : 1;
    }
  }
}

void PadMeter::find_entries() {
  const auto for_each = [&](auto&& take) {
    const auto add = [&](From from, std::int64_t index, NodeId a, NodeId b) {
      if (a == b) return;
      take(a, Entry{from, true, index});
      take(b, Entry{from, false, index});
    };
    const Network& network = design_.topology->grid.network;
    for (std::int64_t k = 0; k < network.edges(); ++k) add(From::resistor, k, network.a[k], network.b[k]);
    for (std::int64_t e = 0; e < storage_.size(); ++e) add(From::storage, e, storage_.a[e], storage_.b[e]);
    const Sources& loads = design_.circuit->current_sources;
    for (std::int64_t i = 0; i < loads.size(); ++i) add(From::load, i, loads.a[i], loads.b[i]);
  };
  std::vector<std::int64_t> first(tied_.size() + 1, 0);
  for_each([&](NodeId n, const Entry& entry) {
    const bool is_capacitor = entry.from == From::storage && storage_.is_capacitor(entry.index);
    if (n == kGround) (is_capacitor ? stored_at_ground_ : at_ground_).push_back(entry);
    if (tied_of_node_[n] >= 0) ++first[tied_of_node_[n] + 1];
  });
  for (std::size_t k = 0; k < tied_.size(); ++k) {
    first[k + 1] += first[k];
    tied_[k].first = first[k];
  }
  entries_.resize(static_cast<std::size_t>(first.back()));
  for_each([&](NodeId n, const Entry& entry) {
    if (tied_of_node_[n] >= 0) entries_[first[tied_of_node_[n]]++] = entry;
  });
}

/// Into the node of the entry, A.
double PadMeter::current(const Entry& entry, std::span<const double> volts, std::span<const double> storage_a,
                         std::span<const double> load) const {
  const Network& network = design_.topology->grid.network;
  const auto k = entry.index;
  double from_a_to_b = 0;
  switch (entry.from) {
    case From::resistor:
      from_a_to_b = network.conductance[k] * (volts[network.a[k]] - volts[network.b[k]]);
      break;
    case From::storage:
      from_a_to_b = storage_a[k];
      break;
    case From::load:
      from_a_to_b = load[k];
  }
  return entry.is_a ? -from_a_to_b : from_a_to_b;
}

PadState PadMeter::measure(std::span<const double> volts, std::span<const double> storage_a,
                           std::span<const double> load) const {
  PadState state;
  std::vector<double> towards_parent(tied_.size(), 0.0);
  for (std::size_t k = 0; k < tied_.size(); ++k) {
    const auto end = k + 1 < tied_.size() ? tied_[k + 1].first : static_cast<std::int64_t>(entries_.size());
    for (std::int64_t e = tied_[k].first; e < end; ++e)
      towards_parent[k] += current(entries_[e], volts, storage_a, load);
    if (tied_[k].parent >= 0) towards_parent[tied_[k].parent] += towards_parent[k];
    if (tied_[k].hangs_on_ground) state.supplied -= towards_parent[k];
  }
  for (const Entry& entry : at_ground_) {
    const double into_ground = current(entry, volts, storage_a, load);
    (entry.from == From::load ? state.drawn : state.supplied) += entry.from == From::load ? into_ground : -into_ground;
  }
  for (const PadAt& pad : pads_) {
    double& into_grid = state.pad.emplace_back(0.0);
    if (pad.tied >= 0) {
      into_grid = pad.sign * towards_parent[pad.tied];
    } else if (pad.storage >= 0) {
      into_grid = storage_.b[pad.storage] == pad.node ? storage_a[pad.storage] : -storage_a[pad.storage];
    } else if (pad.edge >= 0) {
      into_grid = -design_.topology->grid.network.conductance[pad.edge] * volts[pad.node];
    }
    into_grid *= pad.turn;
  }
  return state;
}

double PadMeter::stored_charge(std::span<const double> volts) const {
  double charge = 0;
  for (const Entry& entry : stored_at_ground_)
    charge += storage_.value[entry.index] * volts[entry.is_a ? storage_.b[entry.index] : storage_.a[entry.index]];
  return charge;
}

PadsOverTime::PadsOverTime(std::span<const PadCurrent> dc, double supplied_a, double drawn_a, std::int64_t scenarios)
    : supplied_at_rest_(supplied_a), drawn_at_rest_(drawn_a), sums_(dc.size() * static_cast<std::size_t>(scenarios)) {
  for (const PadCurrent& pad : dc) at_rest_.push_back(pad.current_a);
}

void PadsOverTime::add(std::int64_t j, const PadState& state, double time, double weight) {
  if (j == 0) seconds_ += weight;
  charge_.supplied_c += weight * (supplied_at_rest_ + state.supplied);
  charge_.drawn_c += weight * (drawn_at_rest_ + state.drawn);
  Sums* const sums = sums_.data() + static_cast<std::size_t>(j) * at_rest_.size();
  for (std::size_t k = 0; k < at_rest_.size(); ++k) {
    const double amperes = at_rest_[k] + state.pad[k];
    sums[k].amperes += weight * amperes;
    sums[k].squares += weight * amperes * amperes;
    if (std::abs(amperes) <= std::abs(sums[k].peak)) continue;
    sums[k].peak = amperes;
    sums[k].peak_time = time;
  }
}

std::vector<PadOverTime> PadsOverTime::take_pads() const {
  std::vector<PadOverTime> pads(at_rest_.size());
  for (std::size_t k = 0; k < pads.size(); ++k) {
    const Sums* worst = &sums_[k];
    for (std::size_t at = k; at < sums_.size(); at += pads.size())
      if (std::abs(sums_[at].peak) > std::abs(worst->peak)) worst = &sums_[at];
    if (seconds_ > 0)
      pads[k] = {worst->amperes / seconds_, std::sqrt(worst->squares / seconds_), worst->peak, worst->peak_time};
  }
  return pads;
}

}  // namespace gridiron
