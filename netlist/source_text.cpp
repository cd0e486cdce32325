// SPDX-License-Identifier: Apache-2.0
#include "netlist/source_text.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <boost/iostreams/device/mapped_file.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <numeric>
#include <optional>
#include <utility>

#include "netlist/packed/packed_text.hpp"
#include "netlist/source_checksum.hpp"
#include "support/checksum.hpp"
#include "support/error_text.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

namespace io = boost::iostreams;
namespace fs = std::filesystem;

/// Smaller files are read instead: each mapping costs a file handle, and a deck may include thousands of files.
constexpr std::uintmax_t kWorthMapping = std::uintmax_t{1} << 20;

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
  MappedText(const io::mapped_file_source& file, std::string path, std::optional<FileVersion> version)
      : MappedText(file, std::move(path), version, std::ssize(file)) {}
  /// `file` has the text of the one at `path`, which is packed; no checksum of that is known.
  MappedText(const io::mapped_file_source& file, std::string path, std::optional<FileVersion> version,
             int64_t bytes_on_disk)
      : file_(file), version_(version) {
    text_ = {file_.data(), file_.size()};
    bytes_on_disk_ = bytes_on_disk;
    path_ = std::move(path);
  }

  void release_pages() const override { release(text_); }

 private:
  /// `part` begins at a page.
  static void release(std::string_view part) {
    ::madvise(const_cast<char*>(part.data()), part.size(), MADV_DONTNEED);  // on failure they stay, which is no harm
  }
  bool is_as_opened() const { return version_ && version_of(path_) == version_; }

  std::string compute_sha256() const override {
    if (!is_as_opened() || bytes_on_disk_ != std::ssize(file_)) return "";
    constexpr size_t kPiece = size_t{8} << 20;
    Sha256 sum;
    for (size_t at = 0; at < text_.size(); at += kPiece) {
      const std::string_view piece = text_.substr(at, kPiece);
      sum.add(piece);
      release(piece);
    }
    const std::string text = sum.finish();
    return is_as_opened() ? text : "";
  }

  io::mapped_file_source file_;
  std::optional<FileVersion> version_;  ///< before it was mapped
};

class OwnedText : public SummedText {
 public:
  OwnedText(std::string text, std::string path) : owned_(std::move(text)) {
    text_ = owned_;
    bytes_on_disk_ = std::ssize(owned_);
    path_ = std::move(path);
  }

 private:
  std::string compute_sha256() const override { return sha256_of(text_); }

  std::string owned_;
};

/// Of packed bytes, which are not kept.
class UnpackedSource : public SummedText {
 public:
  UnpackedSource(const PackedBytes& packed, std::string_view data, std::string path)
      : unpacked_(packed.unpack()), packed_sha256_(sha256_of(data)) {
    text_ = unpacked_.view();
    bytes_on_disk_ = std::ssize(data);
    path_ = std::move(path);
  }

 private:
  std::string compute_sha256() const override { return packed_sha256_; }

  UnpackedText unpacked_;
  std::string packed_sha256_;
};

std::shared_ptr<const SourceText> maybe_unpack(std::string data, std::string path) {
  if (const auto packed = PackedBytes::of(data, path))
    return std::make_shared<UnpackedSource>(*packed, data, std::move(path));
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
    throw input_error("{}: cannot open: {}", path, std::strerror(error ? error.value() : ENOENT));
  if (fs::is_directory(status)) throw input_error("{}: is a directory; name a file", path);
  if (fs::is_character_file(status) || fs::is_block_file(status))
    throw input_error("{}: is a device; name a file, or '-' for standard input", path);
  const auto cannot_read = [&] {
    return input_error("{}: cannot read: {}", path, std::strerror(errno != 0 ? errno : EACCES));
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
    if (errno == ENOMEM) throw resource_error("{}: does not fit into memory", path);
    throw cannot_read();
  }
  const std::string_view data(file.data(), file.size());
  if (const auto packed = PackedBytes::of(data, path)) return std::make_shared<UnpackedSource>(*packed, data, path);
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
  packed->path_ = path;
  packed->bytes_ = PackedBytes::of({packed->file_.data(), packed->file_.size()}, path);
  return packed->bytes_ ? std::move(packed) : nullptr;
}

std::shared_ptr<const SourceText> PackedText::unpacked_in(const std::string& unpacked) const {
  const auto bytes_on_disk = std::ssize(file_);
  std::error_code error;
  if (fs::file_size(unpacked, error) == 0) return std::make_shared<OwnedText>("", path_);
  try {
    return std::make_shared<MappedText>(io::mapped_file_source(unpacked), path_, version_of(path_), bytes_on_disk);
  } catch (const std::ios_base::failure&) {
    throw resource_error("{}: its text does not fit into memory", path_);
  }
}

std::string sha256_of(const SourceText& text) { return dynamic_cast<const SummedText&>(text).sha256(); }

SourceText::Place SourceText::place(uint64_t offset) const {
  constexpr size_t kIndexStep = size_t{1} << 10;
  const auto newlines = [this](size_t from, size_t to) {
    int64_t count = 0;
    for (const char* p = text_.data() + from; const void* found = std::memchr(p, '\n', to - from); ++count) {
      p = static_cast<const char*>(found) + 1;
      from = static_cast<size_t>(p - text_.data());
    }
    return count;
  };
  std::call_once(indexed_, [&] {
    const auto blocks = static_cast<int64_t>(text_.size() / kIndexStep);
    newlines_before_.assign(blocks + 1, 0);
    parallel_ranges(
        blocks,
        [&](int64_t begin, int64_t end) {
          for (int64_t k = begin; k < end; ++k)
            newlines_before_[k] =
                newlines(static_cast<size_t>(k) * kIndexStep, static_cast<size_t>(k + 1) * kIndexStep);
        },
        1 << 10);
    std::exclusive_scan(newlines_before_.begin(), newlines_before_.end(), newlines_before_.begin(), int64_t{0});
  });
  offset = std::min<uint64_t>(offset, text_.size());
  const size_t block = offset / kIndexStep;
  const size_t line_start = text_.substr(0, offset).rfind('\n') + 1;  // npos + 1 == 0
  return {newlines_before_[block] + newlines(block * kIndexStep, offset) + 1,
          static_cast<int64_t>(offset - line_start) + 1};
}

std::string SourceText::describe(uint64_t offset) const {
  const Place p = place(offset);
  return fmt::format("{}:{}:{}", path_, p.line, p.column);
}

}  // namespace gridiron
