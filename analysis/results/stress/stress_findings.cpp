// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/stress_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "analysis/model/findings.hpp"
#include "netlist/names/name_table.hpp"
#include "support/error_text.hpp"
#include "support/nearest_names.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

bool has_layer(const IrReport& report, const MetalLayer& row) {
  return std::ranges::any_of(report.layer_names, [&](const std::string& name) { return same_name(name, row.layer); });
}

/// Names of layers with metal whose section is not known, "M1 (no width), M2 (no width, no thickness)".
std::vector<std::string> layers_without_section(const IrReport& report, const MetalSections& sections,
                                                const Metal& metal) {
  if (metal.no_section == 0) return {};
  const size_t layers = report.layer_names.size();
  std::vector<uint8_t> has_no_width(layers, 0), has_no_thickness(layers, 0);
  for (int64_t i = 0; i < std::ssize(metal.kind); ++i) {
    if (metal.kind[i] != MetalKind::no_section) continue;
    const int32_t layer = report.nodes.layer[report.circuit->resistors.a[i]];
    has_no_width[layer] |= !(sections.width_um(i, layer) > 0);
    has_no_thickness[layer] |= !(sections.thickness_um(layer) > 0);
  }
  std::vector<std::string> names;
  for (size_t layer = 0; layer < layers; ++layer)
    if (has_no_width[layer] || has_no_thickness[layer])
      names.push_back(fmt::format("{} (no {})", shown(report.layer_names[layer]),
                                  !has_no_thickness[layer] ? "width"
                                  : has_no_width[layer]    ? "width, no thickness"
                                                           : "thickness"));
  return names;
}

}  // namespace

bool has_open_ends(const IrReport& report) { return report.circuit->placement && report.circuit->made_names; }

void require_metal_layers(const IrReport& report, std::span<const MetalLayer> table) {
  if (table.empty() || std::ranges::any_of(table, [&](const MetalLayer& row) { return has_layer(report, row); }))
    return;
  throw input_error("{}: no layer is called {:?}; there {}", table.front().place, table.front().layer,
                    report.layer_names.empty() ? "are none, as names of nodes tell none"
                                               : "are " + names_near(table.front().layer, report.layer_names));
}

void append_absent_layers(const IrReport& report, std::span<const MetalLayer> table, const char* code,
                          std::vector<Finding>& findings) {
  for (const MetalLayer& row : table)
    if (!has_layer(report, row))
      findings.push_back({Finding::Severity::info, code,
                          fmt::format("no node is on layer {}; there are nodes on {}", shown(row.layer),
                                      names_near(row.layer, report.layer_names)),
                          row.place});
}

void append_stress_findings(const IrReport& report, const StressOptions& options, const MetalSections& sections,
                            const Metal& metal, const MetalTrees& trees, std::vector<Finding>& findings) {
  const auto tell = [&](Finding::Severity severity, const char* code, std::string message, std::string place = "") {
    findings.push_back({severity, code, std::move(message), std::move(place)});
  };
  append_absent_layers(report, options.layers, "stress-layer-absent", findings);
  const std::vector<std::string> names = layers_without_section(report, sections, metal);
  if (metal.no_section > 0)
    tell(Finding::Severity::warning, "stress-section-unknown",
         fmt::format("the cross-section of {} is not known, on {}, and so not the stress of their trees; give rows in "
                     "{}",
                     counted(metal.no_section, "wire"), first_names(names), field("em_layers")));
  int64_t no_place = 0, first = 0;
  for (int64_t i = metal.no_place > 0 ? std::ssize(metal.kind) : 0; i-- > 0;)
    if (metal.kind[i] == MetalKind::no_place && trees.tree[report.circuit->resistors.a[i]] >= 0) {
      ++no_place;
      first = i;
    }
  if (no_place > 0) {
    tell(Finding::Severity::warning, "stress-place-unknown",
         fmt::format("of {} no length is known, as names of nodes tell no place or layer, the first of them at {}; the "
                     "stress of their trees is not known",
                     counted(no_place, "resistor"),
                     shown(std::string_view(report.circuit->node_name(report.circuit->resistors.a[first])))));
  }
  if (has_open_ends(report) && !trees.first.empty())
    tell(Finding::Severity::info, "stress-strap-ends",
         "ends of straps beyond their last nodes carry no current, and are not among the wires; bounds of stress allow "
         "for any length of them, times to voids for none");
  if (options.lifetime && report.dbu_is_guess && !trees.first.empty())
    tell(
        Finding::Severity::warning, "stress-unit-guessed",
        fmt::format("nothing tells how many units of places are a µm; times to voids go with the square of lengths, so "
                    "give {}",
                    field("dbu")));
  if (trees.joints > 0)
    tell(Finding::Severity::warning, "stress-joint-unknown",
         fmt::format("at {} metal is joined by what has no length or layer, the first of them {}; the stress of these "
                     "trees is not known",
                     counted(trees.joints, "node"), shown(std::string_view(report.circuit->node_name(trees.joint)))));
}

}  // namespace gridiron
