// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/pad_meter.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/tran/sources_over_time.hpp"

namespace gridiron {
namespace {

double sum_of_products(std::span<const double> a, std::span<const double> b) {
  constexpr std::size_t kLanes = 4;
  double sum[kLanes] = {};  // apart, so that none waits for the other
  std::size_t i = 0;
  for (; i + kLanes <= a.size(); i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) sum[lane] += a[i + lane] * b[i + lane];
  for (; i < a.size(); ++i) sum[0] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

PadMeter::PadMeter(const Design& design, const Topology& step, const Storage& storage, std::span<const PadCurrent> pads)
    : design_(design), storage_(storage), do_sources_move_(do_sources_move(*design.circuit)) {
  find_tied_nodes(step, pads);
  find_entries(step.merge);
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
    tied_.push_back({*it, -1, merge.parent[*it] == kGround});
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

void PadMeter::find_entries(const Merge& merge) {
  const auto of_grid = static_cast<std::int32_t>(tied_.size());
  const Network& network = design_.topology->grid.network;
  for (std::int64_t k = 0; k < network.edges(); ++k)
    for (const auto& [from, into] : {std::pair(network.b[k], network.a[k]), std::pair(network.a[k], network.b[k])}) {
      if (network.a[k] == network.b[k]) continue;
      const auto add = [&, from = from, into = into](std::int32_t sum) {
        resistors_.push_back({sum, do_sources_move_ ? from : merge.group[from],
                              do_sources_move_ ? into : merge.group[into], network.conductance[k]});
      };
      if (into == kGround) add(of_grid);
      if (tied_of_node_[into] >= 0) add(tied_of_node_[into]);
    }
  const auto add = [&](std::vector<Given>& list, std::int64_t index, NodeId a, NodeId b, std::int32_t at_ground) {
    if (a == b) return;
    for (const auto& [node, sign] : {std::pair(a, -1.0F), std::pair(b, 1.0F)}) {
      if (node == kGround && at_ground >= 0) list.push_back({at_ground, static_cast<std::int32_t>(index), sign});
      if (tied_of_node_[node] >= 0) list.push_back({tied_of_node_[node], static_cast<std::int32_t>(index), sign});
    }
  };
  for (std::int64_t e = 0; e < storage_.size(); ++e)
    add(stored_, e, storage_.a[e], storage_.b[e], storage_.is_capacitor(e) ? -1 : of_grid);
  const Sources& loads = design_.circuit->current_sources;
  for (std::int64_t i = 0; i < loads.size(); ++i) {
    add(drawn_, i, loads.a[i], loads.b[i], -1);
    into_ground_.push_back((loads.b[i] == kGround) - (loads.a[i] == kGround));
  }
}

PadState& PadMeter::measure(const Potentials& volts, std::span<const double> storage_a, std::span<const double> load) {
  std::vector<double>& sum = sum_;
  sum.assign(tied_.size() + 1, 0.0);
  const auto add_resistors = [&](auto volts_at) {
    for (const Resistor& resistor : resistors_)
      sum[resistor.sum] += resistor.conductance * (volts_at(resistor.from) - volts_at(resistor.into));
  };
  if (do_sources_move_)
    add_resistors([&](std::int32_t node) { return volts[node]; });
  else
    add_resistors([&](std::int32_t group) { return volts.of_group(group); });
  // Entries of one sum often follow each other: they are added up without waiting for memory.
  const auto add_given = [&](const std::vector<Given>& list, std::span<const double> amperes) {
    for (std::size_t k = 0; k < list.size();) {
      const std::int32_t at = list[k].sum;
      double run = 0;
      for (; k < list.size() && list[k].sum == at; ++k) run += list[k].sign * amperes[list[k].index];
      sum[at] += run;
    }
  };
  add_given(stored_, storage_a);
  add_given(drawn_, load);
  PadState& state = state_;
  state.supplied = -sum[tied_.size()];
  state.drawn = sum_of_products(into_ground_, load);
  for (std::size_t k = 0; k < tied_.size(); ++k) {
    if (tied_[k].parent >= 0) sum[tied_[k].parent] += sum[k];
    if (tied_[k].hangs_on_ground) state.supplied -= sum[k];
  }
  state.pad.resize(pads_.size());
  for (std::size_t k = 0; k < pads_.size(); ++k) {
    const PadAt& pad = pads_[k];
    double into_grid = 0;
    if (pad.tied >= 0) {
      into_grid = pad.sign * sum[pad.tied];
    } else if (pad.storage >= 0) {
      into_grid = storage_.b[pad.storage] == pad.node ? storage_a[pad.storage] : -storage_a[pad.storage];
    } else if (pad.edge >= 0) {
      into_grid = -design_.topology->grid.network.conductance[pad.edge] * volts[pad.node];
    }
    state.pad[k] = pad.turn * into_grid;
  }
  return state;
}

double PadMeter::stored_charge(const Potentials& volts) const {
  double charge = 0;
  for (std::int64_t e = 0; e < storage_.capacitors; ++e) {
    const NodeId a = storage_.a[e], b = storage_.b[e];
    if (a != b && (a == kGround || b == kGround)) charge += storage_.value[e] * volts[a == kGround ? b : a];
  }
  return charge;
}

double PadMeter::initial_charge() const {
  double charge = 0;
  for (std::int64_t e = 0; e < storage_.capacitors; ++e)
    charge += storage_.value[e] * storage_.initial[e] * ((storage_.b[e] == kGround) - (storage_.a[e] == kGround));
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
