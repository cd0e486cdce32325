// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/unique_names.hpp"

#include <fmt/format.h>

namespace gridiron {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

std::string UniqueNames::take(const std::string& stem, const std::string& extension) {
  std::string name = stem + extension;
  for (int copy = 2; !taken_.insert(lower_case(name)).second; ++copy)
    name = fmt::format("{}_{}{}", stem, copy, extension);
  return name;
}

}  // namespace gridiron
