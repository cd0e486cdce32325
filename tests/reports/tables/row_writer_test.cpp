// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/row_writer.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "support/context.hpp"
#include "support/error.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

void format_row(int64_t row, std::string& text) { text += std::to_string(row * row) + '\n'; }

TEST(RowWriter, WritesRowsInOrder) {
  const std::filesystem::path path = test::temporary("rows");
  for (const int threads : {1, 2, 5})
    for (const int64_t rows : {0, 1, 4095, 4096, 4097, 100000}) {
      const ThreadCount count(threads);
      std::string plain;
      for (int64_t row = 0; row < rows; ++row) format_row(row, plain);
      OutputFile file(path);
      write_rows(file, rows, format_row);
      file.commit();
      std::ostringstream text;
      text << std::ifstream(path).rdbuf();
      EXPECT_TRUE(text.str() == plain) << rows << " rows, " << threads << " threads";
    }
  std::filesystem::remove(path);
}

TEST(RowWriter, AFullDiskIsAResourceError) {
  for (const int threads : {1, 2, 5}) {
    const ThreadCount count(threads);
    OutputFile file("/dev/full");
    EXPECT_THROW(write_rows(file, 1000000, format_row), ResourceError) << threads << " threads";
  }
}

}  // namespace
}  // namespace gridiron
