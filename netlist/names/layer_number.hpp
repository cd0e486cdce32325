// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gridiron {

/// Number at the end of a layer's name (metal10 → 10), or the first of numbers that underscores join (2_0 → 2), by
/// which layers are sorted; the largest int if there is none.
int layer_number(std::string_view layer);

/// m4, metal10, met2, layer3, n1: whether a name is a word for a metal layer and its number.
bool is_metal_name(std::string_view layer);

}  // namespace gridiron
