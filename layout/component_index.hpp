// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gridiron::layout {

/// Finds components by their names, of which there are millions: a table of eight bytes per slot, whose names are those
/// of the text, where std::unordered_map would make a node per name.
class ComponentIndex {
 public:
  /// The names must outlive the index. Made when a name is first looked up.
  explicit ComponentIndex(std::span<const std::string_view> names) : names_(names) {}

  /// The first one of this name, −1 if there is none.
  int32_t find(std::string_view name);

 private:
  struct Slot {
    uint32_t hash;
    int32_t component = -1;
  };

  void make();
  /// Where the name is, or would be.
  size_t slot_of(std::string_view name, size_t hash) const;

  std::span<const std::string_view> names_;
  std::vector<Slot> slots_;  ///< open addressing, size a power of two
};

}  // namespace gridiron::layout
