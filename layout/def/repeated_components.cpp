// SPDX-License-Identifier: Apache-2.0
// Two components of one name: powers and reports could mean either, so that they are an error.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include "layout/def/def_file.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

/// Sorting numbers is several times faster than a table of names.
struct HashedName {
  size_t hash;
  int64_t component;
  bool operator<(const HashedName& other) const {
    return std::tie(hash, component) < std::tie(other.hash, other.component);
  }
};

}  // namespace

void DefFile::refuse_repeated_components() {
  const Components& all = chip.components;
  std::vector<HashedName> names;
  make_room_in_parallel(names, all.size());
  parallel_each(all.size(), [&](int64_t i) { names[i] = {std::hash<std::string_view>()(all.name[i]), i}; });
  parallel_sort(names, std::less<>());
  // Of several repeated names the one that the text repeats first.
  int64_t first = -1, second = all.size();
  for (size_t begin = 0; begin < names.size();) {
    size_t end = begin + 1;
    while (end < names.size() && names[end].hash == names[begin].hash) ++end;
    for (size_t i = begin + 1; i < end; ++i)
      for (size_t k = begin; k < i && names[i].component < second; ++k)
        if (all.name[names[k].component] == all.name[names[i].component])
          first = names[k].component, second = names[i].component;
    begin = end;
  }
  if (first < 0) return;
  tokens.fail(all.offset[second], fmt::format("component {} is there already, at {}; rename or remove one of them",
                                              shown(all.name[second]), chip.describe({0, all.offset[first]})));
}

}  // namespace gridiron::layout
