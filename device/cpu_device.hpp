// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <omp.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "device/slices.hpp"
#include "device/synchronous_loops.hpp"

namespace gridiron {

/// Loops on OpenMP threads over host memory.
struct CpuDevice : SynchronousLoops<CpuDevice>, SynchronousSums<CpuDevice> {
  static constexpr std::string_view name = "cpu";
  template <class T>
  using View = PlainView<T>;

  template <class T>
  static T* allocate(int64_t size) {
    const size_t bytes = size * sizeof(T);
    void* const data = ::operator new(bytes, alignment(bytes));
    // Huge pages avoid page faults: aggamg takes about 5 % less time on a million unknowns.
    if (bytes >= kLarge) ::madvise(data, bytes, MADV_HUGEPAGE);
    return static_cast<T*>(data);
  }
  template <class T>
  static void release(T* data, int64_t size, const Queue&) {
    ::operator delete(data, alignment(size * sizeof(T)));
  }
  template <class T>
  static void copy_to_device(T* device, const T* host, int64_t size) {
    std::memcpy(device, host, size * sizeof(T));
  }
  template <class T>
  static void copy_to_host(T* host, const T* device, int64_t size) {
    std::memcpy(host, device, size * sizeof(T));
  }
  static constexpr bool shares_host_memory = true;

  /// f(i) for i in [0, n).
  template <class F>
  static void for_each(int64_t n, F f) {
#pragma omp parallel for schedule(static) if (n > kBlock)
    for (int64_t i = 0; i < n; ++i) f(i);
  }

  /// f(i, c) for i in [0, n) and each column c of K: on a GPU threads for all of them, so that a warp's accesses to
  /// packs are contiguous.
  template <int K, class F>
  static void for_each_of_columns(int64_t n, F f) {
    for_each(n, [f](int64_t i) {
#pragma omp simd
      for (int c = 0; c < K; ++c) f(i, c);
    });
  }

  /// use(i, c, load(i, c)) for i in [0, n) and each column c of K. On a GPU a thread loads for a few i before it uses
  /// what it has, so load() only reads, and nothing that use() writes for another i.
  template <int K, class L, class F>
  static void for_each_of_columns(int64_t n, L load, F use) {
    for_each_of_columns<K>(n, [=](int64_t i, int c) { use(i, c, load(i, c)); });
  }

  /// f(on_line(line), i) for i in [0, length) of every line in [0, lines). on_line computes what depends only on the
  /// line: once per line here, in every thread on a GPU.
  template <class L, class F>
  static void for_each_line(int64_t lines, int64_t length, L on_line, F f) {
#pragma omp parallel for schedule(static) firstprivate(on_line, f) if (lines * length > kFewInLines)
    for (int64_t line = 0; line < lines; ++line) {
      const auto known = on_line(line);
#pragma GCC ivdep
      for (int64_t i = 0; i < length; ++i) f(known, i);
    }
  }

  /// The scratch memory of one tile, and loops over its cells.
  class Tile {
   public:
    Tile(int64_t index, std::byte* scratch) : index_(index), next_(scratch) {}
    int64_t index() const { return index_; }

    /// `count` elements of scratch that the tile's cells share; contents are indeterminate.
    template <class T>
    View<T> shared(int64_t count) {
      T* data = reinterpret_cast<T*>(next_);
      next_ += (count * sizeof(T) + 63) / 64 * 64;
      return {data, count};
    }
    /// g(cell) for every cell in [0, count); all have run before the next each() begins.
    template <class G>
    void each(int64_t count, G g) {
#pragma GCC ivdep
      for (int64_t cell = 0; cell < count; ++cell) g(cell);
    }
    /// use(cell, load(cell)), where load() only reads: as in for_each_of_columns() of the device.
    template <class L, class G>
    void each(int64_t count, L load, G use) {
      each(count, [&](int64_t cell) { use(cell, load(cell)); });
    }

    /// K values of its own for each of at most kMost cells, which each_held() alone may touch: held(cell, k). A GPU
    /// keeps them in registers, elsewhere they take held_bytes() of the tile's scratch.
    template <class T, int kMost, int K>
    class Held {
     public:
      explicit Held(T* data) : data_(data) {}
      T& operator()(int64_t cell, int k) const { return data_[k * kMost + cell]; }

     private:
      T* data_;
    };
    template <class T, int kMost, int K>
    Held<T, kMost, K> held() {
      return Held<T, kMost, K>(shared<T>(int64_t{kMost} * K).data());
    }
    /// each() for at most kMost cells, and no more than the tile was launched for; g also takes the cell as held values
    /// know it.
    template <int kMost, class G>
    void each_held(int64_t count, G g) {
      each(count, [&](int64_t cell) { g(cell, cell); });
    }
    /// g(on_line(line), i) for i in [0, length) of every line in [0, lines), as each() does.
    template <class L, class G>
    void each_line(int64_t lines, int64_t length, L on_line, G g) {
      for (int64_t line = 0; line < lines; ++line) {
        const auto known = on_line(line);
#pragma GCC ivdep
        for (int64_t i = 0; i < length; ++i) g(known, i);
      }
    }
    /// g(i, Σ_{j ≠ i} a_ij x_j) for the rows of slices [first, last) of a sliced matrix, as each() does.
    template <class A, class X, class G>
    void each_product(const A& a, int64_t first, int64_t last, View<const X> x, G g) {
      for (int64_t s = first; s < last; ++s) for_each_in_slice(a, s, x, g);
    }
    /// use(i, Σ_{j ≠ i} a_ij x_j, load(i)), where load() only reads.
    template <class A, class X, class L, class G>
    void each_product(const A& a, int64_t first, int64_t last, View<const X> x, L load, G use) {
      each_product(a, first, last, x, [&](int64_t i, const auto& sum) { use(i, sum, load(i)); });
    }
    /// 32 recurrences side by side, for each column c of an entry V: v ← f(step, lane, c, v) for step = 0 … steps − 1,
    /// from v = 0; then as after each().
    template <class V, class F>
    void recur(int64_t steps, F f) {
      constexpr int K = kColumnsOf<V>;
      ColumnType<V> v[32][K] = {};
      for (int64_t step = 0; step < steps; ++step)
        if constexpr (K == 1) {
#pragma GCC ivdep
          for (int64_t lane = 0; lane < 32; ++lane) v[lane][0] = f(step, lane, 0, v[lane][0]);
        } else {
          for (int64_t lane = 0; lane < 32; ++lane)
#pragma omp simd
            for (int c = 0; c < K; ++c) v[lane][c] = f(step, lane, c, v[lane][c]);
        }
    }

   private:
    int64_t index_;
    std::byte* next_;
  };

  /// Scratch that Tile::held() takes.
  template <class T, int kMost, int K>
  static constexpr size_t held_bytes() {
    return (sizeof(T) * kMost * K + 63) / 64 * 64;
  }

  /// f(tile) for every tile; tiles run in any order and share nothing. `scratch_bytes`: the total that f requests
  /// through shared(), each request rounded up to 64 bytes. `cells`: about how many cells each() covers (threads per
  /// tile on a GPU).
  template <class F>
  static void for_each_tile(int64_t tiles, int cells, size_t scratch_bytes, F f) {
    const bool in_parallel = tiles > 1 && tiles * cells > kFewInTiles;
    const size_t bytes = (scratch_bytes + 127) / 64 * 64;  // and a line between those of two threads
    const auto scratch = std::make_unique_for_overwrite<std::byte[]>(
        (in_parallel ? static_cast<size_t>(omp_get_max_threads()) : 1) * bytes + 64);
    std::byte* const first = scratch.get() + (64 - reinterpret_cast<uintptr_t>(scratch.get()) % 64) % 64;
#pragma omp parallel if (in_parallel)
    {
      std::byte* const aligned = first + static_cast<size_t>(omp_get_thread_num()) * bytes;
#pragma omp for schedule(static)
      for (int64_t t = 0; t < tiles; ++t) {
        Tile tile(t, aligned);
        f(tile);
      }
    }
  }

  /// f(i, Σ_{j ≠ i} a_ij x_j) for every row of a sliced matrix (linalg/sell.hpp).
  template <class A, class X, class F>
  static void for_each_product(const A& a, View<const X> x, F f) {
    const int64_t slices = a.slices();
#pragma omp parallel for schedule(static) if (a.rows > kBlock)
    for (int64_t s = 0; s < slices; ++s) for_each_in_slice(a, s, x, f);
  }

  using SynchronousLoops::for_each_product;

  /// Sum of f(i) over [0, n), K values at once, in a fixed order.
  template <int K, class F>
  static Sums<K> sum(int64_t n, F f) {
    return sum_of_blocks<K>(n, [&](int64_t begin, int64_t end) { return block_sum<K>(begin, end, f); });
  }
  /// Sum over the points that for_each_line visits.
  template <int K, class L, class F>
  static Sums<K> sum_of_lines(int64_t lines, int64_t length, L on_line, F f) {
    std::vector<Sums<K>> of_line(lines);
#pragma omp parallel for schedule(static) firstprivate(on_line, f) if (lines * length > kFewInLines)
    for (int64_t line = 0; line < lines; ++line) {
      const auto known = on_line(line);
      of_line[line] = block_sum<K>(0, length, [&](int64_t i) { return f(known, i); });
    }
    Sums<K> total;
    for (const Sums<K>& s : of_line) total += s;
    return total;
  }
  /// sum() of f(i, Σ_{j ≠ i} a_ij x_j).
  template <int K, class A, class X, class F>
  static Sums<K> product_sum(const A& a, View<const X> x, F f) {
    return sum_of_blocks<K>(a.rows,
                            [&](int64_t begin, int64_t end) { return block_product_sum<K>(a, x, begin, end, f); });
  }
  /// For SynchronousSums.
  template <class G, class Sums>
  static void call(G then, const Sums& sums) {
    then(sums);
  }

  /// The kernels of f(part) for part in [0, parts), in turn in the current queue and in `others`, whose work may
  /// overlap; what follows in the current queue waits for all. No part reads what another one writes.
  template <class F>
  static void side_by_side(std::span<const Queue>, int64_t parts, F f) {
    for (int64_t part = 0; part < parts; ++part) f(part);
  }

  /// Runs the kernels of `body` if flag[0] > 0.
  template <class F>
  static void when(View<const double> flag, F body) {
    if (flag[0] > 0) body();
  }

  /// Largest f(i) over [0, n), at least 0: a number, or a pack of them. NaN counts as infinite.
  template <class Value = double, class F>
  static Value max(int64_t n, F f) {
    const int64_t blocks = (n + kBlock - 1) / kBlock;
    Value largest{};
#pragma omp parallel if (blocks > 1)
    {
      Value mine{};
#pragma omp for schedule(static) nowait
      for (int64_t b = 0; b < blocks; ++b) raise_to(mine, block_max(b * kBlock, std::min(n, (b + 1) * kBlock), f));
#pragma omp critical(gridiron_max)
      raise_to(largest, mine);
    }
    return largest;
  }

  /// Largest f, at least 0, over the points that for_each_line visits. NaN counts as infinite.
  template <class L, class F>
  static double max_of_lines(int64_t lines, int64_t length, L on_line, F f) {
    double largest = 0;
#pragma omp parallel for schedule(static) firstprivate(on_line, f) \
    reduction(max                                                  \
              : largest) if (lines * length > kFewInLines)
    for (int64_t line = 0; line < lines; ++line) {
      const auto known = on_line(line);
      for (int64_t i = 0; i < length; ++i) {
        const double value = f(known, i);
        largest = std::max(largest, value == value ? value : INFINITY);
      }
    }
    return largest;
  }

  /// out[i] = sum of in[0 … i−1] for i in [0, size of in]; returns the total. `out` has one element more than `in`.
  template <class In, class Out>
  static Out exclusive_scan(View<In> in, View<Out> out) {
    const int64_t n = in.size(), blocks = (n + kBlock - 1) / kBlock;
    std::vector<Out> start(blocks + 1, 0);
#pragma omp parallel for schedule(static) if (blocks > 1)
    for (int64_t b = 0; b < blocks; ++b) {
      Out s = 0;
      for (int64_t i = b * kBlock; i < std::min(n, (b + 1) * kBlock); ++i) s += in[i];
      start[b + 1] = s;
    }
    for (int64_t b = 0; b < blocks; ++b) start[b + 1] += start[b];
#pragma omp parallel for schedule(static) if (blocks > 1)
    for (int64_t b = 0; b < blocks; ++b) {
      Out s = start[b];
      for (int64_t i = b * kBlock; i < std::min(n, (b + 1) * kBlock); ++i) {
        const In value = in[i];
        out[i] = s;
        s += value;
      }
    }
    out[n] = start[blocks];
    return start[blocks];
  }

  /// Stable counting sort: order[begin[g] … begin[g + 1]) are the indices i with key[i] = g, ascending. Keys are in [0,
  /// groups).
  static void group_by(View<const int32_t> key, int64_t groups, View<int32_t> begin, View<int32_t> order) {
    const int64_t n = key.size();
    const int64_t chunks = std::min<int64_t>(omp_get_max_threads(), n / std::max(groups, kBlock) + 1);
    // next[c·groups + g]: at first the number of indices of group g in chunk c, then the position of the next one.
    std::vector<int64_t> next(chunks * groups, 0);
#pragma omp parallel for schedule(static) if (chunks > 1)
    for (int64_t c = 0; c < chunks; ++c)
      for (int64_t i = c * n / chunks; i < (c + 1) * n / chunks; ++i) ++next[c * groups + key[i]];
    int64_t at = 0;
    for (int64_t g = 0; g < groups; ++g) {
      begin[g] = static_cast<int32_t>(at);
      for (int64_t c = 0; c < chunks; ++c) at += std::exchange(next[c * groups + g], at);
    }
    begin[groups] = static_cast<int32_t>(at);
#pragma omp parallel for schedule(static) if (chunks > 1)
    for (int64_t c = 0; c < chunks; ++c)
      for (int64_t i = c * n / chunks; i < (c + 1) * n / chunks; ++i)
        order[next[c * groups + key[i]]++] = static_cast<int32_t>(i);
  }

 private:
  template <int K, class F>
  static Sums<K> sum_of_blocks(int64_t n, F sum_of_range) {
    const int64_t blocks = (n + kBlock - 1) / kBlock;
    if (blocks == 1) return sum_of_range(0, n);
    std::vector<Sums<K>> partial(blocks);
#pragma omp parallel for schedule(static)
    for (int64_t b = 0; b < blocks; ++b) partial[b] = sum_of_range(b * kBlock, std::min(n, (b + 1) * kBlock));
    Sums<K> total;
    for (const Sums<K>& s : partial) total += s;
    return total;
  }

  /// Loops over lines below this size take a few microseconds and are not worth starting threads for.
  static constexpr int64_t kFewInLines = 8 * kBlock;
  static constexpr int64_t kFewInTiles = kBlock / 4;  ///< a cell may be expensive
  static constexpr size_t kLarge = size_t{2} << 20;
  static std::align_val_t alignment(size_t bytes) { return std::align_val_t{bytes >= kLarge ? kLarge : 64}; }
};

static_assert(DeviceSeam<CpuDevice>);

}  // namespace gridiron
