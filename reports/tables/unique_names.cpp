// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/unique_names.hpp"
#include "netlist/names/lower_case.hpp"

#include <fmt/format.h>

namespace gridiron {
std::string UniqueNames::take(const std::string& stem, const std::string& extension) {
  std::string name = stem + extension;
  for (int copy = 2; !taken_.insert(lower(name)).second; ++copy) name = fmt::format("{}_{}{}", stem, copy, extension);
  return name;
}

}  // namespace gridiron
