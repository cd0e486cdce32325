// SPDX-License-Identifier: Apache-2.0
#pragma once

// Items are distributed to shards by hash; one task per shard finds the first occurrence of each item. Numbers follow
// from the rank of the first occurrences, so they do not depend on how items are distributed over tables or threads.
// Every pass reads memory in order, or in as many places at once as there are shards.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/error.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {

/// Where items of several tables lie: shard after shard, in each table after table.
class Shards {
 public:
  /// `hash(t, i)` of item i of table t.
  template <class Hash>
  Shards(const std::vector<int32_t>& sizes, const Hash& hash) : sizes_(sizes) {
    size_t items = 0;
    for (const int32_t size : sizes) items += size;
    constexpr size_t kItems = 8192;  // in a shard, so that what a task works on stays in its cache
    bits_ = std::bit_width(std::clamp<size_t>(items / kItems, 1, 1024)) - 1;
    begin_.resize(count() * tables() + 1);
    parallel_tasks(std::ssize(sizes), [&](int64_t t) {
      std::vector<int64_t> in_shard(count());
      for (int32_t i = 0; i < sizes[t]; ++i) ++in_shard[of(hash(t, i))];
      for (size_t s = 0; s < count(); ++s) begin_[s * tables() + t + 1] = in_shard[s];
    });
    for (size_t k = 1; k < begin_.size(); ++k) begin_[k] += begin_[k - 1];
  }

  size_t count() const { return size_t{1} << bits_; }
  size_t tables() const { return sizes_.size(); }
  int64_t items() const { return begin_.back(); }
  int64_t begin(size_t shard) const { return begin_[shard * tables()]; }
  size_t table_at(size_t shard, int64_t position) const {
    const auto row = begin_.begin() + static_cast<ptrdiff_t>(shard * tables());
    return static_cast<size_t>(std::upper_bound(row, row + static_cast<ptrdiff_t>(tables()), position) - row) - 1;
  }

  /// Calls f(i, position, shard) for the items of a table in order.
  template <class Hash, class F>
  void for_items(int64_t table, const Hash& hash, F&& f) const {
    std::vector<int64_t> cursor(count());
    for (size_t s = 0; s < count(); ++s) cursor[s] = begin_[s * tables() + static_cast<size_t>(table)];
    for (int32_t i = 0; i < sizes_[table]; ++i) {
      const size_t shard = of(hash(table, i));
      f(i, cursor[shard]++, shard);
    }
  }

 private:
  size_t of(uint32_t hash) const { return static_cast<size_t>(uint64_t{hash} << bits_ >> 32); }

  std::vector<int32_t> sizes_;
  int bits_ = 0;
  std::vector<int64_t> begin_;  ///< of every table in every shard
};

/// Numbers the items of several tables, equal ones alike, in the order of their first occurrences. Error: ResourceError
/// if that takes more than 2³¹ − 1 numbers.
///
/// Items: `int32_t size(t)`; `uint32_t hash(t, i)`; `Item`, what of an item is compared, with its hash;
/// `Item item(t, i)`; `bool same(a, table_of_a, b, table_of_b)`, the tables by functions.
template <class Items>
class FirstOccurrences {
 public:
  FirstOccurrences(int64_t tables, const Items& items)
      : items_(items), shards_(sizes_of(tables, items), hash()), first_number_(tables + 1, 0) {
    find_first();
    parallel_tasks(tables, [&](int64_t t) {
      int32_t count = 0;
      for_items(t, [&](int32_t, int64_t at, size_t shard) { count += is_first(at, shard); });
      first_number_[t + 1] = count;
    });
    for (int64_t t = 0; t < tables; ++t) {
      if (first_number_[t + 1] > std::numeric_limits<int32_t>::max() - first_number_[t])
        throw ResourceError("more than 2147483647 names in one process; use more processes");
      first_number_[t + 1] += first_number_[t];
    }
    number_ = untouched<int32_t>(shards_.items());
    parallel_tasks(tables, [&](int64_t t) {
      int32_t next = first_number_[t];
      for_items(t, [&](int32_t, int64_t at, size_t shard) {
        if (is_first(at, shard)) number_[at] = next++;
      });
    });
  }

  int32_t count() const { return first_number_.back(); }

  /// The number of the first item that occurs first in table t or a later one.
  int32_t first_number(int64_t t) const { return first_number_[t]; }

  /// Calls f(i, number) for those items of table t that occur there first, in order.
  template <class F>
  void for_first(int64_t t, F&& f) const {
    for_items(t, [&](int32_t i, int64_t at, size_t shard) {
      if (is_first(at, shard)) f(i, number_[at]);
    });
  }

  /// The numbers of all items of table t.
  std::vector<int32_t> numbers(int64_t t) const {
    std::vector<int32_t> all(items_.size(t));
    for_items(t, [&](int32_t i, int64_t at, size_t shard) { all[i] = number_[shards_.begin(shard) + first_[at]]; });
    return all;
  }

 private:
  using Item = typename Items::Item;
  static_assert(std::is_trivially_default_constructible_v<Item>, "or one thread would write to all of them");

  static std::vector<int32_t> sizes_of(int64_t tables, const Items& items) {
    std::vector<int32_t> sizes;
    for (int64_t t = 0; t < tables; ++t) sizes.push_back(items.size(t));
    return sizes;
  }
  auto hash() const {
    return [this](int64_t t, int32_t i) { return items_.hash(t, i); };
  }
  template <class F>
  void for_items(int64_t t, F&& f) const {
    shards_.for_items(t, hash(), std::forward<F>(f));
  }
  bool is_first(int64_t at, size_t shard) const { return first_[at] == at - shards_.begin(shard); }

  void find_first() {
    const auto all = untouched<Item>(shards_.items());
    parallel_tasks(static_cast<int64_t>(shards_.tables()), [&](int64_t t) {
      for_items(t, [&](int32_t i, int64_t at, size_t) { all[at] = items_.item(t, i); });
    });
    first_ = untouched<int32_t>(shards_.items());
    parallel_tasks(static_cast<int64_t>(shards_.count()), [&](int64_t shard) {
      const int64_t begin = shards_.begin(shard), count = shards_.begin(shard + 1) - begin;
      const Item* const here = all.get() + begin;
      const auto table_of = [&](int32_t k) { return [&, k] { return shards_.table_at(shard, begin + k); }; };
      const size_t mask = std::bit_ceil(static_cast<size_t>(2 * count + 1)) - 1;
      std::vector<int32_t> slots(mask + 1, -1);
      for (int32_t k = 0; k < count; ++k) {
        size_t slot = here[k].hash() & mask;
        while (slots[slot] >= 0 && !items_.same(here[slots[slot]], table_of(slots[slot]), here[k], table_of(k)))
          slot = (slot + 1) & mask;
        if (slots[slot] < 0) slots[slot] = k;
        first_[begin + k] = slots[slot];
      }
    });
  }

  const Items& items_;
  Shards shards_;
  std::unique_ptr<int32_t[]> first_;   ///< of each item, within its shard
  std::unique_ptr<int32_t[]> number_;  ///< of those that are first
  std::vector<int32_t> first_number_;  ///< per table
};

}  // namespace gridiron
