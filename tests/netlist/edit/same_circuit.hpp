// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "netlist/circuit.hpp"
#include "netlist/edit/deck_edits.hpp"

namespace gridiron::test {

/// How many doubles lie between two of one sign.
inline int64_t ulps(double a, double b) { return std::abs(std::bit_cast<int64_t>(a) - std::bit_cast<int64_t>(b)); }

inline std::vector<double> numbers_of(const Waveform& waveform) {
  struct Numbers {
    std::vector<double> operator()(const Pulse& p) const {
      return {1, p.initial, p.pulsed, p.delay, p.rise, p.fall, p.width, p.period, p.pulses};
    }
    std::vector<double> operator()(const Sin& s) const {
      return {2, s.offset, s.amplitude, s.frequency, s.delay, s.damping, s.phase};
    }
    std::vector<double> operator()(const Exp& e) const {
      return {3, e.initial, e.pulsed, e.rise_delay, e.rise_tau, e.fall_delay, e.fall_tau};
    }
    std::vector<double> operator()(const Pwl& w) const {
      std::vector<double> numbers{4, w.repeat};
      for (const auto& [t, v] : w.points) numbers.insert(numbers.end(), {t, v});
      return numbers;
    }
  };
  return std::visit(Numbers{}, waveform);
}

/// Elements of a kind but for those of some names.
inline std::vector<int64_t> elements_but(const Circuit& circuit, Kind kind, const std::set<std::string>& names) {
  std::vector<int64_t> elements;
  for (int64_t i = 0; i < circuit.elements(kind).size(); ++i)
    if (!names.contains(circuit.element_name(kind, i))) elements.push_back(i);
  return elements;
}

inline void expect_same_waveform(const Circuit& before, int32_t x, const Circuit& after, int32_t y) {
  ASSERT_EQ(x < 0, y < 0);
  if (x < 0) return;
  const std::vector<double> a = numbers_of(before.waveforms[x]), b = numbers_of(after.waveforms[y]);
  ASSERT_EQ(a.size(), b.size());
  for (size_t k = 0; k < a.size(); ++k) EXPECT_EQ(std::bit_cast<uint64_t>(a[k]), std::bit_cast<uint64_t>(b[k]));
}

inline void expect_same_elements(const Circuit& before, const Circuit& after, Kind kind,
                                 const std::map<int64_t, double>& factors, int64_t most_ulps,
                                 const std::set<std::string>& added) {
  const Elements &x = before.elements(kind), &y = after.elements(kind);
  const std::vector<int64_t> same = elements_but(after, kind, added);
  ASSERT_EQ(std::ssize(same), x.size()) << kind;
  for (int64_t i = 0; i < x.size(); ++i) {
    const int64_t j = same[i];
    const std::string name = before.element_name(kind, i);
    EXPECT_EQ(name, after.element_name(kind, j));
    EXPECT_EQ(before.node_name(x.a[i]), after.node_name(y.a[j])) << name;
    EXPECT_EQ(before.node_name(x.b[i]), after.node_name(y.b[j])) << name;
    const auto factor = kind == kResistor ? factors.find(i) : factors.end();
    if (factor == factors.end())
      EXPECT_EQ(std::bit_cast<uint64_t>(x.value[i]), std::bit_cast<uint64_t>(y.value[j])) << name;
    else
      EXPECT_LE(ulps(x.value[i] / factor->second, y.value[j]), most_ulps)
          << name << ": " << x.value[i] << " by " << factor->second << " became " << y.value[j];
    if (kind == kVoltageSource || kind == kCurrentSource)
      expect_same_waveform(before, static_cast<const Sources&>(x).waveform[i], after,
                           static_cast<const Sources&>(y).waveform[j]);
  }
}

/// In database units; 0 where none is known.
inline int32_t width_of(const Circuit& circuit, int64_t resistor) {
  const bool is_known = circuit.placement && resistor < std::ssize(circuit.placement->width);
  return is_known ? circuit.placement->width[resistor] : 0;
}

inline void expect_same_widths(const Circuit& before, const Circuit& after, const std::map<int64_t, double>& factors,
                               const std::set<std::string>& added) {
  const std::vector<int64_t> same = elements_but(after, kResistor, added);
  ASSERT_EQ(std::ssize(same), before.resistors.size());
  for (int64_t i = 0; i < before.resistors.size(); ++i) {
    const auto factor = factors.find(i);
    const int32_t width = width_of(before, i);
    if (factor == factors.end() || before.resistors.value[i] == 0)
      EXPECT_EQ(width_of(after, same[i]), width) << before.element_name(kResistor, i);
    else
      EXPECT_NEAR(width_of(after, same[i]), width * factor->second, 1) << before.element_name(kResistor, i);
  }
}

/// That two circuits are the same but for the values and widths of some resistors, and the elements named in `added`.
/// `nets`: of comments that tell them afterwards, where these are others.
inline void expect_same_but(const Circuit& before, const Circuit& after, const std::vector<ResistorFactor>& widened,
                            int64_t most_ulps = 0, const std::set<std::string>& added = {},
                            const std::vector<std::string>& nets = {}) {
  std::map<int64_t, double> factors;
  for (const ResistorFactor& r : widened) factors[r.resistor] = r.factor;
  for (const Kind kind : kEveryKind) expect_same_elements(before, after, kind, factors, most_ulps, added);
  expect_same_widths(before, after, factors, added);
  EXPECT_EQ(before.title, after.title);
  EXPECT_EQ(before.dbu_card, after.dbu_card);
  EXPECT_EQ(before.print_nodes, after.print_nodes);
  EXPECT_EQ(before.skipped_cards, after.skipped_cards);
  EXPECT_EQ(before.tran.step, after.tran.step);
  EXPECT_EQ(before.tran.stop, after.tran.stop);
  EXPECT_EQ(before.tran.start, after.tran.start);
  EXPECT_EQ(before.tran.largest, after.tran.largest);
  EXPECT_EQ(before.tran.uic, after.tran.uic);
  const auto same = [](const auto& a, const auto& b, auto fields) {
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(fields(a[i]), fields(b[i]));
  };
  same(before.layer_cards, after.layer_cards, [](const LayerCard& c) { return std::tuple(c.number, c.layer, c.net); });
  same(before.nominal_cards, after.nominal_cards, [](const NominalCard& c) { return std::tuple(c.net, c.volts); });
  const auto nets_of = [](const Circuit& circuit) {
    std::vector<std::string> names;
    for (const NetCard& card : circuit.net_cards) names.push_back(card.net);
    return names;
  };
  EXPECT_EQ(nets.empty() ? nets_of(before) : nets, nets_of(after));
  same(before.initial_conditions, after.initial_conditions,
       [](const InitialCondition& c) { return std::tuple(c.kind, c.element, c.value); });
  same(before.couplings, after.couplings, [](const Coupling& c) { return std::tuple(c.a, c.b, c.k); });
  same(before.controlled_sources, after.controlled_sources,
       [](const ControlledSource& c) { return std::tuple(c.kind, c.constant, c.path, c.controls.size()); });
}

}  // namespace gridiron::test
