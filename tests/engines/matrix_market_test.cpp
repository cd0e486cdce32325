// SPDX-License-Identifier: Apache-2.0
#include "engines/matrix_market.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/error.hpp"
#include "tests/engines/systems.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class MatrixMarket : public testing::Test {
 protected:
  MatrixMarket() : path_(test::temporary("a.mtx")) {}
  ~MatrixMarket() override { fs::remove(path_); }

  const fs::path& file(std::string_view text) const {
    std::ofstream(path_, std::ios::binary) << text;
    return path_;
  }
  template <class Read>
  std::string error_of(std::string_view text, Read read) const {
    try {
      read(file(text));
    } catch (const InputError& e) {
      const std::string message = e.what();
      return message.substr(message.find("a.mtx"));
    }
    return "no error";
  }
  std::string matrix_error(std::string_view text) const { return error_of(text, read_matrix_market); }
  std::string array_error(std::string_view text) const { return error_of(text, read_matrix_market_array); }

  template <class Write>
  void write(Write content) const {
    OutputFile out(path_);
    content(out);
    out.commit();
  }
  std::string written() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path path_;
};

constexpr std::string_view kGeneral = "%%MatrixMarket matrix coordinate real general\n";
constexpr std::string_view kSymmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
constexpr std::string_view kArray = "%%MatrixMarket matrix array real general\n";
std::string operator+(std::string_view a, const char* b) { return std::string(a) + b; }

TEST_F(MatrixMarket, GeneralInAnyOrder) {
  const auto [a, is_symmetric] =
      read_matrix_market(file("%%matrixmarket MATRIX Coordinate Integer general\r\n% a comment\r\n\r\n3 3 4\r\n3 1 "
                              "-2\r\n 1\t1  +4 \r\n% more\n2 "
                              "2 5\n1 3 1"));
  EXPECT_FALSE(is_symmetric);
  EXPECT_EQ(a.rows, 3);
  EXPECT_THAT(a.row_ptr, ElementsAre(0, 2, 3, 4));
  EXPECT_THAT(a.col, ElementsAre(0, 2, 1, 0));
  EXPECT_THAT(a.value, ElementsAre(4, 1, 5, -2));
}

TEST_F(MatrixMarket, SymmetricBecomesWholeAndRepeatedEntriesAdd) {
  const auto [a, is_symmetric] = read_matrix_market(file(kSymmetric + "2 2 4\n1 1 1.5\n2 1 -1e-3\n2 2 2\n1 1 .5\n"));
  EXPECT_TRUE(is_symmetric);
  EXPECT_THAT(a.row_ptr, ElementsAre(0, 2, 4));
  EXPECT_THAT(a.col, ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(a.value, ElementsAre(2, -1e-3, -1e-3, 2));
}

TEST_F(MatrixMarket, WhatIsWrittenReadsBackToTheSameBits) {
  const CsrMatrix spd = test::random_grid(200, 6, 3).matrix, any = test::unsymmetric(100, 5).matrix;
  for (const auto& [matrix, is_symmetric] : {std::pair(spd, true), std::pair(spd, false), std::pair(any, false)}) {
    write([&, &m = matrix, s = is_symmetric](OutputFile& out) { write_matrix_market(out, m, s); });
    const auto back = read_matrix_market(path_);
    EXPECT_EQ(back.is_symmetric, is_symmetric);
    EXPECT_EQ(back.matrix.row_ptr, matrix.row_ptr);
    EXPECT_EQ(back.matrix.col, matrix.col);
    EXPECT_EQ(back.matrix.value, matrix.value);
  }
  const auto values = test::random_block(35, 8, 1e-7);
  write([&](OutputFile& out) { write_matrix_market_array(out, 5, values); });
  const DenseColumns dense = read_matrix_market_array(path_);
  EXPECT_EQ(dense.rows, 5);
  EXPECT_EQ(dense.columns, 7);
  EXPECT_EQ(dense.values, values);
}

TEST_F(MatrixMarket, WritesTheFormat) {
  const CsrMatrix a = test::problem_of({{{0, 2.0}, {1, -0.5}}, {{0, -0.5}, {1, 1e-20}}}).matrix;
  write([&](OutputFile& out) { write_matrix_market(out, a, true); });
  EXPECT_EQ(written(), kSymmetric + "2 2 3\n1 1 2\n2 1 -0.5\n2 2 1e-20\n");
  write([&](OutputFile& out) { write_matrix_market_array(out, 2, std::vector{1.0, 0.1}); });
  EXPECT_EQ(written(), kArray + "2 1\n1\n0.1\n");
}

TEST_F(MatrixMarket, NothingIsAMatrixToo) {
  EXPECT_EQ(read_matrix_market(file(kGeneral + "0 0 0\n")).matrix.rows, 0);
  EXPECT_EQ(read_matrix_market_array(file(kArray + "0 0\n")).rows, 0);
}

TEST_F(MatrixMarket, MistakesAreShownWithTheirLine) {
  EXPECT_THAT(matrix_error(""), HasSubstr("a.mtx:1: is not a Matrix Market file"));
  EXPECT_THAT(matrix_error("1 1 1\n"), HasSubstr("a.mtx:1: is not a Matrix Market file"));
  EXPECT_THAT(matrix_error("%%MatrixMarket matrix coordinate complex general\n"),
              HasSubstr("a.mtx:1: is 'coordinate complex"));
  EXPECT_THAT(matrix_error("%%MatrixMarket matrix coordinate real skew-symmetric\n"), HasSubstr("skew-symmetric"));
  EXPECT_THAT(matrix_error("%%MatrixMarket matrix\n"), HasSubstr("a.mtx:1"));
  EXPECT_THAT(matrix_error(std::string(kArray)), HasSubstr("expected coordinate"));
  EXPECT_THAT(matrix_error(std::string(kGeneral)), HasSubstr("ends before"));
  EXPECT_THAT(matrix_error(kGeneral + "2 3 1\n1 1 1\n"), HasSubstr("a.mtx:2: is 2 x 3"));
  EXPECT_THAT(matrix_error(kGeneral + "-1 -1 1\n1 1 1\n"), HasSubstr("a.mtx:2: is -1 x -1"));
  EXPECT_THAT(matrix_error(kGeneral + "2 2\n"), HasSubstr("a.mtx:2: expected the number of entries"));
  EXPECT_THAT(matrix_error(kGeneral + "2 2 -2\n"), HasSubstr("a.mtx:2: declares -2"));
  EXPECT_THAT(matrix_error(kGeneral + "2 2 2\n1 1 1\n"), HasSubstr("a.mtx:2: declares 2 entries, more than"));
  EXPECT_THAT(matrix_error(kGeneral + "1 1 1\n%     \n"), HasSubstr("a.mtx:3: ends after 0 of 1"));
  EXPECT_THAT(matrix_error(kGeneral + "2 2 1\n1 1 1\n2 2 2\n"), HasSubstr("a.mtx:4: more than the 1"));
  EXPECT_THAT(matrix_error(kGeneral + "2 2 1\n0 1 1.0\n"), HasSubstr("a.mtx:3: row 0 is not from 1 to 2"));
  EXPECT_THAT(matrix_error(kGeneral + "2 2 1\n1 3 1.0\n"), HasSubstr("a.mtx:3: column 3"));
  EXPECT_THAT(matrix_error(kGeneral + "2 2 1\n1 1 one\n"), HasSubstr("a.mtx:3: expected a finite value, not \"one\""));
  EXPECT_THAT(matrix_error(kGeneral + "2 2 1\n1 1 nan\n"), HasSubstr("a.mtx:3: expected a finite value"));
  EXPECT_THAT(matrix_error(kGeneral + "2 2 1\n1 1 1e999\n"), HasSubstr("a.mtx:3: expected a finite value"));
  EXPECT_THAT(matrix_error(kGeneral + "2 2 1\n1 1 1 0\n"), HasSubstr("a.mtx:3: expected the end of the line"));
  EXPECT_THAT(matrix_error(kGeneral + "2 2 1\n1.5 1 1\n"), HasSubstr("a.mtx:3: expected row"));
  EXPECT_THAT(matrix_error(kSymmetric + "2 2 1\n1 2 1\n"), HasSubstr("a.mtx:3: an entry above the diagonal"));
  EXPECT_THAT(array_error(std::string(kGeneral)), HasSubstr("expected array"));
  EXPECT_THAT(array_error(kArray + "2 1\n1\n\n"), HasSubstr("a.mtx:4: ends after 1 of 2"));
  EXPECT_THAT(array_error(kArray + "1 1\n1\n2\n"), HasSubstr("a.mtx:4: more than"));
  EXPECT_THAT(array_error(kArray + "1 1\ninf\n"), HasSubstr("a.mtx:3: expected a finite value"));
}

TEST_F(MatrixMarket, SizesThatLieTakeNoMemory) {
  EXPECT_THAT(matrix_error(kGeneral + "9 9 1000000000000000\n1 1 1\n"), HasSubstr("a.mtx:2: declares"));
  EXPECT_THAT(matrix_error(kGeneral + "2000000000 2000000000 1\n1 1 1.0\n"), HasSubstr("a.mtx:2: has 2000000000 rows"));
  EXPECT_THAT(matrix_error(kGeneral + "3000000000 3000000000 1\n1 1 1.0\n"), HasSubstr("a.mtx:2: has 3000000000 rows"));
  EXPECT_THAT(array_error(kArray + "1000000 1000000\n1\n"), HasSubstr("a.mtx:2: declares"));
  EXPECT_THAT(array_error(kArray + "4294967296 4294967296\n1\n"), HasSubstr("a.mtx:2: is 4294967296 x"));
}

TEST_F(MatrixMarket, MissingFiles) {
  EXPECT_THROW(read_matrix_market("/none/at/all.mtx"), InputError);
  EXPECT_THROW(read_matrix_market_array(fs::temp_directory_path()), InputError);
}

}  // namespace
}  // namespace gridiron
