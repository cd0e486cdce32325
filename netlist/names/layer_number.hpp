// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gridiron {

/// Number at the end of a layer's name (metal10 → 10), by which layers are sorted; the largest int if there is none.
int layer_number(std::string_view layer);

}  // namespace gridiron
