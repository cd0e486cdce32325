// SPDX-License-Identifier: Apache-2.0
#include "support/npy_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include "support/error_text.hpp"
#include "support/number_of.hpp"

namespace gridiron {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kLongestHeader = 1 << 16;
constexpr size_t kLongestString = 1 << 16;  // characters

std::string_view value_after(std::string_view dictionary, std::string_view key) {
  const size_t at = dictionary.find(key);
  if (at == std::string_view::npos) return {};
  std::string_view rest = dictionary.substr(at + key.size());
  while (!rest.empty() && (rest.front() == ':' || rest.front() == ' ')) rest.remove_prefix(1);
  return rest;
}

/// Appends a Unicode code point as UTF-8; false when there is no such character.
bool append_utf8(std::string& text, uint32_t c) {
  if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return false;
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xC0 | c >> 6);
    tail(0);
  } else if (c < 0x10000) {
    text += static_cast<char>(0xE0 | c >> 12);
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xF0 | c >> 18);
    tail(12), tail(6), tail(0);
  }
  return true;
}

}  // namespace

std::string text_of(std::span<const int64_t> shape) {
  std::string text;
  for (const int64_t size : shape) text += fmt::format("{}{}", text.empty() ? "" : ", ", size);
  return fmt::format("({})", text);
}

NpyReader::NpyReader(std::string name, Read read, uint64_t size)
    : name_(std::move(name)), read_(std::move(read)), size_(size) {
  read_header();
}

void NpyReader::fail(std::string_view what) const { throw input_error("{} {}", name_, what); }

bool NpyReader::fill(void* to, size_t bytes) {
  const size_t got = read_(to, bytes);
  taken_ += got;
  return got == bytes;
}

void NpyReader::read_header() {
  std::array<unsigned char, 8> start{};
  const bool is_npy = fill(start.data(), start.size()) &&
                      std::string_view(reinterpret_cast<const char*>(start.data()), kMagic.size()) == kMagic;
  if (!is_npy || start[6] < 1 || start[6] > 3) fail("is not a .npy file; write it with numpy.save()");
  std::array<unsigned char, 4> length{};
  if (!fill(length.data(), start[6] == 1 ? 2 : 4)) fail("ends within its header");
  const size_t size = length[0] | length[1] << 8 | length[2] << 16 | size_t{length[3]} << 24;
  std::string dictionary(std::min(size, kLongestHeader), '\0');
  if (size > kLongestHeader || !fill(dictionary.data(), size)) fail("ends within its header");
  if (!parse(dictionary)) fail("has a header that cannot be read; write it with numpy.save()");
}

/// The Python dictionary `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`, parsed only as far as needed.
bool NpyReader::parse(std::string_view dictionary) {
  const std::string_view type = value_after(dictionary, "'descr'"), order = value_after(dictionary, "'fortran_order'");
  std::string_view shape = value_after(dictionary, "'shape'");
  if (type.size() < 2 || type[0] != '\'' || order.empty() || shape.empty() || shape[0] != '(') return false;
  type_ = type.substr(1, type.find('\'', 1) - 1);
  is_fortran_ = order.starts_with("True");
  shape.remove_prefix(1);
  while (true) {
    while (!shape.empty() && (shape.front() == ' ' || shape.front() == ',')) shape.remove_prefix(1);
    if (shape.empty()) return false;
    if (shape.front() == ')') return true;
    int64_t size = 0;
    const auto [end, error] = std::from_chars(shape.data(), shape.data() + shape.size(), size);
    if (error != std::errc{} || size < 0) return false;
    shape_.push_back(size);
    shape.remove_prefix(end - shape.data());
  }
}

uint64_t NpyReader::item_count(uint64_t item_bytes) const {
  uint64_t count = 1;
  for (const int64_t size : shape_)
    if (__builtin_mul_overflow(count, static_cast<uint64_t>(size), &count))
      fail(fmt::format("has the shape {}, which no file can hold", shape_text()));
  uint64_t bytes = 0;
  if (size_ != kUnknownSize && (__builtin_mul_overflow(count, item_bytes, &bytes) || bytes > size_ - taken_))
    fail(fmt::format("ends before its {} values", count));
  return count;
}

void NpyReader::expect_end(uint64_t count) {
  char next = 0;
  if (fill(&next, 1)) fail(fmt::format("continues after its {} values", count));
}

template <class T>
void NpyReader::parts_of(const std::function<void(std::span<const double>)>& take) {
  const uint64_t count = item_count(sizeof(T));
  std::array<T, 4096> some;
  std::array<double, some.size()> as_double;
  for (uint64_t done = 0; done < count;) {
    const size_t now = std::min<uint64_t>(some.size(), count - done);
    if (!fill(some.data(), now * sizeof(T))) fail(fmt::format("ends before its {} values", count));
    std::copy_n(some.begin(), now, as_double.begin());
    take(std::span(as_double).first(now));
    done += now;
  }
  expect_end(count);
}

void NpyReader::for_each_part(const std::function<void(std::span<const double>)>& take) {
  if (type_ != "<f8" && type_ != "<f4") fail(fmt::format("holds {:?}; expected float64 or float32", type_));
  type_ == "<f8" ? parts_of<double>(take) : parts_of<float>(take);
}

std::vector<double> NpyReader::numbers() {
  std::vector<double> values;
  const auto take = [&](std::span<const double> part) { values.insert(values.end(), part.begin(), part.end()); };
  if (type_ == "<f8")
    parts_of<double>(take);
  else if (type_ == "<f4")
    parts_of<float>(take);
  else if (type_ == "<i8")
    parts_of<int64_t>(take);
  else if (type_ == "<i4")
    parts_of<int32_t>(take);
  else if (type_ == "<u4")
    parts_of<uint32_t>(take);
  else if (type_ == "<i2")
    parts_of<int16_t>(take);
  else if (type_ == "<u2")
    parts_of<uint16_t>(take);
  else if (type_ == "|i1")
    parts_of<int8_t>(take);
  else if (type_ == "|u1")
    parts_of<uint8_t>(take);
  else
    fail(fmt::format("holds {:?}; expected numbers: float64, float32, or integers", type_));
  if (!is_fortran_ || shape_.size() < 2) return values;
  if (shape_.size() > 2) fail(fmt::format("has the shape {}; expected at most two axes", shape_text()));
  std::vector<double> by_rows(values.size());
  const size_t rows = shape_[0], columns = shape_[1];
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = 0; j < columns; ++j) by_rows[i * columns + j] = values[j * rows + i];
  return by_rows;
}

std::vector<std::string> NpyReader::strings() {
  const bool is_unicode = type_.starts_with("<U"), is_bytes = type_.starts_with("|S");
  const auto length = is_unicode || is_bytes ? number_of<size_t>(type_.substr(2)) : std::nullopt;
  if (!length) fail(fmt::format("holds {:?}; expected strings, as numpy.array(list_of_str) makes them", type_));
  if (shape_.size() != 1) fail(fmt::format("has the shape {}; expected one axis", shape_text()));
  const size_t characters = *length;
  if (characters > kLongestString)
    fail(fmt::format("holds strings of {} characters; no name is that long", characters));
  const size_t width = is_unicode ? 4 : 1;
  const uint64_t count = item_count(characters * width);
  if (characters == 0 && count > 0) fail("holds empty strings only");

  std::vector<std::string> items;
  std::vector<char> raw(characters * width);
  for (uint64_t i = 0; i < count; ++i) {
    if (!fill(raw.data(), raw.size())) fail(fmt::format("ends before its {} values", count));
    std::string& item = items.emplace_back();
    if (is_bytes) item.assign(raw.begin(), raw.end());
    for (size_t c = 0; is_unicode && c < characters; ++c) {
      uint32_t code = 0;
      std::memcpy(&code, raw.data() + 4 * c, 4);
      if (!append_utf8(item, code))
        fail(fmt::format("holds the code point {} at item {}, which is not a character", code, i));
    }
    while (!item.empty() && item.back() == '\0') item.pop_back();
  }
  expect_end(count);
  return items;
}

}  // namespace gridiron
