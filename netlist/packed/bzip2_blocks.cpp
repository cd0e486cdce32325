// SPDX-License-Identifier: Apache-2.0
#include "netlist/packed/bzip2_blocks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cstring>
#include <string>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

namespace io = boost::iostreams;

constexpr uint64_t kBlockMark = 0x314159265359, kEndMark = 0x177245385090;
constexpr size_t kMarkBits = 48, kChecksumBits = 32;

/// `count` bits, at most 57, from bit `at` on; zeros beyond the end.
uint64_t bits(std::string_view data, size_t at, size_t count) {
  uint64_t word = 0;
  std::memcpy(&word, data.data() + at / 8, std::min<size_t>(8, data.size() - at / 8));
  static_assert(std::endian::native == std::endian::little);
  return __builtin_bswap64(word) << at % 8 >> (64 - count);
}

struct Mark {
  size_t at;
  bool is_end;
};

/// Whether a mark may begin in the byte before these two, whatever the bit: they lie within it.
std::array<bool, 1 << 16> pairs_within_marks() {
  std::array<bool, 1 << 16> pairs{};
  for (const uint64_t mark : {kBlockMark, kEndMark})
    for (int shift = 0; shift < 8; ++shift) pairs[mark >> (kMarkBits - 24 + shift) & 0xffff] = true;
  return pairs;
}

/// All of them, in order.
std::vector<Mark> marks_of(std::string_view data) {
  if (data.size() < kMarkBits / 8) return {};
  static const std::array<bool, 1 << 16> is_within_mark = pairs_within_marks();
  constexpr size_t kRange = size_t{1} << 18;
  const size_t starts = data.size() - kMarkBits / 8 + 1;
  std::vector<std::vector<Mark>> found((starts + kRange - 1) / kRange);
  parallel_tasks(std::ssize(found), [&](int64_t r) {
    const auto range = static_cast<size_t>(r);
    const auto byte = [&](size_t k) { return static_cast<unsigned char>(data[k]); };
    for (size_t k = range * kRange; k < std::min(starts, (range + 1) * kRange); ++k) {
      if (!is_within_mark[byte(k + 1) << 8 | byte(k + 2)]) continue;
      for (size_t bit = 8 * k; bit < 8 * k + 8; ++bit) {
        const uint64_t mark = bits(data, bit, kMarkBits);
        if (mark == kBlockMark || mark == kEndMark) found[range].push_back({bit, mark == kEndMark});
      }
    }
  });
  std::vector<Mark> marks;
  for (const std::vector<Mark>& some : found) marks.insert(marks.end(), some.begin(), some.end());
  return marks;
}

bool begins_stream(std::string_view data) {
  return data.size() > 3 && data.starts_with("BZh") && data[3] >= '1' && data[3] <= '9';
}

/// A block as a file of its own.
class OneBlockFile {
 public:
  OneBlockFile(std::string_view data, size_t begin, size_t end) {
    bytes_.reserve((end - begin) / 8 + 32);
    bytes_ = "BZh9";
    for (; begin + 56 <= end; begin += 56) append(bits(data, begin, 56), 56);
    for (; begin < end; ++begin) append(bits(data, begin, 1), 1);
    append(kEndMark, kMarkBits);
    append(bits(bytes_, 32 + kMarkBits, kChecksumBits), kChecksumBits);
    if (filled_ > 0) append(0, 8 - filled_);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void append(uint64_t value, size_t count) {
    if (filled_ == 0 && count == 56) {
      const uint64_t word = __builtin_bswap64(value << 8);
      bytes_.append(reinterpret_cast<const char*>(&word), 7);
      return;
    }
    while (count > 0) {
      const size_t some = std::min(count, 8 - filled_);
      byte_ = byte_ << some | (value >> (count - some) & ((1u << some) - 1));
      count -= some;
      filled_ += some;
      if (filled_ < 8) continue;
      bytes_ += static_cast<char>(byte_);
      byte_ = filled_ = 0;
    }
  }

  std::string bytes_;
  uint64_t byte_ = 0;
  size_t filled_ = 0;
};

UnpackedText unpack_block(std::string_view data, size_t begin, size_t end, UnpackingLimit& limit) {
  const OneBlockFile file(data, begin, end);
  UnpackedText text;
  size_t size = 0;
  try {
    io::filtering_streambuf<io::input> in;
    in.push(io::bzip2_decompressor());
    in.push(io::array_source(file.bytes().data(), file.bytes().size()));
    for (;;) {
      if (size == text.size()) text.resize(2 * size + 900'000);
      const std::streamsize got = in.sgetn(text.data() + size, static_cast<std::streamsize>(text.size() - size));
      if (got <= 0) break;
      limit.add(got);
      size += got;
    }
  } catch (const std::ios_base::failure& e) {
    throw DamagedPacking(e.what());
  }
  text.resize(size);
  return text;
}

}  // namespace

std::optional<Bzip2Blocks> Bzip2Blocks::find(std::string_view data) {
  Bzip2Blocks blocks(data);
  const std::vector<Mark> marks = marks_of(data);
  size_t m = 0, summed = 0;
  for (size_t at = 0; at < data.size();) {
    const size_t first = 8 * (at + 4);
    if (!begins_stream(data.substr(at)) || m == marks.size() || marks[m].at != first) return std::nullopt;
    for (; m < marks.size() && !marks[m].is_end; ++m)
      blocks.block_.push_back({marks[m].at, m + 1 < marks.size() ? marks[m + 1].at : 0});
    if (m == marks.size()) return std::nullopt;
    const size_t checksum = marks[m++].at + kMarkBits;
    if (checksum + kChecksumBits > 8 * data.size()) return std::nullopt;
    uint32_t sum = 0;
    for (; summed < blocks.block_.size(); ++summed)
      sum =
          std::rotl(sum, 1) ^ static_cast<uint32_t>(bits(data, blocks.block_[summed].begin + kMarkBits, kChecksumBits));
    if (sum != bits(data, checksum, kChecksumBits)) return std::nullopt;
    at = (checksum + kChecksumBits + 7) / 8;
  }
  return blocks;
}

size_t Bzip2Blocks::begin(size_t piece) const { return piece < block_.size() ? block_[piece].begin / 8 : data_.size(); }

UnpackedText Bzip2Blocks::unpack(size_t first, size_t last, UnpackingLimit& limit) const {
  std::vector<UnpackedText> texts(last - first);
  parallel_tasks(std::ssize(texts), [&](int64_t k) {
    const Block& block = block_[first + static_cast<size_t>(k)];
    texts[k] = unpack_block(data_, block.begin, block.end, limit);
  });
  return joined(texts);
}

}  // namespace gridiron
