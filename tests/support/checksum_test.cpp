// SPDX-License-Identifier: Apache-2.0
#include "support/checksum.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <fstream>

#include "tests/paths.hpp"

namespace gridiron {
namespace {

constexpr size_t kBlock = BlockSha256::kBlock;

/// Bytes of which no two blocks are alike.
std::string bytes_of(size_t count) {
  std::string bytes(count, '\0');
  for (size_t k = 0; k < count; ++k) bytes[k] = static_cast<char>(k * 2654435761u >> 13);
  return bytes;
}

std::string bytes_from(const std::string& hexadecimal) {
  std::string bytes;
  for (size_t k = 0; k < hexadecimal.size(); k += 2)
    bytes += static_cast<char>(std::stoi(hexadecimal.substr(k, 2), nullptr, 16));
  return bytes;
}

/// By the definition.
std::string expected(const std::string& bytes) {
  if (bytes.size() <= kBlock) return sha256_of(bytes);
  std::string digests;
  for (size_t at = 0; at < bytes.size(); at += kBlock) digests += bytes_from(sha256_of(bytes.substr(at, kBlock)));
  return sha256_of(digests);
}

TEST(Checksum, IsThatOfSha256sum) {
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Checksum, OfBlocksIsThatOfTheirDigests) {
  const int threads = omp_get_max_threads();
  for (const size_t size : {size_t{0}, size_t{3}, kBlock - 1, kBlock, kBlock + 1, 2 * kBlock, 5 * kBlock + 7}) {
    const std::string bytes = bytes_of(size);
    for (const size_t piece : {size_t{1000}, kBlock / 3, kBlock, 3 * kBlock}) {
      omp_set_num_threads(piece == kBlock ? 1 : 3);
      BlockSha256 sum;
      for (size_t at = 0; at < size; at += piece) sum.add(std::string_view(bytes).substr(at, piece));
      EXPECT_EQ(sum.finish(), expected(bytes)) << size << " bytes by " << piece;
    }
  }
  omp_set_num_threads(threads);
}

TEST(Checksum, OfAFileIsThatOfItsBytes) {
  const std::filesystem::path path = test::temporary("summed");
  for (const size_t size : {size_t{10}, 2 * kBlock + 1}) {
    const std::string bytes = bytes_of(size);
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_EQ(sum_of_file(path).sha256, sha256_of(bytes));
    EXPECT_EQ(block_sum_of_file(path).sha256, expected(bytes));
    EXPECT_EQ(block_sum_of_file(path).bytes, static_cast<int64_t>(size));
  }
  std::filesystem::remove(path);
  EXPECT_FALSE(block_sum_of_file(path).is_read);
}

}  // namespace
}  // namespace gridiron
