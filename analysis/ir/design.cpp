// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/ir/findings.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

constexpr const char* kKindNames[] = {"resistor", "capacitor", "inductor", "voltage source", "current source"};

void append(std::vector<Finding>& to, std::vector<Finding> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

bool Design::has_errors() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& f) { return f.severity == Finding::Severity::error; });
}

void Design::throw_first_error() const { gridiron::throw_first_error(findings); }

NodeId Design::find_node(std::string_view name) const { return circuit->nodes.find(name); }

std::int64_t Design::find_element(Kind kind, std::string_view name) const {
  Index& index = elements_[kind];
  std::call_once(index.made, [&] {
    for (std::int64_t i = 0; i < circuit->elements(kind).size(); ++i) {
      const std::int32_t id = index.names.intern(circuit->element_name(kind, i));
      if (id == static_cast<std::int32_t>(index.element.size()))
        index.element.push_back(i);
      else
        index.repeated.emplace(id, i);
    }
  });
  const std::int32_t id = index.names.find(name);
  if (id < 0) return -1;
  if (const auto second = index.repeated.find(id); second != index.repeated.end()) {
    const std::vector<Origin>& origin = circuit->elements(kind).origin;
    throw InputError(fmt::format("{} {}: the netlist has several of that name, at {} and {}; tell them apart there",
                                 kKindNames[kind], name, circuit->place(origin[index.element[id]]),
                                 circuit->place(origin[second->second])));
  }
  return index.element[id];
}

std::shared_ptr<const Design> make_design(std::shared_ptr<const Circuit> circuit, const DesignOptions& options) {
  auto design = std::make_shared<Design>();
  design->circuit = circuit;
  design->options = options;
  design->findings = check_values(*circuit);
  if (design->has_errors()) return design;
  design->places = place_nodes(*circuit, options.dbu_per_um);
  append(design->findings, check_geometry(*circuit, design->places));
  const auto topology = std::make_shared<const Topology>(make_grid(*circuit));
  design->topology = topology;
  append(design->findings, check_ties(*circuit, topology->grid, topology->merge));
  append(design->findings, check_parts(*circuit, topology->parts, design->places));
  design->nets =
      name_nets(*circuit, design->places, topology->grid, topology->parts, topology->known_volts, options.nominal_v);
  append(design->findings, std::move(design->nets.findings));
  return design;
}

std::shared_ptr<const Design> make_design(const Circuit& circuit, const DesignOptions& options) {
  return make_design(std::shared_ptr<const Circuit>(std::shared_ptr<void>(), &circuit), options);
}

}  // namespace gridiron
