// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "netlist/extracted/written_place.hpp"

namespace gridiron {

/// What extraction writes behind the value of a resistor: `$w=0.1 $l=2.5 $lvl=3`, `$a=0.01 $lvl=12` of a via,
/// `$metal2`, or CDL: `$W=0.1u $[rm]`.
struct CardAnnotation {
  double width_um = 0;                      ///< `w`; 0: not told, NaN: it is no length
  const char* width = nullptr;              ///< where it stands; null: not told
  std::string_view layer;                   ///< `lvl` or `layer`, or a word behind `$` that is the name of one
  bool has_area = false;                    ///< `a`, of vias
  const char *x = nullptr, *y = nullptr;    ///< begin with where it is; null: only other comments may tell
  const char *x2 = nullptr, *y2 = nullptr;  ///< the same of its second end
  const char* end = nullptr;                ///< of their text; told by annotation_of_card() alone

  /// Of its first node; none if these are no place.
  std::optional<WrittenPlace> place() const;
  /// Of its second one, which is that of the first where nothing else tells.
  std::optional<WrittenPlace> second_place() const;
};

/// Of the line from `at` on, to its end or to `end`, which it returns. An annotation is a `$`, at once behind it a key,
/// `=` and a value; `$` and the name of a layer are one, too, where another `$` or nothing follows. What follows a `$`
/// and a blank, or a `;`, is text, and so is all else. A width with a unit or below 1e-4 is in metres, as in CDL, and
/// otherwise in µm, as extraction writes it; of a key that is there twice the last value counts. Internal to netlist/.
const char* read_annotation(const char* at, const char* end, CardAnnotation& found);

/// Of the card at the begin of `text`, with the lines that continue it.
CardAnnotation annotation_of_card(std::string_view text);

}  // namespace gridiron
