// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/matrices/matrix_findings.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "analysis/model/findings.hpp"
#include "regularize/negative_edges.hpp"

namespace gridiron {
namespace {

struct Reason {
  std::string what, place;
};

/// The resistor that is an edge: these are all but shorts and those from a node to itself, in the order of the deck.
int64_t resistor_of_edge(const Elements& resistors, int64_t edge) {
  for (int64_t i = 0; i < resistors.size(); ++i)
    if (resistors.a[i] != resistors.b[i] && resistors.value[i] != 0 && edge-- == 0) return i;
  return -1;
}

std::optional<Reason> reason(const Circuit& circuit, const Grid& grid, const Merge& merge) {
  if (!circuit.controlled_sources.empty()) {
    const ControlledSource& first = circuit.controlled_sources.front();
    return Reason{fmt::format("'{}' is a controlled source", shown(circuit.element_name(first))),
                  circuit.place(first.origin)};
  }
  const int64_t edge = find_not_outweighed(grid.network, merge);
  if (edge < 0) return std::nullopt;
  const int64_t resistor = resistor_of_edge(circuit.resistors, edge);
  return Reason{fmt::format("'{}' of {:g} Ω has no smaller positive resistance in parallel",
                            shown(circuit.element_name(kResistor, resistor)), circuit.resistors.value[resistor]),
                circuit.place(circuit.resistors.origin[resistor])};
}

}  // namespace

std::vector<Finding> check_matrix(const Circuit& circuit, const Grid& grid, const Merge& merge, Matrices allowed) {
  const std::optional<Reason> found = reason(circuit, grid, merge);
  if (!found) return {};
  if (allowed == Matrices::any)
    return {{Finding::Severity::info, kEstimateOnly,
             fmt::format("{}, so that errors are estimated, not bounded by a proof", found->what), found->place}};
  return {{Finding::Severity::error, kEstimateOnly,
           fmt::format("{}; only an analysis or a simulation of the deck as it is, as by 'gridiron ir', on one process "
                       "and the CPU, solves such circuits, with estimated errors",
                       found->what),
           found->place}};
}

std::vector<Finding> refuse_negative_resistors(const Circuit& circuit) {
  const Elements& r = circuit.resistors;
  for (int64_t i = 0; i < r.size(); ++i)
    if (r.value[i] < 0)
      return {{Finding::Severity::error, "bad-value",
               fmt::format("'{}' has the value {:g} Ω; several processes take no negative resistances, run one",
                           shown(circuit.element_name(kResistor, i)), r.value[i]),
               circuit.place(r.origin[i])}};
  return {};
}

}  // namespace gridiron
