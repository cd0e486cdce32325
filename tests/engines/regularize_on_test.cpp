// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engines/device/checking_device.hpp"
#include "engines/device/cpu_device.hpp"
#include "tests/engines/regularize_checks.hpp"

namespace gridiron {
namespace {

template <class D>
class RegularizeOn : public testing::Test {};
using Devices = testing::Types<CpuDevice, CheckingDevice>;
TYPED_TEST_SUITE(RegularizeOn, Devices);

TYPED_TEST(RegularizeOn, IsRegularizeOnEveryShapeOfGrid) { test::regularizes_decks_like_the_host<TypeParam>(); }

}  // namespace
}  // namespace gridiron
