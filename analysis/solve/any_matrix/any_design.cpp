// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/any_matrix/any_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/model/findings.hpp"
#include "analysis/model/matrices/matrix_findings.hpp"
#include "support/error_text.hpp"

namespace gridiron {

std::shared_ptr<const Design> first_design(const Circuit& circuit, DesignOptions options) {
  if (!circuit.controlled_sources.empty()) options.nominal_v.clear();
  return make_design(circuit, options, Matrices::any);
}

void require_controls(const Design& design) {
  if (!design.topology || design.topology->left_out.is_empty()) return;
  const Topology& topology = *design.topology;
  const Circuit& circuit = *design.circuit;
  const auto is_left_out = [&](NodeId n) { return n != kGround && topology.left_out.has(topology.parts.part[n]); };
  for (const ControlledSource& source : circuit.controlled_sources) {
    const bool is_elsewhere = source.a != source.b && !is_left_out(source.a) && !is_left_out(source.b);
    if (!is_elsewhere) continue;
    const Sources& v = circuit.voltage_sources;
    for (const ControlledSource::Control& control : source.controls)
      for (const NodeId n : {control.source >= 0 ? v.a[control.source] : control.a,
                             control.source >= 0 ? v.b[control.source] : control.b})
        if (is_left_out(n))
          throw grid_error(
              "{}: the control of '{}' is not determined: node {} lies in an island that is left out; connect it",
              circuit.place(source.origin), shown(circuit.element_name(source)), shown(circuit.node_name(n)));
  }
}

std::shared_ptr<const Design> with_independent_sources(const Design& design, const AnyCircuitSolution& solution,
                                                       DesignOptions options) {
  options.islands = design.options.islands;
  return make_design(with_independent_sources(*design.as_read, solution.source), options, Matrices::any);
}

std::vector<Finding> estimate_findings(const Design& design) {
  std::vector<Finding> found;
  if (!design.topology) return found;
  std::ranges::copy_if(design.topology->findings, std::back_inserter(found),
                       [](const Finding& f) { return f.code == kEstimateOnly; });
  return found;
}

std::vector<Finding> estimate_findings_of_steps(const Design& design) {
  std::vector<Finding> found = estimate_findings(design);
  const Circuit& circuit = *design.circuit;
  for (const Kind kind : {kCapacitor, kInductor}) {
    const Elements& e = circuit.elements(kind);
    for (int64_t i = 0; design.topology && found.empty() && i < e.size(); ++i)
      if (e.value[i] < 0 && e.a[i] != e.b[i])
        found.push_back({Finding::Severity::info, kEstimateOnly,
                         fmt::format("'{}' has the negative value {:g} {}, so that errors are estimated, not bounded "
                                     "by a proof",
                                     shown(circuit.element_name(kind, i)), e.value[i], kUnits[kind]),
                         circuit.place(e.origin[i])});
  }
  return found;
}

void require_m_matrix(const Design& design, std::string_view option) {
  for (const Finding& why : estimate_findings(design))
    throw input_error("{}: {} takes no such circuit: {}; leave it out", why.place, field(option), why.message);
}

bool is_estimate_only(const Design& design) { return !estimate_findings(design).empty(); }

void require_bounds(const Design& design, std::string_view what) {
  for (const Finding& f : estimate_findings(design))
    throw input_error("{}: {}; {} needs the bounds", f.place, f.message, what);
}

}  // namespace gridiron
