// SPDX-License-Identifier: Apache-2.0
#include "layout/component_index.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <functional>
#include <limits>

#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

constexpr uint64_t kEmpty = std::numeric_limits<uint64_t>::max();

size_t hash_of_name(std::string_view name) { return std::hash<std::string_view>()(name); }

// The high half of the hash chooses the slot, so that names which meet there still differ in the low half.
size_t first_slot(size_t hash, size_t mask) { return hash >> 32 & mask; }
uint64_t entry_of(size_t hash, int64_t component) { return hash << 32 | static_cast<uint32_t>(component); }
int32_t component_of(uint64_t entry) { return static_cast<int32_t>(entry); }
bool has_hash(uint64_t entry, size_t hash) { return entry >> 32 == static_cast<uint32_t>(hash); }

/// Fills the table from any thread. Of several components of one name the slot keeps the first, in whatever order they
/// come, and each of the others has met an earlier one or been met by it.
class Filler {
 public:
  Filler(std::span<const std::string_view> names, std::vector<uint64_t>& slots)
      : names_(names), slots_(slots), mask_(slots.size() - 1) {}

  /// Puts the components of a range into their slots. Returns the least one whose name an earlier one has.
  int64_t put(int64_t begin, int64_t end) {
    int64_t repeated = std::ssize(names_);
    std::array<size_t, kAhead> hash;
    for (int64_t first = begin; first < end; first += kAhead) {
      const int64_t last = std::min(end, first + kAhead);
      for (int64_t i = first; i < last; ++i) {
        hash[i - first] = hash_of_name(names_[i]);
        __builtin_prefetch(&slots_[first_slot(hash[i - first], mask_)], 1);
      }
      for (int64_t i = first; i < last; ++i) repeated = std::min(repeated, put(i, hash[i - first]));
    }
    return repeated;
  }

 private:
  static constexpr int64_t kAhead = 16;

  int64_t put(int64_t component, size_t hash) {
    const uint64_t own = entry_of(hash, component);
    for (size_t at = first_slot(hash, mask_);; at = (at + 1) & mask_) {
      const std::atomic_ref<uint64_t> slot(slots_[at]);
      uint64_t entry = slot.load(std::memory_order_relaxed);
      if (entry == kEmpty && slot.compare_exchange_strong(entry, own, std::memory_order_relaxed))
        return std::ssize(names_);
      if (!has_hash(entry, hash) || names_[component_of(entry)] != names_[component]) continue;
      int64_t other = component_of(entry);
      while (component < other && !slot.compare_exchange_weak(entry, own, std::memory_order_relaxed))
        other = component_of(entry);
      return std::max(component, other);
    }
  }

  std::span<const std::string_view> names_;
  std::vector<uint64_t>& slots_;
  size_t mask_;
};

}  // namespace

ComponentIndex::ComponentIndex(std::span<const std::string_view> names) {
  assign_in_parallel(slots_, static_cast<int64_t>(std::bit_ceil(2 * names.size() + 1)), kEmpty);
  Filler filler(names, slots_);
  const int64_t none = std::ssize(names);
  struct Least {
    int64_t component = std::numeric_limits<int64_t>::max();
  };
  const auto repeated = joined_ranges<Least>(
      none, [&](int64_t begin, int64_t end) { return Least{filler.put(begin, end)}; },
      [](Least& all, Least some) { all.component = std::min(all.component, some.component); });
  if (repeated.component < none) repeated_ = static_cast<int32_t>(repeated.component);
}

int32_t ComponentIndex::find(std::span<const std::string_view> names, std::string_view name) const {
  if (slots_.empty()) return -1;
  const size_t hash = hash_of_name(name), mask = slots_.size() - 1;
  for (size_t at = first_slot(hash, mask); slots_[at] != kEmpty; at = (at + 1) & mask)
    if (has_hash(slots_[at], hash) && names[component_of(slots_[at])] == name) return component_of(slots_[at]);
  return -1;
}

}  // namespace gridiron::layout
