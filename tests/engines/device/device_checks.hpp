// SPDX-License-Identifier: Apache-2.0
#pragma once

// Requirements on every device, at sizes around blocks and warps. Functions, not tests: nvcc accepts no kernels in the
// private functions that test macros create.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

#include "device/device.hpp"
#include "linalg/dense_inverse.hpp"
#include "support/error.hpp"
#include "support/stopwatch.hpp"

namespace gridiron::test {

inline constexpr int64_t kSizes[] = {
    0, 1, 2, 31, 32, 33, 255, 256, 257, kBlock - 1, kBlock, kBlock + 1, 3 * kBlock + 5};

template <class D>
void fill_with_multiples(int64_t factor, View<D, int64_t> out) {
  D::for_each(
      out.size(), GRIDIRON_KERNEL(int64_t i) { out[i] = factor * i; });
}
template <class D>
int64_t sum_of(View<D, const int64_t> x) {
  return static_cast<int64_t>(D::template sum<1>(
      x.size(), GRIDIRON_KERNEL(int64_t i) { return Sums<1>{{static_cast<double>(x[i])}}; })[0]);
}

template <class D>
void copies_there_and_back() {
  for (const int64_t n : kSizes) {
    std::vector<double> host(n);
    std::iota(host.begin(), host.end(), 1.0);
    Array<D, double> a(host);
    EXPECT_EQ(a.to_host(), host);
    const Array<D, double> moved = std::move(a);
    EXPECT_EQ(moved.to_host(), host);
    EXPECT_EQ(moved.bytes(), n * 8);
  }
}

template <class D>
void square_each(View<D, double> x) {
  D::for_each(
      x.size(), GRIDIRON_KERNEL(int64_t i) { x[i] *= x[i]; });
}
/// Reports are of the time when they were sent, though more work follows.
template <class D>
void reports_while_more_work_follows() {
  std::vector<double> ones(100'000, 1.0);
  ones[17] = 2;
  Array<D, double> a(ones);
  const View<D, double> x = a.view();
  for (int turn = 0; turn < 5; ++turn) {
    typename D::template Report<double> report;
    const View<D, double> to = report.view();
    D::for_each(
        1, GRIDIRON_KERNEL(int64_t) { to[0] = x[17]; });
    report.send();
    square_each<D>(x);
    EXPECT_EQ(report.read(), std::exp2(1 << turn));
  }
}

/// Threads with separate queues do not interfere; memory outlives the queue it was allocated in.
template <class D>
void queues_of_two_threads_are_apart() {
  static constexpr int64_t n = 50'001;
  const auto work = [](int64_t factor, Array<D, int64_t>& kept) {
    const typename D::Scope scope{typename D::Queue(nullptr)};
    for (int turn = 0; turn < 20; ++turn) {
      Array<D, int64_t> a(n);
      fill_with_multiples<D>(factor, a.view());
      EXPECT_EQ((sum_of<D>(std::as_const(a).view())), factor * (n * (n - 1) / 2));
      kept = std::move(a);
    }
  };
  Array<D, int64_t> one, two, three;
  std::thread first([&] { work(1, one); }), second([&] { work(2, two); });
  work(3, three);
  first.join();
  second.join();
  EXPECT_EQ(two.to_host()[n - 1], 2 * (n - 1));
  EXPECT_EQ(one.to_host()[n - 1], n - 1);
}

template <class D>
void for_each_visits_every_index_once() {
  for (const int64_t n : kSizes) {
    Array<D, int32_t> visits(std::vector<int32_t>(n, 0));
    const View<D, int32_t> v = visits.view();
    D::for_each(
        n, GRIDIRON_KERNEL(int64_t i) { v[i] += 1; });
    D::for_each(
        n, GRIDIRON_KERNEL(int64_t i) { v[i] += 1; });
    EXPECT_EQ(visits.to_host(), std::vector<int32_t>(n, 2));
  }
}

struct TenTimes {
  GRIDIRON_HOST_DEVICE int64_t operator()(int64_t line) const { return 10 * line; }
};

/// Every point of every line once, with the data of its line; sums and maximum over the same.
template <class D>
void lines_are_visited_and_summed() {
  for (const int64_t lines : {0, 1, 3, 300, 1100})
    for (const int64_t length : {0, 1, 31, 33, 257, 1025}) {
      Array<D, int32_t> visits(std::vector<int32_t>(lines * length, 0));
      const View<D, int32_t> v = visits.view();
      D::for_each_line(
          lines, length, TenTimes(),
          GRIDIRON_KERNEL(int64_t tenfold, int64_t i) { v[tenfold / 10 * length + i] += 1; });
      EXPECT_EQ(visits.to_host(), std::vector<int32_t>(lines * length, 1));
      const Sums<2> sums = D::template sum_of_lines<2>(
          lines, length, TenTimes(), GRIDIRON_KERNEL(int64_t tenfold, int64_t i) {
            return Sums<2>{{static_cast<double>(tenfold), static_cast<double>(i)}};
          });
      EXPECT_EQ(sums[0], static_cast<double>(5 * lines * (lines - 1) * length));
      EXPECT_EQ(sums[1], static_cast<double>(lines * (length * (length - 1) / 2)));
      const double largest = D::max_of_lines(
          lines, length, TenTimes(),
          GRIDIRON_KERNEL(int64_t tenfold, int64_t i) { return static_cast<double>(tenfold + i) - 1; });
      EXPECT_EQ(largest, lines * length == 0 ? 0.0 : std::max<double>(0, 10 * (lines - 1) + length - 2));
    }
}

template <class D>
void sums_several_values_at_once() {
  for (const int64_t n : kSizes) {
    const Sums<2> s = D::template sum<2>(
        n, GRIDIRON_KERNEL(int64_t i) {
          return Sums<2>{{1.0, static_cast<double>(i)}};
        });
    EXPECT_EQ(s[0], static_cast<double>(n));
    EXPECT_EQ(s[1], static_cast<double>(n * (n - 1) / 2));
  }
}

/// Each column's sum and maximum depend only on its own values, and sums on the device equal those on the host.
template <class D>
void sums_columns_side_by_side() {
  constexpr int K = 8;
  for (const int64_t n : kSizes) {
    Array<D, Pack<double, K>> packs(n);
    const View<D, Pack<double, K>> x = packs.view();
    D::for_each(
        n, GRIDIRON_KERNEL(int64_t i) {
          for (int c = 0; c < K; ++c) x[i][c] = static_cast<double>(i * (c + 1) % 11);
        });
    const auto terms = GRIDIRON_KERNEL(int64_t i) { return sums_of(x[i], x[i] * x[i], 2 * x[i]); };
    const Sums<3 * K> sums = D::template sum<3 * K>(n, terms);
    Array<D, Sums<3 * K>> kept(1);
    const View<D, Sums<3 * K>> out = kept.view();
    D::template sum_then<3 * K>(
        n, terms, GRIDIRON_KERNEL(const Sums<3 * K>& known) { out[0] = known; });
    const Pack<double, K> largest = D::template max<Pack<double, K>>(
        n, GRIDIRON_KERNEL(int64_t i) { return x[i]; });
    const Sums<3 * K> on_device = kept.to_host()[0];
    for (int c = 0; c < K; ++c) {
      double sum = 0, squares = 0, most = 0;
      for (int64_t i = 0; i < n; ++i) {
        const double v = static_cast<double>(i * (c + 1) % 11);
        sum += v;
        squares += v * v;
        most = std::max(most, v);
      }
      EXPECT_EQ(sums[c], sum) << n << " column " << c;  // small integers: exact in any order
      EXPECT_EQ(sums[K + c], squares);
      EXPECT_EQ(sums[2 * K + c], 2 * sum);
      EXPECT_EQ(largest[c], most);
    }
    for (int k = 0; k < 3 * K; ++k) EXPECT_EQ(on_device[k], sums[k]);
  }
}

template <class D>
void maximum_sees_nan() {
  EXPECT_EQ(D::max(
                0, GRIDIRON_KERNEL(int64_t) { return 1.0; }),
            0);
  EXPECT_EQ(D::max(
                1000, GRIDIRON_KERNEL(int64_t i) { return i == 700 ? 3.5 : 1.0; }),
            3.5);
  EXPECT_TRUE(std::isinf(D::max(
      1000, GRIDIRON_KERNEL(int64_t i) { return i == 3 ? std::nan("") : 1.0; })));
  EXPECT_TRUE(std::isinf(D::max_of_lines(
      7, 9, TenTimes(),
      GRIDIRON_KERNEL(int64_t tenfold, int64_t i) { return tenfold == 20 && i == 3 ? std::nan("") : 1.0; })));
}

template <class D>
void maximum_is_found_anywhere() {
  for (const int64_t n : {1, 7, 8, 9, 10, 31, 32, 33})
    for (int64_t at = 0; at < n; ++at)
      EXPECT_EQ(D::max(
                    n, GRIDIRON_KERNEL(int64_t i) { return i == at ? 3.5 : 1.0; }),
                3.5)
          << n << ' ' << at;
}

template <class D>
void scans_and_groups() {
  for (const int64_t n : kSizes) {
    std::vector<int32_t> counts(n);
    for (int64_t i = 0; i < n; ++i) counts[i] = static_cast<int32_t>(i * 7 % 5);
    const Array<D, int32_t> in(counts);
    Array<D, int64_t> out(n + 1);
    const int64_t total = D::exclusive_scan(in.view(), out.view());
    EXPECT_EQ(total, std::accumulate(counts.begin(), counts.end(), int64_t{0}));
    const std::vector<int64_t> start = out.to_host();
    for (int64_t i = 0; i < n; ++i) ASSERT_EQ(start[i + 1] - start[i], counts[i]);

    Array<D, int32_t> begin(6);
    Array<D, int32_t> order(n);
    D::group_by(in.view(), 5, begin.view(), order.view());
    const std::vector<int32_t> b = begin.to_host();
    const std::vector<int32_t> o = order.to_host();
    EXPECT_EQ(b[0], 0);
    EXPECT_EQ(b[5], n);
    for (int g = 0; g < 5; ++g) {
      for (int32_t k = b[g]; k < b[g + 1]; ++k) {
        ASSERT_EQ(counts[o[k]], g);
        if (k > b[g]) {
          ASSERT_LT(o[k - 1], o[k]) << "groups keep the order";
        }
      }
    }
  }
}

/// Numbers of groups around powers of two: keys are sorted by as many bits as they have.
template <class D>
void groups_by_many_keys() {
  for (const int32_t groups : {1, 2, 255, 256, 257, 1024, 1025}) {
    std::vector<int32_t> key(5000);
    for (size_t i = 0; i < key.size(); ++i) key[i] = static_cast<int32_t>(i * 2'654'435'761u % groups);
    std::vector<int32_t> expected(key.size());
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(), [&](auto i, auto j) { return key[i] < key[j]; });
    const Array<D, int32_t> in(key);
    Array<D, int32_t> begin(groups + 1), order(static_cast<int64_t>(key.size()));
    D::group_by(in.view(), groups, begin.view(), order.view());
    EXPECT_EQ(order.to_host(), expected) << groups;
    const std::vector<int32_t> first = begin.to_host();
    for (int32_t g = 0; g <= groups; ++g)
      ASSERT_EQ(first[g], std::count_if(key.begin(), key.end(), [g](int32_t k) { return k < g; })) << groups;
  }
}

template <class D>
void multiplies_dense_matrices() {
  for (const int64_t n : {0, 1, 2, 15, 16, 17, 31, 32, 33, 65, 300}) {
    std::vector<double> a(n * n), x(n);
    for (int64_t k = 0; k < n * n; ++k) a[k] = static_cast<double>(k % 7) - 3;
    for (int64_t k = 0; k < n; ++k) x[k] = static_cast<double>(k % 5) - 1;
    const Array<D, double> a_device(a), x_device(x);
    Array<D, double> y_device(n);
    D::dense_product(a_device.view(), x_device.view(), y_device.view());
    const std::vector<double> y = y_device.to_host();
    for (int64_t i = 0; i < n; ++i) {
      double expected = 0;
      for (int64_t j = 0; j < n; ++j) expected += a[i * n + j] * x[j];
      ASSERT_EQ(y[i], expected) << n << " row " << i;  // small integers: exact in any order
    }
  }
}

template <class D>
void multiplies_dense_matrices_with_packs() {
  constexpr int K = 8;
  for (const int64_t n : {1, 15, 16, 17, 33, 200}) {
    std::vector<float> a(n * n);
    std::vector<Pack<float, K>> x(n);
    for (int64_t k = 0; k < n * n; ++k) a[k] = static_cast<float>(k % 7) - 3;
    for (int64_t k = 0; k < n; ++k)
      for (int c = 0; c < K; ++c) x[k][c] = static_cast<float>((k + c) % 5) - 1;
    const Array<D, float> a_device(a);
    const Array<D, Pack<float, K>> x_device(x);
    Array<D, Pack<float, K>> y_device(n);
    D::dense_product(a_device.view(), x_device.view(), y_device.view());
    const std::vector<Pack<float, K>> y = y_device.to_host();
    for (int64_t i = 0; i < n; ++i)
      for (int c = 0; c < K; ++c) {
        float expected = 0;
        for (int64_t j = 0; j < n; ++j) expected += a[i * n + j] * x[j][c];
        ASSERT_EQ(y[i][c], expected) << n << " row " << i << " column " << c;
      }
  }
}

/// Of matrices like those of coarse grids: nonsymmetric, rows summing to little, couplings over six decades; dense, or
/// of narrow bands, most of whose blocks are zero.
template <class D>
void inverts_dense_matrices() {
  for (const int64_t n : {1, 2, 3, 31, 32, 33, 34, 63, 64, 65, 127, 128, 129, 300})
    for (const int64_t reach : {n, int64_t{2}}) {
      std::vector<double> a(n * n);
      for (int64_t i = 0; i < n; ++i) {
        double sum = 1e-3;
        for (int64_t j = 0; j < n; ++j)
          if (i != j && std::abs(i - j) <= reach && (i + j) % 3 != 0)
            sum -= a[i * n + j] = -std::pow(10.0, static_cast<double>((i * j + i) % 7) - 6);
        a[i * n + i] = sum;
      }
      Array<D, double> inverse_device(a);
      gauss_jordan::invert<D>(n, inverse_device.view());
      const std::vector<double> inverse = inverse_device.to_host(), expected = invert(n, a, "test");
      const double largest = *std::max_element(expected.begin(), expected.end());
      for (int64_t k = 0; k < n * n; ++k)
        ASSERT_NEAR(inverse[k], expected[k], 1e-12 * largest) << n << ", " << reach << " at " << k;
    }
}

/// A matrix that needs pivots, which the device does not choose, and a singular one.
template <class D>
void refuses_inverses_without_accuracy() {
  Array<D, double> swapped(std::vector<double>{0, 0, 1, 0, 1, 0, 1, 0, 0}), singular(std::vector<double>{1, -1, -1, 1}),
      fine(std::vector<double>{2, -1, -1, 2});
  using Inverse = DenseInverse<D, float>;
  EXPECT_FALSE(Inverse::is_one(Inverse::invert_on_device(swapped)));
  EXPECT_FALSE(Inverse::is_one(Inverse::invert_on_device(singular)));
  EXPECT_TRUE(Inverse::is_one(Inverse::invert_on_device(fine)));
}

/// Each tile reverses its part through scratch: only correct if all cells have written before any reads.
template <class D>
void tiles_share_scratch_between_phases() {
  for (const int64_t cells : {1, 2, 31, 32, 33, 64, 100}) {
    constexpr int64_t kTiles = 7;
    std::vector<double> host(kTiles * cells);
    std::iota(host.begin(), host.end(), 0.0);
    const Array<D, double> in(host);
    Array<D, double> out(kTiles * cells);
    const View<D, const double> x = in.view();
    const View<D, double> y = out.view();
    D::for_each_tile(
        kTiles, static_cast<int>(cells), static_cast<size_t>(cells) * 8 + 64, GRIDIRON_KERNEL(typename D::Tile & tile) {
          const auto scratch = tile.template shared<double>(cells);
          const int64_t base = tile.index() * cells;
          tile.each(cells, [=](int64_t c) { scratch[c] = x[base + c]; });
          tile.each(cells, [=](int64_t c) { y[base + c] = scratch[cells - 1 - c]; });
        });
    const std::vector<double> reversed = out.to_host();
    for (int64_t t = 0; t < kTiles; ++t)
      for (int64_t c = 0; c < cells; ++c) ASSERT_EQ(reversed[t * cells + c], host[t * cells + cells - 1 - c]);
  }
}

/// Values of cells stay with them from phase to phase while cells read what others share.
template <class D>
void tiles_hold_values_of_cells() {
  constexpr int kMost = 2000, kKinds = 3;
  for (const int cells : {1, 31, 32, 33, 511, 512, 513, 514, 1024, 1999, 2000}) {
    Array<D, double> out(cells);
    const View<D, double> y = out.view();
    const size_t scratch = cells * sizeof(double) + 64 + D::template held_bytes<double, kMost, kKinds>();
    D::for_each_tile(
        1, cells, scratch, GRIDIRON_KERNEL(typename D::Tile & tile) {
          const auto shared = tile.template shared<double>(cells);
          auto values = tile.template held<double, kMost, kKinds>();
          tile.template each_held<kMost>(cells, [&](int cell, auto held) {
            for (int k = 0; k < kKinds; ++k) values(held, k) = cell + 10000 * k;
            shared[cell] = cell;
          });
          tile.template each_held<kMost>(cells,
                                         [&](int cell, auto held) { values(held, 1) += shared[cells - 1 - cell]; });
          tile.template each_held<kMost>(
              cells, [&](int cell, auto held) { y[cell] = values(held, 0) + values(held, 1) + values(held, 2); });
        });
    const std::vector<double> sums = out.to_host();
    for (int cell = 0; cell < cells; ++cell) ASSERT_EQ(sums[cell], 2 * cell + 30000 + cells - 1) << cells;
  }
}

/// A tile turns a field around in two phases, via another field: only correct if the first is complete before the
/// second begins.
template <class D>
void tiles_go_over_lines() {
  for (const int64_t lines : {1, 3, 40})
    for (const int64_t length : {1, 31, 33, 100}) {
      std::vector<double> host(lines * length);
      std::iota(host.begin(), host.end(), 0.0);
      Array<D, double> field(host), other(lines * length);
      const View<D, double> x = field.view(), y = other.view();
      D::for_each_tile(
          1, static_cast<int>(lines * length), 0, GRIDIRON_KERNEL(typename D::Tile & tile) {
            tile.each_line(lines, length, TenTimes(), [=](int64_t tenfold, int64_t i) {
              y[tenfold / 10 * length + i] = x[tenfold / 10 * length + i];
            });
            tile.each_line(lines, length, TenTimes(), [=](int64_t tenfold, int64_t i) {
              x[tenfold / 10 * length + i] = y[(lines - 1 - tenfold / 10) * length + length - 1 - i];
            });
          });
      std::reverse(host.begin(), host.end());
      EXPECT_EQ(field.to_host(), host);
    }
}

/// Parts side by side come after what the queue was asked for before, and before what it is asked for afterwards, also
/// in a recording; with more parts than queues, as many, one and none.
template <class D>
void parts_run_side_by_side() {
  for (const int queues : {0, 1, 3})
    for (const int64_t parts : {0, 1, 2, 4, 9}) {
      constexpr int64_t kLength = 100'000;
      std::vector<typename D::Queue> others;
      for (int q = 0; q < queues; ++q) others.emplace_back(nullptr);
      Array<D, double> array(std::vector<double>(parts * kLength + 1, 1.0));
      const View<D, double> x = array.view();
      typename D::Recording recording;
      for (int round = 0; round < 3; ++round)
        recording.run([&] {
          D::for_each(
              x.size(), GRIDIRON_KERNEL(int64_t i) { x[i] += 1; });
          D::side_by_side(others, parts, [&](int64_t part) {
            const int64_t first = part * kLength;
            for (int k = 0; k < 3; ++k)
              D::for_each(
                  kLength, GRIDIRON_KERNEL(int64_t i) { x[first + i] = 2 * x[first + i] + part; });
          });
          D::for_each(
              x.size(), GRIDIRON_KERNEL(int64_t i) { x[i] -= 1; });
        });
      std::vector<double> expected(x.size(), 1.0);
      for (int round = 0; round < 3; ++round)
        for (int64_t i = 0; i < parts * kLength; ++i)
          expected[i] = 8 * (expected[i] + 1) + 7 * static_cast<double>(i / kLength) - 1;
      ASSERT_EQ(array.to_host(), expected) << queues << " and " << parts;
    }
}

/// An error of here() comes out after the kernels of there(), if these were enqueued.
template <class D>
void errors_join_what_runs_beside() {
  constexpr int64_t kLength = 1'000'000;
  const typename D::Queue other(nullptr);
  Array<D, double> array(std::vector<double>(kLength, 1.0));
  const View<D, double> x = array.view();
  const auto there = [&] {
    for (int k = 0; k < 20; ++k)
      D::for_each(
          kLength, GRIDIRON_KERNEL(int64_t i) { x[i] += 1; });
  };
  const auto fails = [] { throw SolverError("here"); };
  EXPECT_THROW(side_by_side<D>(other, fails, there), SolverError);
  const std::vector<double> values = array.to_host();
  const double first = values[0];
  EXPECT_TRUE(first == 1 || first == 21) << first;
  EXPECT_EQ(values, std::vector<double>(kLength, first));
  side_by_side<D>(
      other, [] {}, there);
  EXPECT_EQ(array.to_host(), std::vector<double>(kLength, first + 20));
}

/// What is sent may change on return.
template <class D>
void sends_what_memory_held() {
  for (const int64_t n : {1, 1000, 131'072, 3'000'001}) {
    std::vector<double> host(n);
    for (int64_t i = 0; i < n; ++i) host[i] = static_cast<double>(i);
    const std::vector<double> expected = host;
    Array<D, double> array(n);
    D::send_to_device(array.view().data(), host.data(), n);
    std::fill(host.begin(), host.end(), -1.0);
    EXPECT_EQ(array.to_host(), expected);
  }
}

/// What is still on its way to the device is not disturbed by what another queue brings home.
template <class D>
void sends_while_another_queue_receives() {
  constexpr int64_t kLength = 3'000'001;
  const typename D::Queue other(nullptr);
  std::vector<double> sent(kLength), received(kLength);
  std::iota(sent.begin(), sent.end(), 0.0);
  Array<D, double> busy(std::vector<double>(kLength, 0.0)), to(kLength), from;
  {
    const typename D::Scope scope(other);
    from = Array<D, double>(std::vector<double>(kLength, -1.0));
  }
  const View<D, double> x = busy.view();
  for (int k = 0; k < 100; ++k)  // so that the copy waits
    D::for_each(
        kLength, GRIDIRON_KERNEL(int64_t i) { x[i] += 1; });
  D::send_to_device(to.view().data(), sent.data(), kLength);
  {
    const typename D::Scope scope(other);
    from.copy_to(received);
  }
  EXPECT_EQ(received, std::vector<double>(kLength, -1.0));
  EXPECT_EQ(to.to_host(), sent);
}

/// A recording must run repeatedly, on the results of the previous run, and stop when the flag is cleared.
template <class D>
void replays_recordings_under_conditions() {
  Array<D, double> state(std::vector<double>{0, 3, 1});
  const View<D, double> v = state.view(), outer = D::view(v.data() + 1, 1), inner = D::view(v.data() + 2, 1);
  typename D::Recording recording;
  for (int round = 0; round < 5; ++round)
    recording.run([&] {
      D::when(View<D, const double>(outer), [&] {
        D::for_each(
            1, GRIDIRON_KERNEL(int64_t) {
              v[0] += 1;
              outer[0] -= 1;
            });
        D::when(View<D, const double>(inner), [&] {
          D::for_each(
              1, GRIDIRON_KERNEL(int64_t) {
                v[0] += 100;
                inner[0] = 0;
              });
        });
      });
    });
  EXPECT_EQ(state.to_host(), (std::vector<double>{103, 0, 0}));
}

/// Recorded or not: the timed part of every run counts exactly once, and nothing else does.
template <class D>
void takes_the_time_of_a_part() {
  Array<D, double> state(std::vector<double>(100'000, 0.0));
  const View<D, double> v = state.view();
  const auto add = [v](double what) {
    D::for_each(
        v.size(), GRIDIRON_KERNEL(int64_t i) { v[i] += what; });
  };
  typename D::Recording recording, without_part;
  EXPECT_EQ(recording.seconds(), 0);
  Stopwatch watch;
  double before = 0;
  for (int round = 1; round <= 3; ++round) {
    recording.run([&] {
      add(100);
      recording.timed([&] { add(1); });
    });
    D::synchronize();
    const double now = recording.seconds();
    EXPECT_GT(now, before) << round;
    EXPECT_EQ(recording.seconds(), now);
    before = now;
  }
  EXPECT_LT(before, watch.seconds());
  without_part.run([&] { add(0); });
  D::synchronize();
  EXPECT_EQ(without_part.seconds(), 0);
  EXPECT_EQ(state.to_host(), std::vector<double>(100'000, 303.0));
}

}  // namespace gridiron::test
