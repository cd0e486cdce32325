// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace gridiron {

/// What extraction writes behind the value of a resistor: `$w=0.1 $l=2.5 $lvl=3`, `$a=0.01 $lvl=12` of a via,
/// `$metal2`, or CDL: `$W=0.1u $[rm]`.
struct CardAnnotation {
  double width_um = 0;     ///< `w`; 0: not told
  std::string_view layer;  ///< `lvl` or `layer`, or a word behind `$` that is the name of one
  bool has_area = false;   ///< `a`, of vias
  std::string_view x, y;   ///< begin with where it is; other comments mostly tell that, too

  std::optional<double> x_um() const;
  std::optional<double> y_um() const;
};

/// Of the text from its first `$`, at `at`, to the end of the line or to `end`, which it returns. A length with a unit
/// or below 1e-4 is in metres, as in CDL, and otherwise in µm, as extraction writes it; of a key that is there twice
/// the last value counts. What is none of these keys is passed over. Internal to netlist/.
const char* read_annotation(const char* at, const char* end, CardAnnotation& found);

/// Of the card at the begin of `text`, with the lines that continue it.
CardAnnotation annotation_of_card(std::string_view text);

}  // namespace gridiron
