// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/plan/means.hpp"
#include "app/session/common_arguments.hpp"
#include "netlist/values/quantity.hpp"

namespace gridiron {

/// What a plan may do, as typed.
struct MeansArguments {
  std::vector<std::string> widen, add_straps;
  std::string pad_layer, cost;
  double grid_um = 0, pad_ohm = 0;
  int add_pads = 0;

  /// Errors: InputError.
  PlanMeans means() const;
};

template <class Args>
void add_means(Declaration<Args>& to) {
  using M = MeansArguments;
  to.add(&M::widen, {.field = "widen",
                     .value = "LAYER=FACTOR",
                     .help = "wires of this layer may be widened, to FACTOR times their width at most; wires in a "
                             "straight line are widened as one"});
  to.add(&M::grid_um, {.field = "grid",
                       .value = "UM",
                       .unit = "um",
                       .help = "new widths are multiples of this; where widths are known, as in a layout",
                       .initial = "any width",
                       .check = check_positive});
  to.add(&M::add_pads, whole_number("add_pads", "so many pads may be added", 1, 1000000, "none"));
  to.add(&M::pad_layer, {.field = "pad_layer", .value = "LAYER", .help = "layer of the nodes that may get a pad"});
  Argument resistance = {
      .field = "pad_resistance", .value = "OHM", .unit = "ohm", .help = "resistance of an added pad, above 0"};
  double Args::*const pad_ohm = &Args::pad_ohm;
  add_quantity(to, pad_ohm, ohms, std::move(resistance));
  to.add(&M::cost, {.field = "cost",
                    .value = "area=A,pad=P",
                    .help = "cost of a um2 of added metal, or of a siemens of added conductance where widths are not "
                            "known, and of a pad",
                    .initial = "area=1,pad=100"});
}

template <class Args>
void add_new_straps(Declaration<Args>& to) {
  using M = MeansArguments;
  to.add(&M::add_straps,
         {.field = "add_straps",
          .value = "LAYER:WIDTH:PITCH_MIN:PITCH_MAX",
          .help = "of a layout: straps of this width may be added on this layer, at least PITCH_MIN from others and at "
                  "most PITCH_MAX from the next new one of their net, um"});
}

}  // namespace gridiron
