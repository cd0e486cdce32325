// SPDX-License-Identifier: Apache-2.0
#include "netlist/packed/packed_text.hpp"

#include <algorithm>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>

#include "support/error_text.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

namespace io = boost::iostreams;

/// Netlists compress 10 to 30 times; a higher ratio than this is malicious or a mistake.
constexpr size_t kLargestRatio = 2000;
constexpr size_t kAlwaysAllowed = size_t{64} << 20;

size_t most_unpacked(size_t packed) { return std::max(kAlwaysAllowed, kLargestRatio * packed); }

}  // namespace

UnpackedText joined(std::vector<UnpackedText>& pieces) {
  if (pieces.size() == 1) return std::move(pieces[0]);
  std::vector<size_t> at(pieces.size() + 1, 0);
  for (size_t k = 0; k < pieces.size(); ++k) at[k + 1] = at[k] + pieces[k].size();
  UnpackedText text(at.back());
  parallel_tasks(std::ssize(pieces), [&](int64_t k) {
    std::ranges::copy(pieces[k].view(), text.data() + at[k]);
    pieces[k] = {};
  });
  return text;
}

struct PackedBytes::Format {
  std::string_view name;
  bool (*recognises)(std::string_view data);
  void (*push)(io::filtering_streambuf<io::input>&) = nullptr;
  std::string_view end = {};  ///< for a decompressor that accepts a truncated file
};

constexpr PackedBytes::Format PackedBytes::kFormats[] = {
    {"gzip", [](auto data) { return data.starts_with("\x1f\x8b"); },
     [](auto& in) { in.push(io::gzip_decompressor()); }},
    {"bzip2", [](auto data) { return data.starts_with("BZh"); }, [](auto& in) { in.push(io::bzip2_decompressor()); }},
    {"xz", [](auto data) { return data.starts_with("\xfd\x37zXZ"); },
     [](auto& in) { in.push(io::lzma_decompressor()); }, "YZ"},
    {"zstd", ZstdFrames::recognises},
};

std::optional<PackedBytes> PackedBytes::of(std::string_view data, const std::string& path) {
  const Format* const format = std::ranges::find_if(kFormats, [&](const Format& f) { return f.recognises(data); });
  if (format == std::end(kFormats)) return std::nullopt;
  PackedBytes packed;
  packed.data_ = data;
  packed.path_ = path;
  packed.format_ = format;
  packed.explain_failures([&] {
    if (format->name == "zstd") packed.pieces_.emplace<ZstdFrames>(data);
    if (format->name == "bzip2")
      if (auto blocks = Bzip2Blocks::find(data)) packed.pieces_ = *std::move(blocks);
  });
  return packed;
}

size_t PackedBytes::pieces() const {
  if (const auto* const frames = std::get_if<ZstdFrames>(&pieces_)) return frames->pieces();
  if (const auto* const blocks = std::get_if<Bzip2Blocks>(&pieces_)) return blocks->pieces();
  return 1;
}

size_t PackedBytes::begin(size_t piece) const {
  if (const auto* const frames = std::get_if<ZstdFrames>(&pieces_)) return frames->begin(piece);
  if (const auto* const blocks = std::get_if<Bzip2Blocks>(&pieces_)) return blocks->begin(piece);
  return piece == 0 ? 0 : data_.size();
}

UnpackedText PackedBytes::unpack(size_t first, size_t last) const {
  UnpackedText text;
  explain_failures([&] {
    UnpackingLimit limit(most_unpacked(begin(last) - begin(first)));
    if (const auto* const frames = std::get_if<ZstdFrames>(&pieces_)) {
      text = frames->unpack(first, last, limit);
    } else if (const auto* const blocks = std::get_if<Bzip2Blocks>(&pieces_)) {
      text = blocks->unpack(first, last, limit);
    } else {
      text = unpack_stream();
    }
  });
  return text;
}

UnpackedText PackedBytes::unpack_stream() const {
  if (!data_.ends_with(format_->end)) throw DamagedPacking("it ends too early");
  UnpackingLimit limit(most_unpacked(data_.size()));
  UnpackedText text;
  size_t size = 0;
  try {
    io::filtering_streambuf<io::input> in;
    format_->push(in);
    in.push(io::array_source(data_.data(), data_.size()));
    for (;;) {
      if (text.size() - size < (size_t{1} << 20)) text.resize(std::max(2 * text.size(), 8 * data_.size() + (2 << 20)));
      const std::streamsize got = in.sgetn(text.data() + size, std::streamsize{1} << 20);
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

template <class Unpack>
void PackedBytes::explain_failures(Unpack&& unpack) const {
  try {
    unpack();
  } catch (const DamagedPacking& e) {
    throw input_error("{}: damaged or truncated {} file ({}); fetch or pack it again", path_, format_->name, e.what());
  } catch (const UnpackingLimit::Exceeded&) {
    throw input_error(
        "{}: unpacks to more than {} times its size, which no netlist does; unpack it "
        "yourself if you trust it",
        path_, kLargestRatio);
  }
}

}  // namespace gridiron
