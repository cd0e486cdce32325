// SPDX-License-Identifier: Apache-2.0
#include "netlist/extracted/written_place.hpp"

#include <cmath>

#include "netlist/values/quantity.hpp"
#include "netlist/values/spice_number.hpp"

namespace gridiron {
namespace {

struct Coordinate {
  double value;
  bool is_in_um;
};

std::optional<Coordinate> coordinate_of(std::string_view word) {
  double digits = 0;
  const char* const end = word.data() + word.size();
  const char* const letters = word.empty() ? nullptr : parse_decimal(word.data(), end, digits);
  if (!letters || !std::isfinite(digits)) return std::nullopt;
  if (letters == end) return Coordinate{digits, false};
  const std::optional<double> metres = quantity(word, Quantity::length);
  return metres ? std::optional(Coordinate{*metres * 1e6, true}) : std::nullopt;
}

}  // namespace

std::optional<WrittenPlace> written_place(std::string_view x_word, std::string_view y_word) {
  const std::optional<Coordinate> x = coordinate_of(x_word), y = coordinate_of(y_word);
  if (!x || !y) return std::nullopt;
  if (x->is_in_um != y->is_in_um && (x->is_in_um ? y : x)->value != 0) return std::nullopt;
  return WrittenPlace{x->value, y->value, x->is_in_um || y->is_in_um};
}

}  // namespace gridiron
