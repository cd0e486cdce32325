// SPDX-License-Identifier: Apache-2.0
#include "netlist/edit/widened_annotation.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "netlist/extracted/card_annotations.hpp"
#include "netlist/extracted/chunk_notes.hpp"
#include "netlist/values/spice_number.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

/// In units.
int32_t width_of(std::string_view value) {
  const std::string text = fmt::format("$w={}\n", value);
  CardAnnotation read;
  read_annotation(text.data(), text.data() + text.size(), read);
  return width_in_units(read.width_um);
}

}  // namespace

std::optional<TextEdit> widened_annotation(const SourceText& source, uint64_t offset, double factor) {
  const std::string_view text = source.text();
  const CardAnnotation note = annotation_of_card(text.substr(offset));
  if (!note.width || width_in_units(note.width_um) <= 0) return std::nullopt;
  double digits = 0;
  const char* const letters = parse_decimal(note.width, note.end, digits);
  const char* behind = letters;
  while (behind != note.end && (*behind | 0x20) >= 'a' && (*behind | 0x20) <= 'z') ++behind;
  const double um = note.width_um * factor;
  const int32_t units = width_in_units(um);
  if (units <= 0)
    throw input_error("{}: this card tells a width of {:g} um, and {:g} um is none that can be read; remove it",
                      source.describe(static_cast<uint64_t>(note.width - text.data())), note.width_um, um);
  std::string value = fmt::format("{:.9g}{}", digits * factor, std::string_view(letters, behind));
  if (std::abs(width_of(value) - units) > 1) value = fmt::format("{:.9g}u", um);
  const auto at = static_cast<uint64_t>(note.width - text.data());
  return TextEdit{at, static_cast<uint64_t>(behind - note.width), std::move(value)};
}

}  // namespace gridiron
