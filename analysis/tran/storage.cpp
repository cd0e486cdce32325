// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/storage.hpp"

#include <algorithm>

#include "support/lists.hpp"

namespace gridiron {

std::string_view name_of(Method method) { return method == Method::trapezoidal ? "trapezoidal" : "backward-euler"; }

Storage::Storage(const Circuit& circuit) {
  const auto add = [&](Kind kind) {
    const Elements& elements = circuit.elements(kind);
    auto given = std::ranges::lower_bound(circuit.initial_conditions, kind, {}, &InitialCondition::kind);
    for (int64_t i = 0; i < elements.size(); ++i) {
      const bool is_given = given != circuit.initial_conditions.end() && given->kind == kind && given->element == i;
      const double at_first = is_given ? (given++)->value : 0.0;
      if (elements.a[i] == elements.b[i] || elements.value[i] == 0) continue;
      a.push_back(elements.a[i]);
      b.push_back(elements.b[i]);
      value.push_back(elements.value[i]);
      initial.push_back(at_first);
    }
  };
  add(kCapacitor);
  capacitors = size();
  add(kInductor);
}

std::vector<double> Storage::conductance(Method method, double h) const {
  const double share = method == Method::trapezoidal ? 2 : 1;
  std::vector<double> g(value.size());
  for (int64_t e = 0; e < size(); ++e) g[e] = is_capacitor(e) ? share * value[e] / h : h / (share * value[e]);
  return g;
}

namespace {

/// Parts that storage joins are one system; one that it ties to ground, or to such a part, has a potential in a step
/// even where it floats at the operating point.
void join_systems(const Storage& storage, Parts& parts) {
  std::vector<int32_t> root(parts.systems);
  for (int32_t s = 0; s < parts.systems; ++s) root[s] = s;
  const auto find = [&](int32_t s) {
    while (root[s] != s) s = root[s] = root[root[s]];
    return s;
  };
  std::vector<char> is_anchored(parts.systems, 0);
  for (int32_t p = 0; p < parts.count(); ++p)
    if (parts.anchored[p]) is_anchored[parts.system[p]] = 1;
  for (int64_t e = 0; e < storage.size(); ++e) {
    const int32_t p = parts.part[storage.a[e]], q = parts.part[storage.b[e]];
    if (p >= 0 && q >= 0) {
      const int32_t s = find(parts.system[p]), t = find(parts.system[q]);
      root[std::max(s, t)] = std::min(s, t);
    } else if (p >= 0 || q >= 0) {
      is_anchored[parts.system[std::max(p, q)]] = 1;
    }
  }
  std::vector<int32_t> number(parts.systems, -1);
  std::vector<char> joined_anchor(parts.systems, 0);
  for (int32_t s = 0; s < parts.systems; ++s) joined_anchor[find(s)] |= is_anchored[s];
  int32_t systems = 0;
  for (int32_t s = 0; s < parts.systems; ++s)
    if (find(s) == s) number[s] = systems++;
  for (int32_t p = 0; p < parts.count(); ++p) {
    const int32_t s = find(parts.system[p]);
    parts.anchored[p] = joined_anchor[s];
    parts.system[p] = number[s];
  }
  parts.systems = systems;
}

}  // namespace

void Storage::histories(Method method, int64_t begin, int64_t end, const double* g, const double* volts,
                        const double* amperes, double* s) const {
  const int64_t first_inductor = std::clamp(capacitors, begin, end);
  if (method == Method::trapezoidal) {
    for (int64_t e = begin; e < first_inductor; ++e) s[e] = g[e] * volts[e] + amperes[e];
    for (int64_t e = first_inductor; e < end; ++e) s[e] = -(amperes[e] + g[e] * volts[e]);
  } else {
    for (int64_t e = begin; e < first_inductor; ++e) s[e] = g[e] * volts[e];
    for (int64_t e = first_inductor; e < end; ++e) s[e] = -amperes[e];
  }
}

Topology step_topology(const Design& design, const Storage& storage, std::span<const double> conductance) {
  const Topology& dc = *design.topology;
  Topology step;
  Network& network = step.grid.network;
  network = dc.grid.network;
  append(network.a, storage.a);
  append(network.b, storage.b);
  append(network.conductance, conductance);
  network.tie_a.clear();
  network.tie_b.clear();
  for (int64_t t = 0; t < dc.grid.network.ties(); ++t) {
    const Grid::TieElement element = dc.grid.tie_elements[t];
    if (element.kind == kInductor && design.circuit->inductors.value[element.index] != 0) continue;
    network.tie_a.push_back(dc.grid.network.tie_a[t]);
    network.tie_b.push_back(dc.grid.network.tie_b[t]);
    step.grid.tie_elements.push_back(element);
  }
  network.tie_volts.assign(network.tie_a.size(), 0.0);
  step.merge = merge_ties(network);
  step.parts = dc.parts;
  join_systems(storage, step.parts);
  step.added_pads = dc.added_pads;
  for (AddedPad& pad : step.added_pads) pad.volts = 0;
  step.nets = dc.nets;
  return step;
}

}  // namespace gridiron
