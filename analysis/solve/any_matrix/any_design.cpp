// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/any_matrix/any_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/model/findings.hpp"
#include "analysis/model/matrices/matrix_findings.hpp"

namespace gridiron {

std::shared_ptr<const Design> first_design(const Circuit& circuit, DesignOptions options) {
  if (!circuit.controlled_sources.empty()) options.nominal_v.clear();
  return make_design(circuit, options, Matrices::any);
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

bool is_estimate_only(const Design& design) { return !estimate_findings(design).empty(); }

}  // namespace gridiron
