// SPDX-License-Identifier: Apache-2.0
// The device seam: every device does what the plain loop does, at sizes around blocks and warps; the checking device
// sees what would go wrong on a GPU.
#include "engines/device/device.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <numeric>

#include "engines/device/checking_device.hpp"
#include "engines/device/cpu_device.hpp"

namespace gridiron {
namespace {

constexpr std::int64_t kSizes[] = {0, 1, 2, 31, 32, 33, 255, 256, 257, kBlock - 1, kBlock, kBlock + 1, 3 * kBlock + 5};

template <class D>
class Device : public testing::Test {};
using Devices = testing::Types<CpuDevice, CheckingDevice>;
TYPED_TEST_SUITE(Device, Devices);

TYPED_TEST(Device, CopiesThereAndBack) {
  using D = TypeParam;
  for (const std::int64_t n : kSizes) {
    std::vector<double> host(n);
    std::iota(host.begin(), host.end(), 1.0);
    Array<D, double> a(host);
    EXPECT_EQ(a.to_host(), host);
    const Array<D, double> moved = std::move(a);
    EXPECT_EQ(moved.to_host(), host);
    EXPECT_EQ(moved.bytes(), n * 8);
  }
}

TYPED_TEST(Device, ForEachVisitsEveryIndexOnce) {
  using D = TypeParam;
  for (const std::int64_t n : kSizes) {
    Array<D, std::int32_t> visits(std::vector<std::int32_t>(n, 0));
    const View<D, std::int32_t> v = visits.view();
    D::for_each(
        n, GRIDIRON_KERNEL(std::int64_t i) { v[i] += 1; });
    D::for_each_row(
        n, GRIDIRON_KERNEL(std::int64_t i) { v[i] += 1; });
    EXPECT_EQ(visits.to_host(), std::vector<std::int32_t>(n, 2));
  }
}

TYPED_TEST(Device, SumsSeveralValuesAtOnce) {
  using D = TypeParam;
  for (const std::int64_t n : kSizes) {
    const Sums<2> s = D::template sum<2>(
        n, GRIDIRON_KERNEL(std::int64_t i) {
          return Sums<2>{{1.0, static_cast<double>(i)}};
        });
    EXPECT_EQ(s[0], static_cast<double>(n));
    EXPECT_EQ(s[1], static_cast<double>(n * (n - 1) / 2));
  }
}

TYPED_TEST(Device, MaximumSeesNan) {
  using D = TypeParam;
  EXPECT_EQ(D::max(
                0, GRIDIRON_KERNEL(std::int64_t) { return 1.0; }),
            0);
  EXPECT_EQ(D::max(
                1000, GRIDIRON_KERNEL(std::int64_t i) { return i == 700 ? 3.5 : 1.0; }),
            3.5);
  EXPECT_TRUE(std::isinf(D::max(
      1000, GRIDIRON_KERNEL(std::int64_t i) { return i == 3 ? std::nan("") : 1.0; })));
}

TYPED_TEST(Device, ScansAndGroups) {
  using D = TypeParam;
  for (const std::int64_t n : kSizes) {
    std::vector<std::int32_t> counts(n);
    for (std::int64_t i = 0; i < n; ++i) counts[i] = static_cast<std::int32_t>(i * 7 % 5);
    const Array<D, std::int32_t> in(counts);
    Array<D, std::int64_t> out(n + 1);
    const std::int64_t total = D::template exclusive_scan<std::int32_t, std::int64_t>(in.view(), out.view());
    EXPECT_EQ(total, std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
    const std::vector<std::int64_t> start = out.to_host();
    for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(start[i + 1] - start[i], counts[i]);

    Array<D, std::int64_t> begin(6);
    Array<D, std::int32_t> order(n);
    D::group_by(in.view(), 5, begin.view(), order.view());
    const std::vector<std::int64_t> b = begin.to_host();
    const std::vector<std::int32_t> o = order.to_host();
    EXPECT_EQ(b[0], 0);
    EXPECT_EQ(b[5], n);
    for (int g = 0; g < 5; ++g) {
      for (std::int64_t k = b[g]; k < b[g + 1]; ++k) {
        ASSERT_EQ(counts[o[k]], g);
        if (k > b[g]) ASSERT_LT(o[k - 1], o[k]) << "groups keep the order";
      }
    }
  }
}

/// Each tile reverses its part through scratch: only right when all cells have written before any reads.
TYPED_TEST(Device, TilesShareScratchBetweenPhases) {
  using D = TypeParam;
  for (const std::int64_t cells : {1, 2, 31, 32, 33, 64, 100}) {
    constexpr std::int64_t kTiles = 7;
    std::vector<double> host(kTiles * cells);
    std::iota(host.begin(), host.end(), 0.0);
    const Array<D, double> in(host);
    Array<D, double> out(kTiles * cells);
    const View<D, const double> x = in.view();
    const View<D, double> y = out.view();
    D::for_each_tile(kTiles, static_cast<int>(cells), static_cast<std::size_t>(cells) * 8 + 64, [=](auto& tile) {
      const auto scratch = tile.template shared<double>(cells);
      const std::int64_t base = tile.index() * cells;
      tile.each(cells, [=](std::int64_t c) { scratch[c] = x[base + c]; });
      tile.each(cells, [=](std::int64_t c) { y[base + c] = scratch[cells - 1 - c]; });
    });
    const std::vector<double> reversed = out.to_host();
    for (std::int64_t t = 0; t < kTiles; ++t)
      for (std::int64_t c = 0; c < cells; ++c) ASSERT_EQ(reversed[t * cells + c], host[t * cells + cells - 1 - c]);
  }
}

TEST(CpuDevice, SumsDoNotDependOnThreads) {
  const auto f = GRIDIRON_KERNEL(std::int64_t i) { return Sums<1>{{1.0 / static_cast<double>(i + 1)}}; };
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const double one = CpuDevice::sum<1>(100'000, f)[0];
  omp_set_num_threads(3);
  EXPECT_EQ(CpuDevice::sum<1>(100'000, f)[0], one);
  omp_set_num_threads(threads);
}

TEST(CheckingDevice, SeesOutOfBoundsUnwrittenAndOrderDependence) {
  using D = CheckingDevice;
  Array<D, double> a(10);
  const View<D, double> v = a.view();
  EXPECT_THROW(D::for_each(11, [=](std::int64_t i) { v[i] = 1; }), D::OutOfBounds);
  EXPECT_THROW(D::for_each_tile(1, 4, 8, [](auto& tile) { tile.template shared<double>(100); }), D::OutOfBounds);
  EXPECT_TRUE(std::isnan(Array<D, double>(3).to_host()[2])) << "new memory is poisoned";
  // A kernel that reads what its neighbour wrote gets it right on one thread in ascending order, and wrong here.
  D::for_each(10, [=](std::int64_t i) { v[i] = 1; });
  D::for_each(10, [=](std::int64_t i) { v[i] += i > 0 ? v[i - 1] : 0.0; });
  EXPECT_NE(a.to_host()[9], 10);
}

TEST(CheckingDeviceDeathTest, HostAccessToDeviceMemoryCrashes) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto touch = [] {
    Array<CheckingDevice, double> a(10);
    a.view()[0] = 1;
  };
  EXPECT_DEATH(touch(), "");
}

}  // namespace
}  // namespace gridiron
