// SPDX-License-Identifier: Apache-2.0
#pragma once

// Passes over large arrays on all threads. Ranges depend only on sizes, so that results, sums of floating-point numbers
// among them, have the same bits on any number of threads.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "support/parallel.hpp"
#include "support/resize_untouched.hpp"

namespace gridiron {

inline bool has_several_threads() { return !omp_in_parallel() && omp_get_max_threads() > 1; }

/// f(begin, end) of ranges of an array of T that threads touch first, as long as one lock of the page table reaches.
template <class T>
void parallel_pages(int64_t n, auto&& f) {
  constexpr int64_t kLeast = 1 << 14, kMost = (2 << 20) / sizeof(T);
  parallel_ranges(n, f, std::max(kLeast, std::min(n / 64, kMost)));
}

/// `array.assign(n, value)` on all threads, which so are the first to touch its pages.
template <class T>
void assign_in_parallel(std::vector<T>& array, int64_t n, const T& value = T()) {
  resize_untouched(array, n);
  parallel_pages<T>(
      n, [&array, value](int64_t begin, int64_t end) { std::fill(array.begin() + begin, array.begin() + end, value); });
}

/// Resizes an array whose every entry is written next: all threads touch its pages, and give it no values.
template <class T>
void make_room_in_parallel(std::vector<T>& array, int64_t n) {
  constexpr int64_t kPage = std::max<int64_t>(1, 4096 / sizeof(T));
  resize_untouched(array, n);
  parallel_pages<T>(n, [&array](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i += kPage) array[i] = T();
  });
}

/// Several arrays as one, in order; each is freed once it has been copied.
template <class T>
std::vector<T> concatenated(std::vector<std::vector<T>> arrays) {
  if (arrays.size() == 1) return std::move(arrays.front());
  std::vector<size_t> first;
  size_t all = 0;
  for (const std::vector<T>& array : arrays) {
    first.push_back(all);
    all += array.size();
  }
  std::vector<T> joined;
  resize_untouched(joined, all);
  parallel_tasks(std::ssize(arrays), [&](int64_t k) {
    const std::vector<T> array = std::move(arrays[k]);
    std::copy(array.begin(), array.end(), joined.begin() + static_cast<ptrdiff_t>(first[k]));
  });
  return joined;
}

/// Makes an array longer by entries that are still to be written; what it held is copied on all threads.
template <class T>
void grow_in_parallel(std::vector<T>& array, size_t n) {
  grow_untouched(array, n, [](const std::vector<T>& from, std::vector<T>& to) {
    parallel_ranges(std::ssize(from), [&](int64_t begin, int64_t end) {
      std::copy(from.begin() + begin, from.begin() + end, to.begin() + begin);
    });
  });
}

/// `array.insert(array.end(), …)` on all threads.
template <class T>
void append_in_parallel(std::vector<T>& array, std::span<const T> more) {
  const auto first = std::ssize(array);
  grow_in_parallel(array, array.size() + more.size());
  parallel_ranges(std::ssize(more), [&](int64_t begin, int64_t end) {
    std::copy(more.begin() + begin, more.begin() + end, array.begin() + first + begin);
  });
}

/// An array that nothing has written to yet: the thread that fills a range is the first to touch it.
template <class T>
std::unique_ptr<T[]> untouched(int64_t n) {
  return std::make_unique_for_overwrite<T[]>(n);
}

/// A copy made by all threads.
template <class T>
std::vector<T> parallel_copy(std::span<const T> from) {
  std::vector<T> copy;
  const auto n = std::ssize(from);
  resize_untouched(copy, from.size());
  parallel_ranges(n, [&](int64_t begin, int64_t end) {
    std::copy(from.begin() + begin, from.begin() + end, copy.begin() + begin);
  });
  return copy;
}

/// join(…join(join(R(), f(range 0)), f(range 1))…): f(begin, end) of consecutive ranges that cover [0, n), in order.
template <class R>
R joined_ranges(int64_t n, auto&& f, auto&& join, int64_t grain = 1 << 14) {
  struct Part {  // no std::vector<bool>: threads write to it
    R value;
  };
  std::vector<Part> of_range((n + grain - 1) / grain);
  parallel_ranges(
      n, [&](int64_t begin, int64_t end) { of_range[begin / grain].value = f(begin, end); }, grain);
  R all{};
  for (Part& some : of_range) join(all, some.value);
  return all;
}

/// Whether f(i) holds for every i in [0, n).
bool holds_for_all(int64_t n, auto&& f) {
  return joined_ranges<bool>(
             n,
             [&](int64_t begin, int64_t end) {
               bool fails = false;
               for (int64_t i = begin; i < end && !fails; ++i) fails = !f(i);
               return fails;
             },
             [](bool& all, bool some) { all |= some; }) == false;
}

/// The largest of 0 and f(i) over [0, n); what is NaN is passed over.
double parallel_max(int64_t n, auto&& f) {
  return joined_ranges<double>(
      n,
      [&](int64_t begin, int64_t end) {
        double largest = 0;
        for (int64_t i = begin; i < end; ++i) largest = std::max(largest, static_cast<double>(f(i)));
        return largest;
      },
      [](double& all, double some) { all = std::max(all, some); });
}

/// The sum of f(i) over [0, n), range by range.
template <class R>
R parallel_sum(int64_t n, auto&& f) {
  return joined_ranges<R>(
      n,
      [&](int64_t begin, int64_t end) {
        R sum{};
        for (int64_t i = begin; i < end; ++i) sum += f(i);
        return sum;
      },
      [](R& all, const R& some) { all += some; });
}

/// What add(i, list) appends to a list for i = 0 … n − 1. A thread takes `grain` of them at a time.
template <class T>
std::vector<T> parallel_list(int64_t n, auto&& add, int64_t grain = 1 << 14) {
  std::vector<std::vector<T>> of_range((n + grain - 1) / grain);
  parallel_ranges(
      n,
      [&](int64_t begin, int64_t end) {
        std::vector<T> some;
        for (int64_t i = begin; i < end; ++i) add(i, some);
        of_range[begin / grain] = std::move(some);
      },
      grain);
  return concatenated(std::move(of_range));
}

/// The places of chosen entries of [0, n) in a list of them: choose(i) tells whether i is one, called twice for each;
/// make_room(count) allocates the list, and put(i, place) fills it, on all threads.
void parallel_choose(int64_t n, auto&& choose, auto&& make_room, auto&& put) {
  constexpr int64_t kGrain = 1 << 14;
  std::vector<int64_t> first((n + kGrain - 1) / kGrain);
  parallel_ranges(
      n,
      [&](int64_t begin, int64_t end) {
        int64_t count = 0;
        for (int64_t i = begin; i < end; ++i) count += choose(i) ? 1 : 0;
        first[begin / kGrain] = count;
      },
      kGrain);
  int64_t all = 0;
  for (int64_t& count : first) count = std::exchange(all, all + count);
  make_room(all);
  parallel_ranges(
      n,
      [&](int64_t begin, int64_t end) {
        int64_t place = first[begin / kGrain];
        for (int64_t i = begin; i < end; ++i)
          if (choose(i)) put(i, place++);
      },
      kGrain);
}

/// std::sort for an order in which no two entries are equal.
template <class T>
void parallel_sort(std::vector<T>& entries, auto less) {
  constexpr int64_t kRuns = 16, kFew = 1 << 14;
  const auto n = std::ssize(entries);
  if (n <= kFew || !has_several_threads()) return std::sort(entries.begin(), entries.end(), less);
  const auto at = [&](int64_t run) { return entries.begin() + n * run / kRuns; };
  parallel_tasks(kRuns, [&](int64_t run) { std::sort(at(run), at(run + 1), less); });
  for (int64_t width = 1; width < kRuns; width *= 2)
    parallel_tasks(kRuns / (2 * width), [&](int64_t pair) {
      std::inplace_merge(at(2 * pair * width), at((2 * pair + 1) * width), at(2 * (pair + 1) * width), less);
    });
}

/// values[i] becomes the sum of all before it; returns the sum of all.
template <class T>
T parallel_scan(T* values, int64_t n) {
  constexpr int64_t kGrain = 1 << 14;
  std::vector<T> first((n + kGrain - 1) / kGrain);
  parallel_ranges(
      n,
      [&](int64_t begin, int64_t end) {
        T sum{};
        for (int64_t i = begin; i < end; ++i) sum += values[i];
        first[begin / kGrain] = sum;
      },
      kGrain);
  T all{};
  for (T& sum : first) sum = std::exchange(all, static_cast<T>(all + sum));
  parallel_ranges(
      n,
      [&](int64_t begin, int64_t end) {
        T sum = first[begin / kGrain];
        for (int64_t i = begin; i < end; ++i) sum = std::exchange(values[i], sum) + sum;
      },
      kGrain);
  return all;
}

/// Where items of a few kinds go when they are sorted by kind, in their order within each.
class GroupedByKey {
 public:
  /// key_of(i) in [0, keys), for i in [0, n); negative: the item is left out.
  GroupedByKey(int64_t n, int64_t keys, auto&& key_of)
      : n_(n),
        keys_(keys),
        ranges_(std::clamp<int64_t>(n / (kLeast + 4 * keys), 1, kMostRanges)),
        first_(keys * ranges_ + 1) {
    parallel_tasks(ranges_, [&](int64_t r) {
      std::vector<int64_t> count(keys_, 0);
      for_range(r, key_of, [&](int64_t, int64_t key) { ++count[key]; });
      for (int64_t key = 0; key < keys_; ++key) first_[key * ranges_ + r] = count[key];
    });
    int64_t all = 0;
    for (int64_t& count : first_) count = std::exchange(all, all + count);
  }

  /// The first place of a kind; start(keys) is the number of items.
  int64_t start(int64_t key) const { return first_[key * ranges_]; }

  /// f(item, place), on all threads; key_of as before.
  void for_each_place(auto&& key_of, auto&& f) const {
    parallel_tasks(ranges_, [&](int64_t r) {
      std::vector<int64_t> next(keys_);
      for (int64_t key = 0; key < keys_; ++key) next[key] = first_[key * ranges_ + r];
      for_range(r, key_of, [&](int64_t i, int64_t key) { f(i, next[key]++); });
    });
  }

 private:
  static constexpr int64_t kLeast = 1 << 14, kMostRanges = 1024;

  void for_range(int64_t r, auto&& key_of, auto&& f) const {
    for (int64_t i = n_ * r / ranges_; i < n_ * (r + 1) / ranges_; ++i)
      if (const int64_t key = key_of(i); key >= 0) f(i, key);
  }

  int64_t n_, keys_, ranges_;
  std::vector<int64_t> first_;  ///< by key, then by range
};

/// Items dealt to owners of consecutive nodes, so that what belongs to a node is one thread's business.
template <class Index>
class ItemsOfOwners {
 public:
  /// Whether dealing is worth it.
  static bool serves(int64_t items) { return items > (1 << 14) && has_several_threads(); }

  /// Items k in [0, items) with node_of(k) ≥ 0, which is called twice for each.
  template <class NodeOf>
  ItemsOfOwners(int64_t items, int64_t nodes, NodeOf&& node_of)
      : nodes_(nodes), span_(std::max<int64_t>(1, (nodes + kOwners - 1) / kOwners)) {
    const auto owner_of = [&](int64_t k) {
      const int64_t node = node_of(k);
      return node < 0 ? -1 : node / span_;
    };
    const GroupedByKey dealt(items, kOwners, owner_of);
    for (int64_t owner = 0; owner <= kOwners; ++owner) start_[owner] = dealt.start(owner);
    item_ = untouched<Index>(size());
    dealt.for_each_place(owner_of, [&](int64_t k, int64_t place) { item_[place] = static_cast<Index>(k); });
  }

  int64_t size() const { return start_[kOwners]; }

  /// What an owner has: items of nodes [first_node, last_node), ascending, after `before` items of other owners.
  struct OwnedItems {
    std::span<const Index> items;
    int64_t before, first_node, last_node;
  };
  /// f(owned), on all threads.
  void for_each_owner(auto&& f) const {
    parallel_tasks(kOwners, [&](int64_t owner) {
      const int64_t begin = start_[owner], end = start_[owner + 1];
      f(OwnedItems{{item_.get() + begin, item_.get() + end},
                   begin,
                   std::min(nodes_, owner * span_),
                   std::min(nodes_, (owner + 1) * span_)});
    });
  }

 private:
  static constexpr int64_t kOwners = 128;

  int64_t nodes_, span_, start_[kOwners + 1];
  std::unique_ptr<Index[]> item_;
};

/// f(owned) for every owner of nodes, on all threads; see ItemsOfOwners. Takes 4 bytes per item, 8 beyond 2³².
void for_each_owner(int64_t items, int64_t nodes, auto&& node_of, auto&& f) {
  if (items <= UINT32_MAX)
    ItemsOfOwners<uint32_t>(items, nodes, node_of).for_each_owner(f);
  else
    ItemsOfOwners<int64_t>(items, nodes, node_of).for_each_owner(f);
}

/// Calls f(k) for every k in [0, items) with node_of(k) ≥ 0 such that those of one node run on one thread, ascending:
/// f may add to whatever belongs to that node. node_of is called twice for each item. Takes what for_each_owner() does;
/// on one thread nothing.
void for_each_by_node(int64_t items, int64_t nodes, auto&& node_of, auto&& f) {
  if (ItemsOfOwners<int64_t>::serves(items))
    return for_each_owner(items, nodes, node_of, [&](const auto& owned) {
      for (const int64_t k : owned.items) f(k);
    });
  for (int64_t k = 0; k < items; ++k)
    if (node_of(k) >= 0) f(k);
}

/// Items by node: those of node i are item[start[i]] … item[start[i + 1] − 1], ascending.
template <class Index>
struct ItemsByNode {
  std::vector<Index> start, item;

  /// Items k in [0, items) with node_of(k) ≥ 0.
  template <class NodeOf>
  ItemsByNode(int64_t items, int64_t nodes, NodeOf&& node_of) {
    resize_untouched(start, nodes + 1);
    start[0] = 0;
    if (!ItemsOfOwners<Index>::serves(items)) {
      resize_untouched(item, items);
      const auto for_each_item = [&](auto&& f) {
        for (int64_t k = 0; k < items; ++k)
          if (const int64_t node = node_of(k); node >= 0) f(k, node);
      };
      list(0, nodes, 0, for_each_item);
      item.resize(start[nodes]);
      return;
    }
    const ItemsOfOwners<Index> dealt(items, nodes, node_of);
    resize_untouched(item, dealt.size());
    dealt.for_each_owner([&](const auto& owned) {
      list(owned.first_node, owned.last_node, owned.before, [&](auto&& f) {
        for (const Index k : owned.items) f(k, node_of(static_cast<int64_t>(k)));
      });
    });
  }

 private:
  /// Those of nodes [first, last), which follow `before` items of others.
  template <class ForEachItem>
  void list(int64_t first, int64_t last, int64_t before, ForEachItem&& for_each_item) {
    Index* const next = start.data() + 1;
    std::fill(next + first, next + last, Index{});
    for_each_item([&](auto, int64_t node) { ++next[node]; });
    Index at = before;
    for (int64_t node = first; node < last; ++node) at += std::exchange(next[node], at);
    for_each_item([&](auto k, int64_t node) { item[next[node]++] = static_cast<Index>(k); });
  }
};

}  // namespace gridiron
