// SPDX-License-Identifier: Apache-2.0
#include "app/session/means_arguments.hpp"

#include <algorithm>

#include "netlist/names/name_table.hpp"
#include "support/error_text.hpp"

namespace gridiron {

PlanMeans MeansArguments::means() const {
  PlanMeans means;
  for (const std::string& text : widen) {
    const Widening asked = parse_widening(text);
    const auto is_same = [&](const Widening& w) { return same_name(w.layer, asked.layer) && w.most == asked.most; };
    if (std::ranges::none_of(means.widen, is_same)) means.widen.push_back(asked);
  }
  for (const std::string& text : add_straps) means.straps.push_back(parse_strap_offer(text));
  if (!cost.empty()) means.costs = parse_costs(cost);
  means.grid_um = grid_um;
  if (add_pads > 0) {
    if (pad_layer.empty())
      throw input_error("{} {}: on which layer? Give {} LAYER", field("add_pads"), add_pads, field("pad_layer"));
    if (!(pad_ohm > 0))
      throw input_error("{} {}: of which resistance? Give {} OHM, above 0", field("add_pads"), add_pads,
                        field("pad_resistance"));
    means.pads = PadOffer{add_pads, pad_layer, pad_ohm};
  } else if (!pad_layer.empty() || pad_ohm != 0) {
    throw input_error("{}: no pads may be added; give {} N", field(pad_layer.empty() ? "pad_resistance" : "pad_layer"),
                      field("add_pads"));
  }
  require_means(means);
  return means;
}

}  // namespace gridiron
