// SPDX-License-Identifier: Apache-2.0
#include "netlist/edit/pad_cards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

#include "netlist/names/lower_case.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

std::string supply_node(const std::string& pad) { return pad + "_supply"; }

/// Of names in lower case, behind the letter of their cards, those that elements of this kind have.
void add_names_of_elements(const Circuit& circuit, Kind kind, const std::set<std::string>& names,
                           std::set<std::string>& taken) {
  size_t shortest = names.begin()->size(), longest = 0;
  std::string first_letters;
  for (const std::string& name : names) {
    shortest = std::min(shortest, name.size());
    longest = std::max(longest, name.size());
    if (first_letters.find(name[0]) == first_letters.npos) first_letters += name[0];
  }
  const auto name_of = [&](int64_t i) { return lower(circuit.card_name(kind, i).view().substr(1)); };
  const auto found = parallel_list<int64_t>(circuit.elements(kind).size(), [&](int64_t i, auto& list) {
    const CardName card = circuit.card_name(kind, i);
    const std::string_view name = card.view();
    if (name.size() <= shortest || name.size() > longest + 1) return;
    if (first_letters.find(lower(name[1])) != first_letters.npos && names.contains(name_of(i))) list.push_back(i);
  });
  for (const int64_t i : found) taken.insert(name_of(i));
}

/// Which of the names of pads, in lower case, would be taken by the elements or nodes of a circuit.
std::set<std::string> taken_names(const Circuit& circuit, const std::set<std::string>& names) {
  std::set<std::string> taken;
  for (const Kind kind : {kResistor, kVoltageSource}) add_names_of_elements(circuit, kind, names, taken);
  std::vector<std::string> nodes;
  for (const std::string& name : names) nodes.push_back(supply_node(name));
  const std::vector<std::string_view> views(nodes.begin(), nodes.end());
  const std::vector<NodeId> ids = circuit.nodes.find_few(views);
  auto id = ids.begin();
  for (const std::string& name : names)
    if (*id++ >= 0) taken.insert(name);
  return taken;
}

/// Names of the pads that neither the circuit nor another one has.
std::vector<std::string> free_names(const Circuit& circuit, std::span<const NewPad> pads) {
  std::vector<std::string> names;
  std::vector<int> numbers(pads.size(), 1);
  for (const NewPad& pad : pads) names.push_back(pad.name);
  for (std::set<std::string> taken;;) {
    std::set<std::string> used;
    for (size_t i = 0; i < pads.size(); ++i) {
      while (taken.contains(lower(names[i])) || used.contains(lower(names[i])))
        names[i] = fmt::format("{}_{}", pads[i].name, ++numbers[i]);
      used.insert(lower(names[i]));
    }
    const std::set<std::string> found = taken_names(circuit, used);
    if (found.empty()) return names;
    taken.insert(found.begin(), found.end());
  }
}

}  // namespace

std::string pad_cards(const Circuit& circuit, std::span<const NewPad> pads) {
  if (pads.empty()) return {};
  const std::vector<std::string> names = free_names(circuit, pads);
  std::string text;
  const auto out = std::back_inserter(text);
  for (size_t i = 0; i < pads.size(); ++i) {
    const NewPad& pad = pads[i];
    const SpelledName node = circuit.node_name(pad.node);
    if (!pad.net.empty() && !circuit.net_cards.empty()) fmt::format_to(out, "* Netlist for {} on default\n", pad.net);
    if (pad.ohm == 0) {
      fmt::format_to(out, "V{} {} 0 {}\n", names[i], node, pad.volts);
      continue;
    }
    fmt::format_to(out, "V{} {} 0 {}\n", names[i], supply_node(names[i]), pad.volts);
    fmt::format_to(out, "R{} {} {} {}\n", names[i], supply_node(names[i]), node, pad.ohm);
  }
  return text;
}

}  // namespace gridiron
