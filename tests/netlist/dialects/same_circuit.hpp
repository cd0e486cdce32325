// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "netlist/circuit.hpp"
#include "netlist/names/lower_case.hpp"

namespace gridiron::test {

inline std::string lower_name(std::string text) {
  for (char& c : text) c = lower(c);
  return text;
}

/// An element in words and numbers.
struct Described {
  std::string words;  ///< nodes, the kind of waveform, what controls it
  std::vector<double> numbers;
};

inline std::vector<double> numbers_of(const Waveform& w) {
  if (const auto* p = std::get_if<Pulse>(&w))
    return {p->initial, p->pulsed, p->delay, p->rise, p->fall, p->width, p->period, p->pulses};
  if (const auto* s = std::get_if<Sin>(&w))
    return {s->offset, s->amplitude, s->frequency, s->delay, s->damping, s->phase};
  if (const auto* e = std::get_if<Exp>(&w))
    return {e->initial, e->pulsed, e->rise_delay, e->rise_tau, e->fall_delay, e->fall_tau};
  const Pwl& pwl = std::get<Pwl>(w);
  std::vector<double> all{pwl.repeat};
  for (const auto& [t, v] : pwl.points) all.insert(all.end(), {t, v});
  return all;
}

/// All elements by name. A name that begins like `r:` is that of a plain card, which tells the kind itself.
class DescribedCircuit {
 public:
  explicit DescribedCircuit(const Circuit& circuit) : circuit_(circuit) {
    for (const Kind kind : kEveryKind)
      for (int64_t i = 0; i < circuit.elements(kind).size(); ++i) add(kind, i);
    for (const ControlledSource& s : circuit.controlled_sources) {
      const ControlledSource::Control& first = s.controls.at(0);
      const bool by_current = first.source >= 0;
      const char letter = s.kind == kVoltageSource ? (by_current ? 'h' : 'e') : (by_current ? 'f' : 'g');
      const std::string control = by_current ? key('v', circuit.element_name(kVoltageSource, first.source))
                                             : node(first.a) + " " + node(first.b);
      put(key(letter, circuit.element_name(s)),
          {node(s.a) + " " + node(s.b) + " by " + control, {s.constant, first.gain}});
    }
    for (const Coupling& k : circuit.couplings) {
      const std::string a = key('l', circuit.element_name(kInductor, k.a)),
                        b = key('l', circuit.element_name(kInductor, k.b));
      put("k " + std::min(a, b) + " " + std::max(a, b), {"", {k.k}});
    }
  }

  /// Empty, or the first difference from `other`.
  std::string difference(const DescribedCircuit& other) const {
    for (const auto& [name, mine] : elements_) {
      const auto found = other.elements_.find(name);
      if (found == other.elements_.end()) return "only the first has " + name;
      const Described& theirs = found->second;
      if (mine.words != theirs.words) return fmt::format("{}: {} and {}", name, mine.words, theirs.words);
      if (mine.numbers.size() != theirs.numbers.size()) return fmt::format("{}: numbers of points differ", name);
      for (size_t i = 0; i < mine.numbers.size(); ++i)
        if (!is_near(mine.numbers[i], theirs.numbers[i]))
          return fmt::format("{}: {:.17g} and {:.17g}", name, mine.numbers[i], theirs.numbers[i]);
    }
    for (const auto& [name, theirs] : other.elements_)
      if (!elements_.contains(name)) return "only the second has " + name;
    return "";
  }

 private:
  static bool is_near(double a, double b) {
    constexpr double kRelative = 1e-14;
    return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= kRelative * std::abs(b);
  }
  std::string node(NodeId n) const { return lower_name(std::string(circuit_.node_name(n))); }
  static std::string key(char letter, const std::string& name) {
    const bool tells_kind = name.size() > 2 && name[1] == ':';
    return lower_name(tells_kind ? name : std::string(1, letter) + ":" + name);
  }
  void add(Kind kind, int64_t i) {
    const Elements& e = circuit_.elements(kind);
    Described d{node(e.a[i]) + " " + node(e.b[i]), {e.value[i]}};
    if (kind == kVoltageSource || kind == kCurrentSource) {
      const Sources& s = kind == kVoltageSource ? circuit_.voltage_sources : circuit_.current_sources;
      if (s.waveform[i] >= 0) {
        const Waveform& w = circuit_.waveforms[s.waveform[i]];
        d.words += fmt::format(" waveform {}", w.index());
        const std::vector<double> more = numbers_of(w);
        d.numbers.insert(d.numbers.end(), more.begin(), more.end());
      }
    }
    put(key("rclvi"[kind], circuit_.element_name(kind, i)), std::move(d));
  }
  void put(const std::string& name, Described d) {
    const int before = uses_[name]++;
    elements_[before == 0 ? name : fmt::format("{}#{}", name, before + 1)] = std::move(d);
  }

  const Circuit& circuit_;
  std::map<std::string, Described> elements_;
  std::map<std::string, int> uses_;
};

}  // namespace gridiron::test
