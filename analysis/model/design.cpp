// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/design.hpp"

#include <algorithm>
#include <utility>

#include "analysis/model/findings.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"

namespace gridiron {
namespace {

constexpr const char* kKindNames[] = {"resistor", "capacitor", "inductor", "voltage source", "current source"};

std::vector<Finding> joined(std::vector<Finding> findings, const std::vector<Finding>& more) {
  append(findings, more);
  return findings;
}

bool has_error(const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings, [](const Finding& f) { return f.severity == Finding::Severity::error; });
}

}  // namespace

std::vector<Finding> Design::findings() const { return topology ? findings(*topology) : card_findings; }

std::vector<Finding> Design::findings(const Topology& edited) const { return joined(card_findings, edited.findings); }

bool Design::has_errors() const { return has_error(card_findings) || (topology && has_error(topology->findings)); }

void Design::throw_first_error() const { gridiron::throw_first_error(findings()); }

NodeId Design::find_node(std::string_view name) const { return circuit->nodes.find(name); }

int64_t Design::find_element(Kind kind, std::string_view name) const {
  Index& index = elements_[kind];
  std::call_once(index.made, [&] {
    for (int64_t i = 0; i < circuit->elements(kind).size(); ++i) {
      const int32_t id = index.names.intern(circuit->element_name(kind, i));
      if (id == static_cast<int32_t>(index.element.size()))
        index.element.push_back(i);
      else
        index.repeated.emplace(id, i);
    }
  });
  const int32_t id = index.names.find(name);
  if (id < 0) return -1;
  if (const auto second = index.repeated.find(id); second != index.repeated.end()) {
    const std::vector<Origin>& origin = circuit->elements(kind).origin;
    throw input_error("{} {}: the netlist has several of that name, at {} and {}; tell them apart there",
                      kKindNames[kind], name, circuit->place(origin[index.element[id]]),
                      circuit->place(origin[second->second]));
  }
  return index.element[id];
}

std::shared_ptr<const Design> make_design(std::shared_ptr<const Circuit> circuit, const DesignOptions& options,
                                          Matrices allowed) {
  auto design = std::make_shared<Design>();
  design->circuit = design->as_read = std::move(circuit);
  design->options = options;
  const Circuit& read = *design->as_read;
  design->card_findings = check_values(read);
  if (design->has_errors()) return design;
  design->places = place_nodes(read, options.dbu_per_um, options.node_pattern);
  append(design->card_findings, pattern_findings(read, design->places));
  design->card_findings = joined(std::move(design->card_findings), check_geometry(read, design->places));
  design->topology = std::make_shared<const Topology>(
      make_topology(read, design->places, options.nominal_v, options.islands, allowed));
  if (const LeftOut& left_out = design->topology->left_out; !left_out.is_empty())
    design->circuit = without_loads_of(left_out, read, design->topology->parts);
  return design;
}

std::shared_ptr<const Design> make_design(const Circuit& circuit, const DesignOptions& options, Matrices allowed) {
  return make_design(std::shared_ptr<const Circuit>(std::shared_ptr<void>(), &circuit), options, allowed);
}

}  // namespace gridiron
