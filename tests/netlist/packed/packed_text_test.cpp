// SPDX-License-Identifier: Apache-2.0
// Compressed decks, in pieces that are unpacked apart from each other.
#include "netlist/packed/packed_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

#include "netlist/deck/deck_file.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"
#include "support/zstd_writer.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

/// Resistors of different values, of at least `size` bytes; bzip2 takes 900 000 to a block, a frame has 1 MiB.
std::string deck_of(size_t size) {
  std::mt19937 random(1);
  std::string deck = "* chain\nv1 n0 0 1\n";
  for (int i = 0; deck.size() < size; ++i)
    deck += "r" + std::to_string(i) + " n" + std::to_string(i) + " n" + std::to_string(i + 1) + " " +
            std::to_string(random() % 100000 + 1) + "\n";
  return deck;
}

class Packed : public testing::Test {
 protected:
  Packed() : folder_(test::temporary("packed")) { std::filesystem::create_directories(folder_); }
  ~Packed() override { std::filesystem::remove_all(folder_); }

  std::string bytes_of(const std::string& name, std::string_view text) const {
    DeckFile file(folder_ / name);
    file.write(text);
    file.commit();
    std::ostringstream bytes;
    bytes << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return bytes.str();
  }
  /// That it is read alike, by any number of threads, as a whole and piece by piece.
  static void expect_unpacks(const std::string& bytes, std::string_view text) {
    const auto packed = PackedBytes::of(bytes, "deck");
    ASSERT_TRUE(packed);
    const int threads = omp_get_max_threads();
    for (const int t : {1, 2, 3}) {
      omp_set_num_threads(t);
      EXPECT_EQ(packed->unpack().view(), text) << t;
    }
    omp_set_num_threads(threads);
    EXPECT_EQ(packed->begin(packed->pieces()), bytes.size());
  }
  static void expect_unpacks_by_pieces(const std::string& bytes, std::string_view text) {
    expect_unpacks(bytes, text);
    const auto packed = PackedBytes::of(bytes, "deck");
    std::string joined;
    for (size_t k = 0; k < packed->pieces(); ++k) joined += packed->unpack(k, k + 1).view();
    EXPECT_EQ(joined, text);
  }
  static std::string error_of(const std::string& bytes) {
    try {
      PackedBytes::of(bytes, "deck").value().unpack();
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  }

  std::filesystem::path folder_;
};

std::string frames_of(std::string_view text) {
  std::string bytes;
  ZstdWriter zstd([&](std::string_view some) { bytes += some; });
  zstd.write(text);
  zstd.finish();
  return bytes;
}

/// As zstd writes what it gets from a pipe.
std::string frame_without_size(std::string_view text) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_contentSizeFlag, 0);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  frame.resize(ZSTD_compress2(context.get(), frame.data(), frame.size(), text.data(), text.size()));
  EXPECT_EQ(ZSTD_getFrameContentSize(frame.data(), frame.size()), ZSTD_CONTENTSIZE_UNKNOWN);
  return frame;
}

/// What pzstd puts before each frame.
const std::string kSkipped("\x50\x2a\x4d\x18\x04\0\0\0abcd", 12);

TEST_F(Packed, FramesOfZstd) {
  const std::string text = deck_of(5 << 19);
  const std::string frames = frames_of(text);
  EXPECT_EQ(PackedBytes::of(frames, "deck")->pieces(), 3u);
  expect_unpacks_by_pieces(frames, text);
  expect_unpacks_by_pieces(kSkipped + frames + kSkipped + kSkipped + frame_without_size(text) + kSkipped, text + text);
  expect_unpacks_by_pieces(frame_without_size(text), text);
  expect_unpacks(frames_of(""), "");
  expect_unpacks(kSkipped, "");
  expect_unpacks_by_pieces(frames_of("") + frames + frames_of(""), text);
}

TEST_F(Packed, BlocksOfBzip2) {
  const std::string text = deck_of(3 << 20), some = "* one more\n";
  const std::string bytes = bytes_of("deck.bz2", text), none = bytes_of("none.bz2", ""),
                    few = bytes_of("few.bz2", some);
  EXPECT_EQ(PackedBytes::of(bytes, "deck")->pieces(), 4u);
  expect_unpacks_by_pieces(bytes, text);
  expect_unpacks_by_pieces(few, some);
  expect_unpacks(none, "");
  expect_unpacks_by_pieces(few + bytes + none + bytes + few, some + text + text + some);  // as of pbzip2
  // Runs of equal bytes are packed before blocks are cut, so that one block may have much text.
  const std::string blanks(20'000'000, ' ');
  expect_unpacks_by_pieces(bytes_of("blanks.bz2", blanks + text), blanks + text);
}

TEST_F(Packed, OtherFilesAreOnePiece) {
  const std::string text = deck_of(2 << 20);
  for (const char* name : {"deck.gz", "deck.xz"}) {
    const std::string bytes = bytes_of(name, text);
    EXPECT_EQ(PackedBytes::of(bytes, "deck")->pieces(), 1u);
    expect_unpacks_by_pieces(bytes, text);
  }
  for (const char* plain : {"", "B", "* deck", "\x28\xb5", "R1 a b 1\n"})
    EXPECT_FALSE(PackedBytes::of(plain, "deck")) << plain;
}

/// The first fields of a block are a bit for each byte value that it has: those of these values are the mark.
std::string text_with_mark(uint64_t mark) {
  std::string text;
  for (int bit = 0; bit < 48; ++bit)
    if (mark >> (47 - bit) & 1) text += static_cast<char>(' ' + bit);
  for (int k = 0; k < 1000; ++k) text += text[static_cast<size_t>(k * k % 17)];
  return text;
}

int marks_in(const std::string& bytes, uint64_t mark) {
  int count = 0;
  uint64_t last = 0;
  for (const char byte : bytes)
    for (int bit = 7; bit >= 0; --bit) {
      last = (last << 1 | (static_cast<unsigned char>(byte) >> bit & 1)) & 0xffffffffffff;
      count += last == mark;
    }
  return count;
}

TEST_F(Packed, BitsThatLookLikeAMarkAreNoBlock) {
  const std::string like_block = text_with_mark(0x314159265359), like_end = text_with_mark(0x177245385090);
  const std::string bytes = bytes_of("block.bz2", like_block);
  EXPECT_EQ(marks_in(bytes, 0x314159265359), 2);
  EXPECT_EQ(PackedBytes::of(bytes, "deck")->pieces(), 1u);
  expect_unpacks(bytes, like_block);
  const std::string other = bytes_of("end.bz2", like_end);
  EXPECT_EQ(PackedBytes::of(other, "deck")->pieces(), 1u);
  expect_unpacks(other, like_end);
  const std::string text = deck_of(2 << 20);
  expect_unpacks(bytes + bytes_of("deck.bz2", text) + other, like_block + text + like_end);
}

TEST_F(Packed, DamagedAndTruncatedFilesAreErrors) {
  const std::string text = deck_of(3 << 20);
  for (const auto& [bytes, kind] : {std::pair(frames_of(text), "zstd"),
                                    {frame_without_size(text), "zstd"},
                                    {bytes_of("deck.bz2", text), "bzip2"}}) {
    const std::string message = std::string("deck: damaged or truncated ") + kind + " file (";
    for (const size_t cut : {bytes.size() - 1, bytes.size() - 5, bytes.size() / 2, size_t{5}})
      EXPECT_THAT(error_of(bytes.substr(0, cut)), HasSubstr(message)) << cut;
    for (const size_t at : {bytes.size() / 5, bytes.size() / 2, bytes.size() - 20}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
      EXPECT_THAT(error_of(damaged), HasSubstr(message)) << at;
    }
  }
  std::string wrong_sum = bytes_of("deck.bz2", text);
  wrong_sum[wrong_sum.size() - 3] = static_cast<char>(wrong_sum[wrong_sum.size() - 3] ^ 0x10);
  EXPECT_THAT(error_of(wrong_sum), HasSubstr("damaged or truncated bzip2 file"));
  EXPECT_EQ(PackedBytes::of(wrong_sum, "deck")->pieces(), 1u) << "whose blocks are good, one by one";
  EXPECT_THAT(error_of(frames_of(text) + "more"), HasSubstr("damaged or truncated zstd file"));
  EXPECT_THAT(error_of(frames_of(std::string(70 << 20, ' '))), HasSubstr("deck: unpacks to more than"));
  EXPECT_THAT(error_of(frame_without_size(std::string(70 << 20, ' '))), HasSubstr("deck: unpacks to more than"));
}

std::string one_frame_of(std::string_view text) {
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), 1));
  return frame;
}

/// What counts is all that is unpacked at once, once.
TEST_F(Packed, WhatFramesUnpackToIsLimited) {
  const std::string much(45 << 20, ' '), some(15 << 20, ' ');
  expect_unpacks(one_frame_of(much) + frame_without_size(some), much + some);
  EXPECT_THAT(error_of(one_frame_of(much) + frame_without_size(much)), HasSubstr("deck: unpacks to more than"));
  const std::string bombs = one_frame_of(much + much) + one_frame_of(much + much);
  EXPECT_THROW(PackedBytes::of(bombs, "deck")->unpack(0, 1), InputError);
  EXPECT_THROW(PackedBytes::of(bombs, "deck")->unpack(1, 2), InputError);
}

/// The same circuit and the same places of errors.
TEST_F(Packed, DecksReadLikePlainOnes) {
  const std::string good = deck_of(3 << 20), bad = good + "r1x n1\n";
  const auto of_plain = read_netlist_text(good, "deck", {});
  const auto error = [](const std::function<void()>& read) -> std::string {
    try {
      read();
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  };
  const std::string expected = error([&] { read_netlist_text(bad, "deck", {}); });
  EXPECT_THAT(expected, HasSubstr("deck:"));
  for (const char* extension : {".zst", ".bz2", ".gz", ".xz"}) {
    const std::string path = (folder_ / "deck").string() + extension;
    bytes_of(std::string("deck") + extension, good);
    const Circuit circuit = read_netlist(path, {});
    EXPECT_EQ(circuit.resistors.value, of_plain.resistors.value) << extension;
    EXPECT_EQ(circuit.resistors.a, of_plain.resistors.a) << extension;
    EXPECT_EQ(circuit.nodes.size(), of_plain.nodes.size()) << extension;
    bytes_of(std::string("deck") + extension, bad);
    EXPECT_EQ(error([&] { read_netlist(path, {}); }), path + expected.substr(4)) << extension;
  }
}

}  // namespace
}  // namespace gridiron
