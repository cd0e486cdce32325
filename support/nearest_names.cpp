// SPDX-License-Identifier: Apache-2.0
#include "support/nearest_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace gridiron {
namespace {

constexpr size_t kAllOf = 12, kNearest = 3;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

}  // namespace

size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j)
      diagonal = std::exchange(
          row[j], std::min({row[j] + 1, row[j - 1] + 1, diagonal + (lower(a[i - 1]) != lower(b[j - 1]) ? 1 : 0)}));
  }
  return row.back();
}

std::string did_you_mean(std::string_view wanted, std::span<const std::string_view> names) {
  constexpr size_t kThird = 3;
  if (names.size() < 2) return "";
  size_t least = std::string_view::npos;
  std::string_view nearest;
  for (const std::string_view name : names) {
    const size_t letters = letters_apart(wanted, name);
    if (letters >= least || kThird * letters > std::max(wanted.size(), name.size())) continue;
    least = letters;
    nearest = name;
  }
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

std::string names_near(std::string_view wanted, std::span<const std::string> names) {
  if (names.empty()) return "none";
  if (names.size() <= kAllOf) return fmt::format("{}", fmt::join(names, ", "));
  std::vector<std::pair<size_t, size_t>> order;  // letters apart, index
  for (size_t k = 0; k < names.size(); ++k) order.emplace_back(letters_apart(wanted, names[k]), k);
  std::partial_sort(order.begin(), order.begin() + kNearest, order.end());
  std::vector<std::string_view> nearest;
  for (size_t k = 0; k < kNearest; ++k) nearest.push_back(names[order[k].second]);
  return fmt::format("{} and {} more", fmt::join(nearest, ", "), names.size() - kNearest);
}

std::string first_names(std::span<const std::string> names) {
  if (names.size() <= kAllOf) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.first(kNearest), ", "), names.size() - kNearest);
}

}  // namespace gridiron
