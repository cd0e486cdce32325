// SPDX-License-Identifier: Apache-2.0
#include "support/zstd_writer.hpp"

#include <gtest/gtest.h>
#include <omp.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/error.hpp"
#include "support/output_file.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

constexpr size_t kFrame = size_t{1} << 20;

/// Lines of a solution, of `size` bytes in all.
std::string text_of(size_t size) {
  std::string text;
  for (int node = 0; text.size() < size; ++node) text += "n1_" + std::to_string(node * 7919 % 1000003) + "_0 1.79\n";
  text.resize(size);
  return text;
}

/// `text`, written in pieces of `piece` bytes.
std::string packed(std::string_view text, size_t piece) {
  std::string bytes;
  ZstdWriter zstd([&](std::string_view some) { bytes += some; });
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) zstd.write(text.substr(0, piece));
  zstd.finish();
  return bytes;
}

std::string unpacked(const std::string& bytes, size_t most) {
  std::string text(most + 1, '\0');
  const size_t size = ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size());
  EXPECT_FALSE(ZSTD_isError(size)) << ZSTD_getErrorName(size);
  text.resize(ZSTD_isError(size) ? 0 : size);
  return text;
}

class ZstdWriterSizes : public testing::TestWithParam<size_t> {};

TEST_P(ZstdWriterSizes, EveryToolReadsTheSameBytesOfAnyNumberOfThreads) {
  const std::string text = text_of(GetParam());
  const int threads = omp_get_max_threads();
  std::string of_one;
  for (const int t : {1, 2, 3}) {
    omp_set_num_threads(t);
    const std::string bytes = packed(text, t == 1 ? text.size() : 77777 * static_cast<size_t>(t));
    if (t == 1) of_one = bytes;
    EXPECT_EQ(bytes, of_one) << t;
  }
  omp_set_num_threads(threads);
  EXPECT_EQ(unpacked(of_one, text.size()), text);

  size_t frames = 0, known = 0;
  for (std::string_view rest = of_one; !rest.empty(); ++frames) {
    known += ZSTD_getFrameContentSize(rest.data(), rest.size());
    rest.remove_prefix(ZSTD_findFrameCompressedSize(rest.data(), rest.size()));
  }
  EXPECT_EQ(frames, std::max<size_t>(1, (text.size() + kFrame - 1) / kFrame));
  EXPECT_EQ(known, text.size());
}

INSTANTIATE_TEST_SUITE_P(Around, ZstdWriterSizes,
                         testing::Values(0, 1, kFrame - 1, kFrame, kFrame + 1, 32 * kFrame, 33 * kFrame + 5));

TEST(ZstdWriter, FilesAreCompressedAsTheirNamesSay) {
  const std::filesystem::path folder = test::temporary("zstd");
  std::filesystem::create_directories(folder);
  const std::string text = text_of(3 * kFrame / 2);
  write_file(folder / "a.csv.zst", text);
  std::ostringstream bytes;
  bytes << std::ifstream(folder / "a.csv.zst", std::ios::binary).rdbuf();
  EXPECT_EQ(bytes.str(), packed(text, text.size()));
  EXPECT_LT(bytes.str().size(), text.size() / 2);

  std::filesystem::create_directories(folder / "b.csv.zst" / "in the way");
  EXPECT_THROW(write_file(folder / "b.csv.zst", text), InputError);
  EXPECT_THROW(write_file(folder / "none" / "c.csv.zst", text), InputError);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 2);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace gridiron
