// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <type_traits>

namespace gridiron {

/// The types selected by the parameter "precision": of vectors and, where different, of tables.
template <class V, class T = V>
struct Precision {
  using Vector = V;
  using Table = T;
};

/// make(Precision()) of these types for "double" or "single"; for "half", tables of Half with vectors of float.
template <class Half = float, class F>
auto with_precision(std::string_view precision, F make) {
  if (precision == "double") return make(Precision<double>());
  if constexpr (!std::is_same_v<Half, float>)
    if (precision == "half") return make(Precision<float, Half>());
  return make(Precision<float>());
}

}  // namespace gridiron
