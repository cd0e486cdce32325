// SPDX-License-Identifier: Apache-2.0
// The checksum of an input is that of what was read, whatever becomes of the file.
#include "netlist/source_checksum.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/checksum.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// So large that it is mapped.
std::string large(char c) { return "* " + std::string(size_t{2} << 20, c) + "\n"; }

class SourceChecksum : public testing::Test {
 protected:
  ~SourceChecksum() override { std::filesystem::remove(path_); }
  std::string path_ = test::temporary("checksum.sp");
};

TEST_F(SourceChecksum, IsThatOfSha256sum) {
  write(path_, "abc");
  EXPECT_EQ(sha256_of(*SourceText::open(path_)), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_F(SourceChecksum, OfWhatWasRead) {
  for (const std::string& text : {std::string("* t\n"), large('a')}) {
    write(path_, text);
    EXPECT_EQ(sha256_of(*SourceText::open(path_)), sha256_of(text));
    const auto asked = SourceText::open(path_), late = SourceText::open(path_);
    EXPECT_EQ(sha256_of(*asked), sha256_of(text));
    write(path_ + ".new", "* another deck\n");
    std::filesystem::rename(path_ + ".new", path_);
    EXPECT_EQ(sha256_of(*asked), sha256_of(text));
    EXPECT_EQ(sha256_of(*late), text.size() < 10 ? sha256_of(text) : "") << "a mapped file is another one now";
  }
}

TEST_F(SourceChecksum, OfSeveralPieces) {
  std::string text = "* ";
  for (size_t k = 0; text.size() < (size_t{17} << 20); ++k) text += static_cast<char>('a' + k * k % 23);
  write(path_, text + "\n");
  EXPECT_EQ(sha256_of(*SourceText::open(path_)), sha256_of(text + "\n"));
}

TEST_F(SourceChecksum, NoneOfAMappedFileThatWasWrittenTo) {
  write(path_, large('a'));
  const auto text = SourceText::open(path_);
  std::fstream(path_, std::ios::in | std::ios::out).seekp(100).put('b');
  EXPECT_EQ(sha256_of(*text), "");
}

TEST_F(SourceChecksum, OfPackedBytesAsTheyWere) {
  // gzip -n of "* t\n", by hand: header, a stored block, CRC-32 and size.
  const char kPacked[] = "\x1f\x8b\x08\0\0\0\0\0\0\x03\x01\x04\0\xfb\xff* t\n";
  std::string packed(kPacked, sizeof kPacked - 1);
  const uint32_t crc = 0x7d00834a;
  for (const uint32_t word : {crc, uint32_t{4}})
    for (int k = 0; k < 4; ++k) packed += static_cast<char>(word >> (8 * k));
  write(path_, packed);
  const auto text = SourceText::open(path_);
  ASSERT_EQ(text->text(), "* t\n");
  std::filesystem::remove(path_);
  EXPECT_EQ(sha256_of(*text), sha256_of(packed));
}

}  // namespace
}  // namespace gridiron
