// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/joined_nets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/model/findings.hpp"

namespace gridiron {
namespace {

constexpr size_t kMostNames = 4;

struct Element {
  Kind kind;
  int64_t index;
};

/// "VDD and VSS", or the first few of many.
std::string names_of(const PartFacts& facts, const NodePlaces& places) {
  std::vector<std::string> names;
  for (const auto& [label, count] : facts.labels)
    if (names.size() < kMostNames) names.push_back(shown(places.nets[label]));
  const size_t others = facts.labels.size() - names.size();
  if (others > 0) names.push_back(fmt::format("{} more", others));
  std::string text = names[0];
  for (size_t k = 1; k < names.size(); ++k) text += (k + 1 < names.size() ? ", " : " and ") + names[k];
  return text;
}

/// Per part the first resistor, inductor or source at which a net ends: with a node of another net or of none beyond.
std::map<int32_t, Element> first_joints(const Circuit& circuit, const NodePlaces& places, const Parts& parts,
                                        const std::vector<PartFacts>& facts, std::span<const int32_t> joined) {
  std::map<int32_t, int32_t> main_of;
  for (const int32_t part : joined) main_of[part] = main_label(facts[part]);
  std::map<int32_t, Element> joints;
  for (const Kind kind : {kResistor, kInductor, kVoltageSource}) {
    const Elements& e = circuit.elements(kind);
    for (int64_t i = 0; i < e.size() && joints.size() < joined.size(); ++i) {
      const int32_t part = parts.part[e.a[i]], a = places.net[e.a[i]], b = places.net[e.b[i]];
      if (a == b || part < 0 || part != parts.part[e.b[i]]) continue;
      const auto found = main_of.find(part);
      if (found == main_of.end()) continue;
      const auto is_other = [&](int32_t label) { return label >= 0 && label != found->second; };
      if (is_other(a) || is_other(b)) joints.try_emplace(part, Element{kind, i});
    }
  }
  return joints;
}

}  // namespace

int32_t main_label(const PartFacts& facts) {
  return std::ranges::max_element(facts.labels, [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

std::vector<JoinedNets> find_joined_nets(const Circuit& circuit, const NodePlaces& places, const Parts& parts,
                                         const std::vector<PartFacts>& facts, std::span<const int32_t> joined) {
  if (joined.empty()) return {};
  const auto joints = first_joints(circuit, places, parts, facts, joined);
  std::vector<JoinedNets> out;
  for (const int32_t part : joined) {
    std::string where, place;
    if (const auto joint = joints.find(part); joint != joints.end()) {
      const auto [kind, index] = joint->second;
      const Elements& e = circuit.elements(kind);
      where = fmt::format(", e.g. by '{}' from {} to {}", shown(circuit.element_name(kind, index)),
                          shown(circuit.node_name(e.a[index])), shown(circuit.node_name(e.b[index])));
      place = circuit.place(e.origin[index]);
    }
    out.push_back({fmt::format("nodes named after different nets, {}, are connected{}; they are treated as net {}",
                               names_of(facts[part], places), where, shown(places.nets[main_label(facts[part])])),
                   place});
  }
  return out;
}

}  // namespace gridiron
