// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridiron {

/// How many letters must be inserted, deleted or replaced to turn one word into the other (Levenshtein); ASCII case is
/// ignored.
size_t letters_apart(std::string_view a, std::string_view b);

/// What there is instead of a name that there is not: "vdd, vss", of many the nearest: "vdd_core, vdd_cpu, vdd_io and
/// 120 more"; "none" of none.
std::string names_near(std::string_view wanted, std::span<const std::string> names);

/// "; did you mean 'vdd'?" where one of the names is within a third of the letters; empty otherwise, and where there
/// is one name only.
std::string did_you_mean(std::string_view wanted, std::span<const std::string_view> names);
template <class Names>
std::string did_you_mean(std::string_view wanted, const Names& names) {
  const std::vector<std::string_view> views(std::begin(names), std::end(names));
  return did_you_mean(wanted, std::span<const std::string_view>(views));
}

/// "vdd, vss", of many the first: "vdd1, vdd2, vdd3 and 120 more".
std::string first_names(std::span<const std::string> names);

}  // namespace gridiron
