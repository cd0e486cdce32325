// SPDX-License-Identifier: Apache-2.0
#include "app/session/grid_change.hpp"

#include <utility>

#include "analysis/model/findings.hpp"
#include "app/session/layout_opens.hpp"
#include "app/session/read_input.hpp"
#include "layout/layout_findings.hpp"

namespace gridiron {

GridChange::~GridChange() {
  if (!before_) return;
  before_->back(console_.session);
  console_.simulated = std::move(simulated_);
}

void GridChange::make(const std::string& error_file) {
  const layout::Layout* const kept = console_.session.has_design() ? console_.layout.kept(request_) : nullptr;
  if (!kept) fresh_.emplace(console_.layout.extract(request_));
  const layout::Layout& layout = kept ? *kept : *fresh_;
  try {
    const std::vector<Finding> findings = read_findings(*layout.circuit);
    if (!request_.ignore_shorts) require_no_shorts(findings);
    if (!request_.ignore_opens) require_no_opens(findings);
  } catch (const GridError&) {
    std::vector<int32_t> nets;
    for (const layout::NetGrid& grid : layout.grids) nets.push_back(grid.net);
    if (!error_file.empty()) write_drc(markers_of_faults(console_.layout, nets, layout.shorts), error_file);
    throw;
  }
  if (kept) return;
  DesignOptions options;
  options.nominal_v = console_.layout.nominal(request_.corner);
  keep_nominal_of(layout, options);
  simulated_ = std::move(console_.simulated);
  Session next = console_.session.successor();
  before_.emplace(std::exchange(console_.session, std::move(next)));
  console_.session.read(console_.layout.def(), layout.circuit, options);
}

void GridChange::keep() {
  if (!before_) return;
  before_.reset();
  console_.layout.keep(request_, std::move(*fresh_));
}

Markers markers_of_faults(LayoutSetup& layout, const std::vector<int32_t>& nets,
                          const std::vector<layout::Short>& shorts) {
  Markers markers;
  for (const layout::Short& s : shorts) add_marker(layout.library(), layout.chip(), s, markers);
  for (const int32_t net : nets) {
    const layout::Network& network = layout.network_to_check(net);
    add_markers(layout.library(), layout.chip(), net, network, layout::find_opens(network), markers);
  }
  return markers;
}

}  // namespace gridiron
