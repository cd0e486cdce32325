// SPDX-License-Identifier: Apache-2.0
// The memory that a process may use.
#include "support/memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "support/freed_memory.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;

class ControlGroups : public testing::Test {
 protected:
  ControlGroups() : path_(test::temporary("groups")) { fs::create_directories(path_); }
  ~ControlGroups() override { fs::remove_all(path_); }

  void write(const fs::path& name, const char* text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }
  int64_t limit() const { return cgroup_memory_limit(path_ / "list", path_); }

  fs::path path_;
};

constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

TEST_F(ControlGroups, NoneMeansNoLimit) {
  EXPECT_EQ(limit(), kUnlimited);
  write("list", "0::/\nnonsense\n");
  EXPECT_EQ(limit(), kUnlimited);
}

TEST_F(ControlGroups, VersionTwoTakesTheLeastOnTheWayUp) {
  write("list", "0::/user/job\n");
  write("user/job/memory.max", "max\n");
  EXPECT_EQ(limit(), kUnlimited);
  write("user/memory.max", "4000000\n");
  write("memory.max", "9000000\n");
  EXPECT_EQ(limit(), 4000000);
  write("user/job/memory.max", "3000000\n");
  EXPECT_EQ(limit(), 3000000);
}

TEST_F(ControlGroups, VersionOneHasAFolderPerController) {
  write("list", "5:cpu:/job\n4:memory:/job\n0::/\n");
  write("memory/job/memory.limit_in_bytes", "9223372036854771712\n");
  write("cpu/job/memory.limit_in_bytes", "1\n");
  EXPECT_EQ(limit(), 9223372036854771712);
  write("memory/job/memory.limit_in_bytes", "5000000\n");
  EXPECT_EQ(limit(), 5000000);
}

TEST(Memory, IsFreedWithWhatIsReserved) {
  std::vector<double> doubles(1000, 1.0);
  std::vector<std::string> names(3, "a name that is longer than what a string holds in itself");
  free_memory(doubles, names);
  EXPECT_EQ(doubles.capacity() + names.capacity(), 0u);
}

TEST(Memory, UsableIsNoMoreThanTheMachineHas) {
  EXPECT_GT(usable_memory_bytes(), 0);
  EXPECT_LE(usable_memory_bytes(), static_cast<int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE));
}

/// A hint at most: nothing is taken, and more than there is does no harm.
TEST(Memory, WhatIsExpectedIsNotTaken) {
  const int64_t before = peak_memory_bytes();
  for (const size_t bytes : {size_t{0}, size_t{1} << 28, size_t{1} << 60}) expect_memory(bytes);
  EXPECT_LT(peak_memory_bytes() - before, 16 << 20);
}

}  // namespace
}  // namespace gridiron
