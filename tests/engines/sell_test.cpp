// SPDX-License-Identifier: Apache-2.0
// The sliced matrix against the rows it was built from, at sizes around slices, with hubs longer than a slice is wide.
#include "engines/linalg/sell.hpp"

#include <gtest/gtest.h>

#include "engines/device/checking_device.hpp"
#include "engines/device/cpu_device.hpp"
#include "tests/engines/sell_checks.hpp"

namespace gridiron {
namespace {

template <class D>
class Sell : public testing::Test {};
using Devices = testing::Types<CpuDevice, CheckingDevice>;
TYPED_TEST_SUITE(Sell, Devices);

TYPED_TEST(Sell, ProductIsThatOfTheRows) { test::product_is_that_of_the_rows<TypeParam>(); }

TYPED_TEST(Sell, ProductOfPacksIsThatOfTheirColumns) { test::product_of_packs_is_that_of_their_columns<TypeParam>(); }

TYPED_TEST(Sell, ProductOfDifferencesIsThatOfTheRows) { test::product_of_differences_is_that_of_the_rows<TypeParam>(); }

TYPED_TEST(Sell, HubsCostWhatTheyHave) {
  const CsrMatrix host = test::mixed(4096, 4000);
  const SellMatrix<TypeParam> matrix(host);
  EXPECT_LT(matrix.bytes(), 12 * (2 * host.nonzeros() + 64 * 32) + 64 * 4096);
}

TYPED_TEST(Sell, TakesNewValues) {
  CsrMatrix host = test::mixed(100, 40);
  SellMatrix<TypeParam> matrix(host);
  for (double& v : host.value) v *= -2;
  matrix.copy_values(host);
  const SellMatrix<TypeParam> fresh(host);
  EXPECT_EQ(matrix.value.to_host(), fresh.value.to_host());
  EXPECT_EQ(matrix.diagonal.to_host(), fresh.diagonal.to_host());
}

}  // namespace
}  // namespace gridiron
