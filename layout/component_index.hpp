// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gridiron::layout {

/// Finds components by their names, of which there are millions: a table of eight bytes per slot that all threads fill,
/// where std::unordered_map would make a node per name. It keeps no names: each look-up is given those it was made of.
class ComponentIndex {
 public:
  ComponentIndex() = default;
  explicit ComponentIndex(std::span<const std::string_view> names);

  /// The first one of this name, −1 if there is none.
  int32_t find(std::span<const std::string_view> names, std::string_view name) const;
  /// The first component whose name an earlier one has, −1 if there is none.
  int32_t repeated() const { return repeated_; }

 private:
  std::vector<uint64_t> slots_;  ///< open addressing: 32 bits of the hash, then the component; size a power of two
  int32_t repeated_ = -1;
};

}  // namespace gridiron::layout
