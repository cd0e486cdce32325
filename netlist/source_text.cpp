// SPDX-License-Identifier: Apache-2.0
#include "netlist/source_text.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <zstd.h>

#include <algorithm>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/mapped_file.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <numeric>
#include <optional>
#include <utility>

#include "netlist/packed_text.hpp"
#include "netlist/source_checksum.hpp"
#include "support/checksum.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

namespace io = boost::iostreams;
namespace fs = std::filesystem;

/// Netlists compress 10 to 30 times; a higher ratio than this is malicious or a mistake.
constexpr std::size_t kLargestRatio = 2000;
constexpr std::size_t kAlwaysAllowed = std::size_t{64} << 20;

/// Smaller files are read instead: each mapping costs a file handle, and a deck may include thousands of files.
constexpr std::uintmax_t kWorthMapping = std::uintmax_t{1} << 20;

struct Packing {
  std::string_view name, magic;
  void (*push)(io::filtering_streambuf<io::input>&);
  bool (*is_complete)(std::string_view data);  ///< for formats whose decompressor accepts a truncated file
};

bool whole(std::string_view) { return true; }

bool xz_is_complete(std::string_view data) { return data.ends_with("YZ"); }

bool zstd_is_complete(std::string_view data) {
  while (!data.empty()) {
    const std::size_t frame = ZSTD_findFrameCompressedSize(data.data(), data.size());
    if (ZSTD_isError(frame)) return false;
    data.remove_prefix(frame);
  }
  return true;
}

constexpr Packing kPackings[] = {
    {"gzip", {"\x1f\x8b", 2}, [](auto& in) { in.push(io::gzip_decompressor()); }, whole},
    {"bzip2", {"BZh", 3}, [](auto& in) { in.push(io::bzip2_decompressor()); }, whole},
    {"xz", {"\xfd\x37zXZ", 5}, [](auto& in) { in.push(io::lzma_decompressor()); }, xz_is_complete},
    {"zstd", {"\x28\xb5\x2f\xfd", 4}, [](auto& in) { in.push(io::zstd_decompressor()); }, zstd_is_complete},
};

const Packing* packing_of(std::string_view data) {
  for (const Packing& p : kPackings)
    if (data.starts_with(p.magic)) return &p;
  return nullptr;
}

std::string unpack(const Packing& packing, std::string_view data, const std::string& path) {
  const auto damaged = [&](std::string_view why) {
    return InputError(
        fmt::format("{}: damaged or truncated {} file ({}); fetch or pack it again", path, packing.name, why));
  };
  if (!packing.is_complete(data)) throw damaged("it ends too early");
  std::string text;
  try {
    io::filtering_streambuf<io::input> in;
    packing.push(in);
    in.push(io::array_source(data.data(), data.size()));
    const std::size_t limit = std::max(kAlwaysAllowed, kLargestRatio * data.size());
    std::size_t size = 0;
    for (;;) {
      if (text.size() - size < (std::size_t{1} << 20))
        text.resize(std::max<std::size_t>(2 * text.size(), 8 * data.size() + (2 << 20)));
      const std::streamsize got = in.sgetn(text.data() + size, static_cast<std::streamsize>(text.size() - size));
      if (got <= 0) break;
      size += static_cast<std::size_t>(got);
      if (size > limit)
        throw InputError(
            fmt::format("{}: unpacks to more than {} times its size, which no netlist does; unpack it "
                        "yourself if you trust it",
                        path, kLargestRatio));
    }
    text.resize(size);
  } catch (const std::ios_base::failure& e) {
    throw damaged(e.what());
  }
  return text;
}

/// What changes when a file is written or replaced.
struct FileVersion {
  dev_t device;
  ino_t inode;
  off_t size;
  time_t seconds, changed_seconds;
  long nanoseconds, changed_nanoseconds;

  bool operator==(const FileVersion&) const = default;
};

std::optional<FileVersion> version_of(const std::string& path) {
  struct stat s {};
  if (::stat(path.c_str(), &s) != 0) return std::nullopt;
  return FileVersion{s.st_dev,         s.st_ino,          s.st_size,        s.st_mtim.tv_sec,
                     s.st_ctim.tv_sec, s.st_mtim.tv_nsec, s.st_ctim.tv_nsec};
}

/// What sha256_of() asks; every text is one.
class SummedText : public SourceText {
 public:
  const std::string& sha256() const {
    std::call_once(summed_, [&] { sha256_ = compute_sha256(); });
    return sha256_;
  }

 private:
  virtual std::string compute_sha256() const = 0;

  mutable std::once_flag summed_;
  mutable std::string sha256_;
};

/// Whoever writes to the file changes the text, and whoever cuts it makes the text unreadable.
class MappedText : public SummedText {
 public:
  MappedText(io::mapped_file_source file, std::string path, std::optional<FileVersion> version)
      : MappedText(file, std::move(path), version, static_cast<std::int64_t>(file.size())) {}
  /// `file` has the text of the one at `path`, which is packed; no checksum of that is known.
  MappedText(io::mapped_file_source file, std::string path, std::optional<FileVersion> version,
             std::int64_t bytes_on_disk)
      : file_(std::move(file)), version_(version) {
    text_ = {file_.data(), file_.size()};
    bytes_on_disk_ = bytes_on_disk;
    path_ = std::move(path);
  }

  void release_pages() const override {
    ::madvise(const_cast<char*>(file_.data()), file_.size(), MADV_DONTNEED);  // on failure they stay, which is no harm
  }

 private:
  bool is_as_opened() const { return version_ && version_of(path_) == version_; }

  std::string compute_sha256() const override {
    if (!is_as_opened() || bytes_on_disk_ != static_cast<std::int64_t>(file_.size())) return "";
    std::string sum = sha256_of(text_);
    release_pages();
    return is_as_opened() ? sum : "";
  }

  io::mapped_file_source file_;
  std::optional<FileVersion> version_;  ///< before it was mapped
};

class OwnedText : public SummedText {
 public:
  OwnedText(std::string text, std::string path) : owned_(std::move(text)) {
    text_ = owned_;
    bytes_on_disk_ = static_cast<std::int64_t>(owned_.size());
    path_ = std::move(path);
  }
  /// Of packed bytes, which are not kept.
  OwnedText(const Packing& packing, std::string_view packed, std::string path)
      : OwnedText(unpack(packing, packed, path), path) {
    bytes_on_disk_ = static_cast<std::int64_t>(packed.size());
    packed_sha256_ = sha256_of(packed);
  }

 private:
  std::string compute_sha256() const override { return packed_sha256_.empty() ? sha256_of(text_) : packed_sha256_; }

  std::string owned_, packed_sha256_;
};

std::shared_ptr<const SourceText> maybe_unpack(std::string data, std::string path) {
  if (const Packing* packing = packing_of(data)) return std::make_shared<OwnedText>(*packing, data, std::move(path));
  return std::make_shared<OwnedText>(std::move(data), std::move(path));
}

std::string read_all(std::istream& in) {
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

std::shared_ptr<const SourceText> SourceText::open(const std::string& path, bool included) {
  if (path == "-" && !included) return maybe_unpack(read_all(std::cin), "<stdin>");
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status))
    throw InputError(fmt::format("{}: cannot open: {}", path, std::strerror(error ? error.value() : ENOENT)));
  if (fs::is_directory(status)) throw InputError(fmt::format("{}: is a directory; name a file", path));
  if (fs::is_character_file(status) || fs::is_block_file(status))
    throw InputError(fmt::format("{}: is a device; name a file, or '-' for standard input", path));
  const auto cannot_read = [&] {
    return InputError(fmt::format("{}: cannot read: {}", path, std::strerror(errno != 0 ? errno : EACCES)));
  };
  const bool is_stream = !fs::is_regular_file(status);  // a pipe or <(command)
  if (is_stream || fs::file_size(path, error) < kWorthMapping) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw cannot_read();
    return maybe_unpack(read_all(in), path);
  }
  const std::optional<FileVersion> version = version_of(path);
  io::mapped_file_source file;
  try {
    file.open(path);
  } catch (const std::exception&) {
    if (errno == ENOMEM) throw ResourceError(fmt::format("{}: does not fit into memory", path));
    throw cannot_read();
  }
  const std::string_view data(file.data(), file.size());
  if (const Packing* packing = packing_of(data)) return std::make_shared<OwnedText>(*packing, data, path);
  return std::make_shared<MappedText>(std::move(file), path, version);
}

std::shared_ptr<const SourceText> SourceText::from_string(std::string text, std::string name) {
  return std::make_shared<OwnedText>(std::move(text), std::move(name));
}

std::unique_ptr<PackedText> PackedText::open(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) == 0) return nullptr;
  auto packed = std::make_unique<PackedText>();
  try {
    packed->file_.open(path);
  } catch (const std::exception&) {
    return nullptr;  // SourceText::open() tells why
  }
  const std::string_view data(packed->file_.data(), packed->file_.size());
  const Packing* packing = packing_of(data);
  if (!packing) return nullptr;
  packed->path_ = path;
  packed->begin_ = {0};
  if (packing->name == "zstd" && packing->is_complete(data))
    while (packed->begin_.back() < data.size()) {
      const std::size_t at = packed->begin_.back();
      packed->begin_.push_back(at + ZSTD_findFrameCompressedSize(data.data() + at, data.size() - at));
    }
  else
    packed->begin_.push_back(data.size());
  return packed;
}

std::string PackedText::unpack(std::size_t first, std::size_t last) const {
  const std::string_view data(file_.data(), file_.size());
  return gridiron::unpack(*packing_of(data), data.substr(begin_[first], begin_[last] - begin_[first]), path_);
}

std::shared_ptr<const SourceText> PackedText::unpacked_in(const std::string& unpacked) const {
  const auto bytes_on_disk = static_cast<std::int64_t>(file_.size());
  std::error_code error;
  if (fs::file_size(unpacked, error) == 0) return std::make_shared<OwnedText>("", path_);
  try {
    return std::make_shared<MappedText>(io::mapped_file_source(unpacked), path_, version_of(path_), bytes_on_disk);
  } catch (const std::ios_base::failure&) {
    throw ResourceError(fmt::format("{}: its text does not fit into memory", path_));
  }
}

std::string sha256_of(const SourceText& text) { return dynamic_cast<const SummedText&>(text).sha256(); }

SourceText::Place SourceText::place(std::uint64_t offset) const {
  constexpr std::size_t kIndexStep = std::size_t{1} << 10;
  const auto newlines = [this](std::size_t from, std::size_t to) {
    std::int64_t count = 0;
    for (const char* p = text_.data() + from; const void* found = std::memchr(p, '\n', to - from); ++count) {
      p = static_cast<const char*>(found) + 1;
      from = static_cast<std::size_t>(p - text_.data());
    }
    return count;
  };
  std::call_once(indexed_, [&] {
    const auto blocks = static_cast<std::int64_t>(text_.size() / kIndexStep);
    newlines_before_.assign(static_cast<std::size_t>(blocks) + 1, 0);
    parallel_ranges(
        blocks,
        [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t k = begin; k < end; ++k)
            newlines_before_[k] =
                newlines(static_cast<std::size_t>(k) * kIndexStep, static_cast<std::size_t>(k + 1) * kIndexStep);
        },
        1 << 10);
    std::exclusive_scan(newlines_before_.begin(), newlines_before_.end(), newlines_before_.begin(), std::int64_t{0});
  });
  offset = std::min<std::uint64_t>(offset, text_.size());
  const std::size_t block = offset / kIndexStep;
  const std::size_t line_start = text_.substr(0, offset).rfind('\n') + 1;  // npos + 1 == 0
  return {newlines_before_[block] + newlines(block * kIndexStep, offset) + 1,
          static_cast<std::int64_t>(offset - line_start) + 1};
}

std::string SourceText::describe(std::uint64_t offset) const {
  const Place p = place(offset);
  return fmt::format("{}:{}:{}", path_, p.line, p.column);
}

}  // namespace gridiron
