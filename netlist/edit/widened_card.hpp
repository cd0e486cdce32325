// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "netlist/edit/text_edit.hpp"
#include "netlist/source_text.hpp"

namespace gridiron {

/// The elements that an R card stands for: one at the top level, others in instances of a subcircuit.
struct CardElements {
  std::span<const double> values;
  bool are_at_top;
};

/// The edits of the R card at `offset` of a text that divide the values of its elements by `factor`, as those of a wire
/// do that is so many times as wide. What the card has besides its value and its widths stays.
///
/// - A number becomes the new value. One that the temperature, `m=` or an instance turns into other values is divided.
/// - An {expression} becomes the new value, too, or is divided by the factor where settings, a model or the parameters
///   of an instance are between it and the resistance.
/// - Of a model, or a word that may be one, that many are put in parallel: `m=`.
/// - The width that an annotation such as `$w=0.4` tells is multiplied: it is that of the whole element. So is the
///   setting `w=`, unless `m=` changes, as each of the elements in parallel keeps its width.
///
/// The elements are read as value / factor exactly, unless settings or instances round between the number and them;
/// then as one of the nearest numbers. Errors: InputError, for a card that is not one of a resistor, and for a width
/// that cannot be written. Internal to netlist/.
std::vector<TextEdit> widened_card(const SourceText& source, uint64_t offset, const CardElements& elements,
                                   double factor);

}  // namespace gridiron
