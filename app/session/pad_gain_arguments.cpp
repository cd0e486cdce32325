// SPDX-License-Identifier: Apache-2.0
#include "app/session/pad_gain_arguments.hpp"

#include "support/error_text.hpp"

namespace gridiron {

std::optional<PadGainOptions> pad_gain_options(const PadGainArguments& arguments) {
  const auto refuse = [](bool is_given, const char* name) {
    if (is_given) throw input_error("{}: there is no {} that it is for", field(name), field("pad_gains"));
  };
  if (arguments.pad_gains == 0) {
    refuse(!arguments.pad_layer.empty(), "pad_layer");
    refuse(arguments.pad_resistance.has_value(), "pad_resistance");
    return std::nullopt;
  }
  PadGainOptions options;
  options.places = arguments.pad_gains;
  options.layer = arguments.pad_layer;
  options.ohm = arguments.pad_resistance;
  return options;
}

}  // namespace gridiron
