// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "device/slices.hpp"
#include "device/synchronous_loops.hpp"

namespace gridiron {

/// Runs kernel bodies on the CPU under the rules of a GPU: separate memory that the host may not touch outside kernels
/// and copies (it is protected, so a missing transfer crashes) and that holds NaN bytes until written, bounds checks on
/// every access, and iterations and cells in a scattered order, so that kernels that depend on an order fail.
struct CheckingDevice : SynchronousLoops<CheckingDevice>, SynchronousSums<CheckingDevice> {
  static constexpr std::string_view name = "checking";

  /// An element access out of bounds in a kernel.
  struct OutOfBounds : std::out_of_range {
    using std::out_of_range::out_of_range;
  };

  template <class T>
  class CheckedView {
   public:
    CheckedView() = default;
    CheckedView(T* data, int64_t size) : data_(data), size_(size) {}
    template <class U>
    CheckedView(const CheckedView<U>& other) : data_(other.data()), size_(other.size()) {}
    T& operator[](int64_t i) const {
      if (i < 0 || i >= size_) throw OutOfBounds("element " + std::to_string(i) + " of " + std::to_string(size_));
      return data_[i];
    }
    T* data() const { return data_; }
    int64_t size() const { return size_; }

   private:
    T* data_ = nullptr;
    int64_t size_ = 0;
  };
  template <class T>
  using View = CheckedView<T>;

  template <class T>
  static T* allocate(int64_t size) {
    const size_t bytes = pages(size * static_cast<int64_t>(sizeof(T)));
    void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) throw std::bad_alloc();
    std::memset(data, 0xff, bytes);  // NaN in every floating type, −1 in every integer
    Memory& all = memory();
    const std::lock_guard lock(all.guard);
    all.regions.push_back({data, bytes});
    if (all.open == 0) ::mprotect(data, bytes, PROT_NONE);
    return static_cast<T*>(data);
  }
  template <class T>
  static void release(T* data, int64_t, const Queue&) {
    Memory& all = memory();
    const std::lock_guard lock(all.guard);
    const auto region = std::ranges::find(all.regions, static_cast<const void*>(data), &Region::data);
    ::munmap(region->data, region->bytes);
    *region = all.regions.back();
    all.regions.pop_back();
  }
  template <class T>
  static void copy_to_device(T* device, const T* host, int64_t size) {
    const Open open;
    std::memcpy(device, host, size * sizeof(T));
  }
  template <class T>
  static void copy_to_host(T* host, const T* device, int64_t size) {
    const Open open;
    std::memcpy(host, device, size * sizeof(T));
  }
  static constexpr bool shares_host_memory = false;

  template <class F>
  static void for_each(int64_t n, F f) {
    const Open open;
    scattered(n, f);
  }
  template <int K, class F>
  static void for_each_of_columns(int64_t n, F f) {
    for_each(n * K, [&](int64_t k) { f(k / K, static_cast<int>(k % K)); });
  }

  template <int K, class L, class F>
  static void for_each_of_columns(int64_t n, L load, F use) {
    const Open open;
    in_batches(
        n * K, [&](int64_t k) { return load(k / K, static_cast<int>(k % K)); },
        [&](int64_t k, const auto& loaded) { use(k / K, static_cast<int>(k % K), loaded); });
  }

  template <class L, class F>
  static void for_each_line(int64_t lines, int64_t length, L on_line, F f) {
    const Open open;
    scattered(lines, [&](int64_t line) { scattered(length, [&](int64_t i) { f(on_line(line), i); }); });
  }

  class Tile {
   public:
    Tile(int64_t index, size_t scratch_bytes) : index_(index), scratch_(scratch_bytes, std::byte{0xff}) {}
    int64_t index() const { return index_; }
    template <class T>
    View<T> shared(int64_t count) {
      const size_t bytes = (count * sizeof(T) + 63) / 64 * 64;
      if (used_ + bytes > scratch_.size()) throw OutOfBounds("a tile requests more scratch than it declared");
      used_ += bytes;
      return {reinterpret_cast<T*>(scratch_.data() + used_ - bytes), count};
    }
    template <class G>
    void each(int64_t count, G g) {
      scattered(count, g);
    }
    template <class L, class G>
    void each(int64_t count, L load, G use) {
      in_batches(count, load, use);
    }
    template <class T, int kMost, int K>
    class Held {
     public:
      explicit Held(const View<T>& values) : values_(values) {}
      T& operator()(int64_t cell, int k) const { return values_[cell * K + k]; }

     private:
      View<T> values_;
    };
    template <class T, int kMost, int K>
    Held<T, kMost, K> held() {
      return Held<T, kMost, K>(shared<T>(int64_t{kMost} * K));
    }
    template <int kMost, class G>
    void each_held(int64_t count, G g) {
      if (count > kMost) throw OutOfBounds("a tile holds values for fewer cells");
      each(count, [&](int64_t cell) { g(cell, cell); });
    }
    template <class L, class G>
    void each_line(int64_t lines, int64_t length, L on_line, G g) {
      scattered(lines, [&](int64_t line) { scattered(length, [&](int64_t i) { g(on_line(line), i); }); });
    }
    template <class A, class X, class G>
    void each_product(const A& a, int64_t first, int64_t last, View<const X> x, G g) {
      const int64_t begin = 32 * first, end = std::min(32 * last, a.rows);
      scattered(end - begin, [&](int64_t k) { g(begin + k, a.row_product(begin + k, x)); });
    }
    template <class A, class X, class L, class G>
    void each_product(const A& a, int64_t first, int64_t last, View<const X> x, L load, G use) {
      each_product(a, first, last, x, [&](int64_t i, const auto& sum) { use(i, sum, load(i)); });
    }
    template <class V, class F>
    void recur(int64_t steps, F f) {
      constexpr int K = kColumnsOf<V>;
      scattered(32 * K, [&](int64_t k) {
        ColumnType<V> v{};
        for (int64_t step = 0; step < steps; ++step) v = f(step, k / K, static_cast<int>(k % K), v);
      });
    }

   private:
    int64_t index_;
    std::vector<std::byte> scratch_;
    size_t used_ = 0;
  };
  template <class T, int kMost, int K>
  static constexpr size_t held_bytes() {
    return (sizeof(T) * kMost * K + 63) / 64 * 64;
  }
  template <class F>
  static void for_each_tile(int64_t tiles, int, size_t scratch_bytes, F f) {
    const Open open;
    scattered(tiles, [&](int64_t t) {
      Tile tile(t, scratch_bytes);
      f(tile);
    });
  }

  /// Row by row, straight from the definition: a check of what CpuDevice does slice by slice.
  template <class A, class X, class F>
  static void for_each_product(const A& a, View<const X> x, F f) {
    for_each(a.rows, [&](int64_t i) { f(i, a.row_product(i, x)); });
  }

  using SynchronousLoops::for_each_product;

  template <int K, class F>
  static Sums<K> sum(int64_t n, F f) {
    const Open open;
    Sums<K> total;
    for (int64_t begin = 0; begin < n; begin += kBlock) total += block_sum<K>(begin, std::min(n, begin + kBlock), f);
    return total;
  }
  template <int K, class L, class F>
  static Sums<K> sum_of_lines(int64_t lines, int64_t length, L on_line, F f) {
    const Open open;
    Sums<K> total;
    for (int64_t line = 0; line < lines; ++line)
      total += block_sum<K>(0, length, [&](int64_t i) { return f(on_line(line), i); });
    return total;
  }
  template <int K, class A, class X, class F>
  static Sums<K> product_sum(const A& a, View<const X> x, F f) {
    return sum<K>(a.rows, [&](int64_t i) { return f(i, a.row_product(i, x)); });
  }
  template <class G, class Sums>
  static void call(G then, const Sums& sums) {
    const Open open;
    then(sums);
  }
  using SynchronousSums<CheckingDevice>::sum_of_columns_then;
  template <int K, class L, class F, class G>
  static void sum_of_columns_then(int64_t n, L load, F use, G then) {
    std::vector<Sums<K>> terms(n);
    for_each_of_columns<K>(n, load, [&](int64_t i, int c, const auto& loaded) { terms[i][c] = use(i, c, loaded); });
    call(then, sum<K>(n, [&](int64_t i) { return terms[i]; }));
  }

  template <class F>
  static void side_by_side(std::span<const Queue>, int64_t parts, F f) {
    scattered(parts, f);
  }

  /// Runs the kernels of `body` if flag[0] > 0.
  template <class F>
  static void when(View<const double> flag, F body) {
    const bool wanted = [&] {
      const Open open;
      return flag[0] > 0;
    }();
    if (wanted) body();
  }

  template <class Value = double, class F>
  static Value max(int64_t n, F f) {
    const Open open;
    Value largest{};
    for (int64_t i = 0; i < n; ++i) raise_to(largest, f(i));
    return largest;
  }
  template <class L, class F>
  static double max_of_lines(int64_t lines, int64_t length, L on_line, F f) {
    return max(lines * length, [&](int64_t k) -> double { return f(on_line(k / length), k % length); });
  }
  template <class In, class Out>
  static Out exclusive_scan(View<In> in, View<Out> out) {
    const Open open;
    Out total = 0;
    for (int64_t i = 0; i < in.size(); ++i) {
      const In value = in[i];
      out[i] = total;
      total += value;
    }
    out[in.size()] = total;
    return total;
  }
  static void group_by(View<const int32_t> key, int64_t groups, View<int32_t> begin, View<int32_t> order) {
    const Open open;
    std::vector<int32_t> sorted(key.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    std::stable_sort(sorted.begin(), sorted.end(), [&](int32_t i, int32_t j) { return key[i] < key[j]; });
    for (size_t k = 0; k < sorted.size(); ++k) order[k] = sorted[k];
    for (int64_t g = 0; g <= groups; ++g)
      begin[g] = static_cast<int32_t>(
          std::partition_point(sorted.begin(), sorted.end(), [&](int32_t i) { return key[i] < g; }) - sorted.begin());
  }

 private:
  struct Region {
    void* data;
    size_t bytes;
  };
  /// All device memory: accessible while any thread is in a kernel or a copy.
  struct Memory {
    std::mutex guard;
    std::vector<Region> regions;
    int open = 0;
  };
  static Memory& memory() {
    static Memory all;
    return all;
  }
  static size_t pages(int64_t bytes) {
    const int64_t page = ::sysconf(_SC_PAGESIZE);
    return static_cast<size_t>((bytes + page - 1) / page * page);
  }

  /// RAII guard that makes device memory accessible: a kernel or a copy is running.
  struct Open {
    Open() {
      const std::lock_guard lock(memory().guard);
      if (memory().open++ == 0) protect(PROT_READ | PROT_WRITE);
    }
    ~Open() {
      const std::lock_guard lock(memory().guard);
      if (--memory().open == 0) protect(PROT_NONE);
    }
    static void protect(int access) {
      for (const Region& r : memory().regions) ::mprotect(r.data, r.bytes, access);
    }
  };

  /// f(i) for every i in [0, n), in an order that is neither ascending nor descending.
  template <class F>
  static void scattered(int64_t n, F&& f) {
    if (n <= 0) return;
    int64_t stride = n / 2 + 1;
    while (gcd(stride, n) != 1) ++stride;
    for (int64_t k = 0, i = n / 3; k < n; ++k, i = (i + stride) % n) f(i);
  }
  /// use(i, load(i)) for every i in [0, n), four of them loaded before any is used, as on a GPU.
  template <class L, class F>
  static void in_batches(int64_t n, L&& load, F&& use) {
    std::vector<std::pair<int64_t, decltype(load(n))>> batch;
    const auto use_all = [&] {
      for (const auto& [i, loaded] : batch) use(i, loaded);
      batch.clear();
    };
    scattered(n, [&](int64_t i) {
      batch.emplace_back(i, load(i));
      if (batch.size() == 4) use_all();
    });
    use_all();
  }
  static int64_t gcd(int64_t a, int64_t b) { return b == 0 ? a : gcd(b, a % b); }
};

static_assert(DeviceSeam<CheckingDevice>);

}  // namespace gridiron
