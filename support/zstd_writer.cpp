// SPDX-License-Identifier: Apache-2.0
#include "support/zstd_writer.hpp"

#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr size_t kFrameBytes = size_t{1} << 20;
constexpr size_t kFramesAtOnce = 32;
constexpr int kLevel = 1;  // 1.7 times as fast as 3 on tables of numbers, and smaller

std::string frame_of(std::string_view text) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  const size_t size = ZSTD_compress2(context.get(), frame.data(), frame.size(), text.data(), text.size());
  if (ZSTD_isError(size)) throw std::bad_alloc();  // all that can fail where there is room
  frame.resize(size);
  return frame;
}

}  // namespace

void ZstdWriter::write(std::string_view text) {
  text_.append(text);
  if (text_.size() >= kFramesAtOnce * kFrameBytes) compress(text_.size() / kFrameBytes);
}

void ZstdWriter::finish() {
  if (!text_.empty() || is_empty_) compress(std::max<size_t>(1, (text_.size() + kFrameBytes - 1) / kFrameBytes));
}

void ZstdWriter::compress(size_t count) {
  std::vector<std::string> frames(count);
  const std::string_view text = text_;
  parallel_tasks(static_cast<int64_t>(count), [&](int64_t f) {
    const size_t frame = f;
    frames[frame] = frame_of(text.substr(frame * kFrameBytes, kFrameBytes));
  });
  for (const std::string& frame : frames) take_(frame);
  text_.erase(0, std::min(text_.size(), count * kFrameBytes));
  is_empty_ = false;
}

bool names_zstd(std::string_view path) { return path.ends_with(".zst"); }

}  // namespace gridiron
