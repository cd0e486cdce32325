// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

namespace gridiron {

/// Adds the items of a range to a list.
template <class T>
void append(std::vector<T>& list, const auto& range) {
  list.insert(list.end(), std::begin(range), std::end(range));
}
template <class T>
void append(std::vector<T>& list, std::vector<T>&& items) {
  list.insert(list.end(), std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
}

/// Sorts a list, and leaves one of equal items.
template <class T>
void sort_unique(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace gridiron
