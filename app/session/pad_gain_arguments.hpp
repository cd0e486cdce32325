// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "analysis/insight/pad_gains.hpp"
#include "app/session/common_arguments.hpp"

namespace gridiron {

/// Which pad of a net would lower its worst drop most.
struct PadGainArguments {
  int pad_gains = 0;
  std::string pad_layer;
  std::optional<double> pad_resistance;
};

/// None where places are not asked for. Errors: InputError where there are only options of them.
std::optional<PadGainOptions> pad_gain_options(const PadGainArguments& arguments);

/// What the pad may be.
template <class Args>
void add_pad_arguments(Declaration<Args>& to) {
  to.add(&Args::pad_layer, {.field = "pad_layer",
                            .value = "LAYER",
                            .help = "layer of the one pad more",
                            .initial = "those where the net has pads"});
  Argument resistance = {.field = "pad_resistance",
                         .value = "OHM",
                         .unit = "ohm",
                         .help = "its resistance, of which 0 is that of an ideal source",
                         .initial = "the median of the net's pads"};
  std::optional<double> Args::*const member = &Args::pad_resistance;
  add_quantity(to, member, ohms, std::move(resistance));
}

}  // namespace gridiron
