// SPDX-License-Identifier: Apache-2.0
// The sliced matrix against the rows it was built from, at sizes around slices, with hubs longer than a slice is wide.
#include "linalg/sell.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "device/checking_device.hpp"
#include "device/cpu_device.hpp"
#include "tests/engines/linalg/sell_checks.hpp"

namespace gridiron {
namespace {

template <class D>
class Sell : public testing::Test {};
using Devices = testing::Types<CpuDevice, CheckingDevice>;
TYPED_TEST_SUITE(Sell, Devices);

TYPED_TEST(Sell, ProductIsThatOfTheRows) { test::product_is_that_of_the_rows<TypeParam>(); }

TYPED_TEST(Sell, ProductOfPacksIsThatOfTheirColumns) { test::product_of_packs_is_that_of_their_columns<TypeParam>(); }

TYPED_TEST(Sell, ProductOfDifferencesIsThatOfTheRows) { test::product_of_differences_is_that_of_the_rows<TypeParam>(); }

TYPED_TEST(Sell, ShortCopiesHaveProductsOfRoundedEntries) {
  test::short_copies_have_products_of_rounded_entries<TypeParam>();
}

/// A coupling comes from its two rows with different last bits; both must round alike, also halfway between two
/// numbers.
TEST(ShortSell, BothSidesOfACouplingRoundAlike) {
  for (uint32_t bits = 0x3f80'0000; bits < 0x4000'0000; bits += 0x8000) {
    const float value = -std::bit_cast<float>(bits);
    float below = value, above = value;
    for (int ulp = 0; ulp < 8; ++ulp) {
      below = std::nextafter(below, -2.0f);
      above = std::nextafter(above, 0.0f);
    }
    const uint32_t rounded = ShortSell<CpuDevice>::rounded(value);
    EXPECT_EQ(ShortSell<CpuDevice>::rounded(below), rounded) << value;
    EXPECT_EQ(ShortSell<CpuDevice>::rounded(above), rounded) << value;
    EXPECT_NEAR(high_of(rounded), value, std::abs(value) / 250) << value;
  }
}

/// Nothing to gain: no entries, hubs, columns anywhere.
TYPED_TEST(Sell, SomeMatricesHaveNoShortCopy) {
  const auto has_none = [](const CsrMatrix& host) {
    const SellMatrix<TypeParam> matrix(host);
    const ShortSell<TypeParam> copy{SellPatternView<TypeParam>(*matrix.pattern)};
    return copy.is_empty() && copy.bytes() == 0;
  };
  EXPECT_TRUE(has_none(test::mixed(0, 40)));
  EXPECT_TRUE(has_none(test::problem_of(test::Rows(1, {{0, 1.0}})).matrix));
  EXPECT_TRUE(has_none(test::mixed(1000, 500)));
  CsrMatrix anywhere;
  anywhere.rows = 500'000;
  anywhere.row_ptr.push_back(0);
  for (int64_t i = 0; i < anywhere.rows; ++i) {
    anywhere.col.push_back(static_cast<int32_t>(i * 7'919 % anywhere.rows));
    anywhere.value.push_back(-1);
    anywhere.row_ptr.push_back(i + 1);
  }
  EXPECT_TRUE(has_none(anywhere));
}

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
