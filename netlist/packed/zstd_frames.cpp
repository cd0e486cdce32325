// SPDX-License-Identifier: Apache-2.0
#include "netlist/packed/zstd_frames.hpp"

#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

bool is_skippable(std::string_view data) {
  return data.size() >= 4 && (static_cast<unsigned char>(data[0]) & 0xf0) == 0x50 &&
         data.substr(1, 3) == "\x2a\x4d\x18";
}

/// What the frames of `data` unpack to in all; nothing if one does not tell.
std::optional<size_t> told_size(std::string_view data) {
  size_t sum = 0;
  while (!data.empty()) {
    const unsigned long long size = ZSTD_getFrameContentSize(data.data(), data.size());
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > SIZE_MAX - sum)
      return std::nullopt;
    sum += size;
    data.remove_prefix(ZSTD_findFrameCompressedSize(data.data(), data.size()));
  }
  return sum;
}

/// Of what does not tell its size.
UnpackedText unpack_stream(std::string_view data, UnpackingLimit& limit) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
  if (!stream) throw std::bad_alloc();
  UnpackedText text;
  size_t size = 0;
  ZSTD_inBuffer in{data.data(), data.size(), 0};
  for (bool is_full = true; in.pos < in.size || is_full;) {
    if (text.size() - size < (size_t{1} << 17)) text.resize(std::max(2 * text.size(), 8 * data.size() + (1 << 20)));
    ZSTD_outBuffer out{text.data() + size, text.size() - size, 0};
    const size_t status = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(status)) throw DamagedPacking(ZSTD_getErrorName(status));
    limit.add(out.pos);
    size += out.pos;
    is_full = out.pos == out.size;
  }
  text.resize(size);
  return text;
}

}  // namespace

bool ZstdFrames::recognises(std::string_view data) {
  return data.starts_with("\x28\xb5\x2f\xfd") || is_skippable(data);
}

ZstdFrames::ZstdFrames(std::string_view data) : data_(data) {
  for (size_t at = 0; at < data.size();) {
    const bool is_skipped = is_skippable(data.substr(at));
    const size_t size = ZSTD_findFrameCompressedSize(data.data() + at, data.size() - at);
    if (ZSTD_isError(size)) throw DamagedPacking("it ends too early");
    at += size;
    if (!is_skipped || at == data.size()) begin_.push_back(at);
  }
}

UnpackedText ZstdFrames::unpack(size_t first, size_t last, UnpackingLimit& limit) const {
  const size_t count = last - first;
  const auto frame = [&](size_t k) {
    return data_.substr(begin_[first + k], begin_[first + k + 1] - begin_[first + k]);
  };
  std::vector<size_t> at(count + 1, 0);
  bool all_tell = true;
  for (size_t k = 0; k < count && all_tell; ++k) {
    const std::optional<size_t> size = told_size(frame(k));
    all_tell = size.has_value();
    if (size && __builtin_add_overflow(at[k], *size, &at[k + 1])) throw UnpackingLimit::Exceeded();
  }
  if (!all_tell) {
    std::vector<UnpackedText> texts(count);
    parallel_tasks(static_cast<int64_t>(count), [&](int64_t k) { texts[k] = unpack_stream(frame(k), limit); });
    return joined(texts);
  }
  limit.add(at[count]);
  UnpackedText text(at[count]);
  parallel_tasks(static_cast<int64_t>(count), [&](int64_t k) {
    const std::string_view packed = frame(k);
    const size_t size = ZSTD_decompress(text.data() + at[k], at[k + 1] - at[k], packed.data(), packed.size());
    if (ZSTD_isError(size)) throw DamagedPacking(ZSTD_getErrorName(size));
  });
  return text;
}

}  // namespace gridiron
