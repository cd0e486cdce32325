// SPDX-License-Identifier: Apache-2.0
// What tests of .npy and .npz files cannot cover: shapes whose product exceeds 2⁶⁴, and the use of memory.
#include "support/npy_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "support/error.hpp"

namespace gridiron {
namespace {

std::string npy(const std::string& shape) {
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }\n";
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  return bytes + header;
}

/// The message about an array of this shape, of which `values` zeros arrive, from a stream of unknown size.
std::string message(const std::string& shape, size_t values, size_t* arrived = nullptr) {
  const std::string bytes = npy(shape) + std::string(8 * values, '\0');
  size_t at = 0;
  try {
    NpyReader array("a", [&](void* to, size_t count) {
      count = std::min(count, bytes.size() - at);
      std::memcpy(to, bytes.data() + at, count);
      at += count;
      return count;
    });
    array.for_each_part([&](std::span<const double> part) { *arrived += part.size(); });
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(NpyReader, ShapesPastAnyCountAreRefused) {
  EXPECT_EQ(message("(4, 4611686018427387904)", 0), "a has the shape (4, 4611686018427387904), which no file can hold");
}

TEST(NpyReader, OnlyWhatArrivesIsHandedOn) {
  size_t arrived = 0;
  EXPECT_EQ(message("(1000000000000,)", 5000, &arrived), "a ends before its 1000000000000 values");
  EXPECT_EQ(arrived, 4096u);
  arrived = 0;
  EXPECT_EQ(message("(50, 100)", 5000, &arrived), "no error");
  EXPECT_EQ(arrived, 5000u);
}

}  // namespace
}  // namespace gridiron
