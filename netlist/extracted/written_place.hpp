// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace gridiron {

/// Where something is, as the comments of an extracted deck have it.
struct WrittenPlace {
  double x, y;
  bool is_in_um;  ///< by a suffix, whatever the units of the deck are
};

/// Two words: numbers in the units of the deck, or in metres with a suffix, as in `2.5u`. None for all others, and
/// where only one of them has a suffix and the other is not 0. Internal to netlist/.
std::optional<WrittenPlace> written_place(std::string_view x, std::string_view y);

}  // namespace gridiron
