// SPDX-License-Identifier: Apache-2.0
#include "layout/library.hpp"

#include <algorithm>

namespace gridiron::layout {

double Layer::spacing_um(double of_width_um) const {
  constexpr double kSame = 1e-9;
  double most = 0;
  for (const LayerSpacing& s : spacings)
    if (s.width_um <= of_width_um + kSame) most = std::max(most, s.spacing_um);
  return most;
}

int32_t position(const NameIndex& index, std::string_view name) {
  const auto found = index.find(name);
  return found == index.end() ? -1 : found->second;
}

Use use_of(std::string_view word) {
  if (word == "POWER") return Use::power;
  if (word == "GROUND") return Use::ground;
  return word == "SIGNAL" ? Use::signal : Use::other;
}

int32_t Library::layer(std::string_view name) const { return position(layer_index, name); }
int32_t Library::via(std::string_view name) const { return position(via_index, name); }
int32_t Library::rule(std::string_view name) const { return position(rule_index, name); }
int32_t Library::macro(std::string_view name) const { return position(macro_index, name); }

std::string Library::describe(TextPlace place) const { return texts[place.file]->describe(place.offset); }

}  // namespace gridiron::layout
