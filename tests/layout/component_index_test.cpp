// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "layout/component_index.hpp"

namespace gridiron::layout::test {
namespace {

struct Names {
  std::vector<std::string> text;
  std::vector<std::string_view> view;

  explicit Names(int64_t n) {
    for (int64_t i = 0; i < n; ++i) text.push_back(fmt::format("u_core/a{}", i));
    view.assign(text.begin(), text.end());
  }
};

TEST(ComponentIndex, FindsEveryNameAndNoOther) {
  for (const int64_t n : {0, 1, 2, 15, 16, 17, 40'000}) {
    const Names names(n);
    const ComponentIndex index(names.view);
    for (int64_t i = 0; i < n; ++i) ASSERT_EQ(index.find(names.view, names.text[i]), i);
    EXPECT_EQ(index.find(names.view, "u_core/b0"), -1);
    EXPECT_EQ(index.find(names.view, ""), -1);
    EXPECT_EQ(index.repeated(), -1);
  }
  EXPECT_EQ(ComponentIndex().find({}, "u1"), -1);
}

/// Threads come to the components of one name in any order.
TEST(ComponentIndex, KeepsTheFirstOfSeveralOfOneName) {
  const int64_t n = 100'000;
  for (const int64_t other : {int64_t{1}, n / 2, n - 2}) {
    Names names(n);
    names.view[n - 1] = names.view[other] = names.view[0];
    for (int attempt = 0; attempt < 20; ++attempt) {
      const ComponentIndex index(names.view);
      ASSERT_EQ(index.find(names.view, names.text[0]), 0);
      ASSERT_EQ(index.repeated(), other);
    }
  }
}

}  // namespace
}  // namespace gridiron::layout::test
