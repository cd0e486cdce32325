// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/dump_system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engines/matrix_market.hpp"
#include "support/error.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;

class DumpSystem : public testing::Test {
 protected:
  DumpSystem() : folder_(test::temporary("system")) {
    problem_.matrix = {.rows = 2, .row_ptr = {0, 2, 4}, .col = {0, 1, 0, 1}, .value = {3, -1, -1, 1.0 / 3}};
  }
  ~DumpSystem() override { fs::remove_all(folder_); }

  std::string text(const char* name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_;
  Problem problem_;
  std::vector<double> reference_{1.1, 0};
  std::vector<std::string> names_{"n1_0_0", "X1.N2"};
};

TEST_F(DumpSystem, WritesASystemThatReadsBack) {
  dump_system(problem_, std::vector{0.1, -2e-12, 0.0, 4.0}, reference_, names_, folder_ / "new");
  const auto [matrix, is_symmetric] = read_matrix_market(folder_ / "new" / "matrix.mtx");
  EXPECT_TRUE(is_symmetric);
  EXPECT_EQ(matrix.row_ptr, problem_.matrix.row_ptr);
  EXPECT_EQ(matrix.col, problem_.matrix.col);
  EXPECT_EQ(matrix.value, problem_.matrix.value);
  const DenseColumns rhs = read_matrix_market_array(folder_ / "new" / "rhs.mtx");
  EXPECT_EQ(rhs.columns, 2);
  EXPECT_EQ(rhs.values, (std::vector{0.1, -2e-12, 0.0, 4.0}));
  EXPECT_EQ(read_matrix_market_array(folder_ / "new" / "reference.mtx").values, reference_);
  EXPECT_EQ(text("new/names.txt"), "n1_0_0\nX1.N2\n");
}

TEST_F(DumpSystem, KeepsBothTrianglesOfAnUnsymmetricMatrix) {
  problem_.symmetric_positive_definite = false;
  problem_.matrix.value[1] = 7;
  dump_system(problem_, std::vector{1.0, 2.0}, reference_, names_, folder_);
  EXPECT_EQ(read_matrix_market(folder_ / "matrix.mtx").matrix.value, problem_.matrix.value);
}

TEST_F(DumpSystem, FailureLeavesNoPartOfASystem) {
  dump_system(problem_, std::vector{1.0, 2.0}, reference_, names_, folder_);
  fs::remove(folder_ / "names.txt");
  fs::create_directories(folder_ / "names.txt" / "in the way");
  EXPECT_THROW(dump_system(problem_, std::vector{3.0, 4.0}, reference_, names_, folder_), InputError);
  EXPECT_FALSE(fs::exists(folder_ / "matrix.mtx"));
  EXPECT_FALSE(fs::exists(folder_ / "rhs.mtx"));
}

TEST_F(DumpSystem, AFolderThatCannotBeMadeIsAnError) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "file") << "text";
  EXPECT_THROW(dump_system(problem_, std::vector{1.0, 2.0}, reference_, names_, folder_ / "file"), InputError);
}

}  // namespace
}  // namespace gridiron
