// SPDX-License-Identifier: Apache-2.0
// The device seam: every device matches the plain loop, at sizes around blocks and warps; the checking device detects
// what would go wrong on a GPU.
#include "device/device.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>

#include "device/checking_device.hpp"
#include "device/cpu_device.hpp"
#include "tests/engines/device/device_checks.hpp"

namespace gridiron {
namespace {

template <class D>
class Device : public testing::Test {};
using Devices = testing::Types<CpuDevice, CheckingDevice>;
TYPED_TEST_SUITE(Device, Devices);

TYPED_TEST(Device, CopiesThereAndBack) { test::copies_there_and_back<TypeParam>(); }
TYPED_TEST(Device, ReportsWhileMoreWorkFollows) { test::reports_while_more_work_follows<TypeParam>(); }
TYPED_TEST(Device, QueuesOfTwoThreadsAreApart) { test::queues_of_two_threads_are_apart<TypeParam>(); }
TYPED_TEST(Device, ForEachVisitsEveryIndexOnce) { test::for_each_visits_every_index_once<TypeParam>(); }
TYPED_TEST(Device, LinesAreVisitedAndSummed) { test::lines_are_visited_and_summed<TypeParam>(); }
TYPED_TEST(Device, SumsSeveralValuesAtOnce) { test::sums_several_values_at_once<TypeParam>(); }
TYPED_TEST(Device, SumsColumnsSideBySide) { test::sums_columns_side_by_side<TypeParam>(); }
TYPED_TEST(Device, MultipliesDenseMatricesWithPacks) { test::multiplies_dense_matrices_with_packs<TypeParam>(); }
TYPED_TEST(Device, MaximumSeesNan) { test::maximum_sees_nan<TypeParam>(); }
TYPED_TEST(Device, MaximumIsFoundAnywhere) { test::maximum_is_found_anywhere<TypeParam>(); }
TYPED_TEST(Device, ScansAndGroups) { test::scans_and_groups<TypeParam>(); }
TYPED_TEST(Device, GroupsByManyKeys) { test::groups_by_many_keys<TypeParam>(); }
TYPED_TEST(Device, MultipliesDenseMatrices) { test::multiplies_dense_matrices<TypeParam>(); }
TYPED_TEST(Device, InvertsDenseMatrices) { test::inverts_dense_matrices<TypeParam>(); }
TYPED_TEST(Device, RefusesInversesWithoutAccuracy) { test::refuses_inverses_without_accuracy<TypeParam>(); }
TYPED_TEST(Device, TakesTheTimeOfAPart) { test::takes_the_time_of_a_part<TypeParam>(); }
TYPED_TEST(Device, ReplaysRecordingsUnderConditions) { test::replays_recordings_under_conditions<TypeParam>(); }
TYPED_TEST(Device, TilesShareScratchBetweenPhases) { test::tiles_share_scratch_between_phases<TypeParam>(); }
TYPED_TEST(Device, TilesHoldValuesOfCells) { test::tiles_hold_values_of_cells<TypeParam>(); }
TYPED_TEST(Device, PartsRunSideBySide) { test::parts_run_side_by_side<TypeParam>(); }
TYPED_TEST(Device, ErrorsJoinWhatRunsBeside) { test::errors_join_what_runs_beside<TypeParam>(); }
TYPED_TEST(Device, SendsWhatMemoryHeld) { test::sends_what_memory_held<TypeParam>(); }
TYPED_TEST(Device, SendsWhileAnotherQueueReceives) { test::sends_while_another_queue_receives<TypeParam>(); }
TYPED_TEST(Device, TilesGoOverLines) { test::tiles_go_over_lines<TypeParam>(); }

TEST(CpuDevice, SumsDoNotDependOnThreads) {
  const auto f = GRIDIRON_KERNEL(int64_t i) { return Sums<1>{{1.0 / static_cast<double>(i + 1)}}; };
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
  EXPECT_THROW(D::for_each(11, [=](int64_t i) { v[i] = 1; }), D::OutOfBounds);
  EXPECT_THROW(D::for_each_tile(1, 4, 8, [](auto& tile) { tile.template shared<double>(100); }), D::OutOfBounds);
  EXPECT_TRUE(std::isnan(Array<D, double>(3).to_host()[2])) << "new memory is poisoned";
  // A kernel that reads what its neighbour wrote works on one thread in ascending order, and fails here.
  D::for_each(10, [=](int64_t i) { v[i] = 1; });
  D::for_each(10, [=](int64_t i) { v[i] += i > 0 ? v[i - 1] : 0.0; });
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
