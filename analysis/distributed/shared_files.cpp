// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/shared_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "netlist/packed/packed_text.hpp"
#include "support/error_text.hpp"

namespace gridiron::distributed {
namespace {

/// A file that all processes have open and no folder lists.
class NamelessFile {
 public:
  explicit NamelessFile(const Communicator& all) {
    std::string path;
    together(all, [&] {
      std::error_code error;
      const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
      if (error) {
        errno = error.value();
        fail("keep", "TMPDIR");
      }
      path = folder / "gridiron-XXXXXX";
    });
    together(all, [&] {
      if (all.rank() == 0 && (descriptor_ = ::mkostemp(path.data(), O_CLOEXEC)) < 0) fail("make", path);
    });
    Writer writer;
    if (all.rank() == 0) writer.put(path);
    path = Reader(all.gather(writer.bytes())[0]).text();
    const auto open = [&] {
      if (all.rank() > 0 && (descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC)) < 0) fail("open", path);
    };
    try {
      together(all, open);
    } catch (...) {
      if (all.rank() == 0) ::unlink(path.c_str());
      close();
      throw;
    }
    if (all.rank() == 0) ::unlink(path.c_str());
  }
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;
  ~NamelessFile() { close(); }

  void write(std::string_view text, int64_t at) const {
    while (!text.empty()) {
      const ssize_t written = ::pwrite(descriptor_, text.data(), text.size(), at);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail("write", std::filesystem::temp_directory_path().string());
      text.remove_prefix(static_cast<size_t>(written));
      at += written;
    }
  }
  std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

 private:
  [[noreturn]] static void fail(const char* what, const std::string& path) {
    throw resource_error(
        "{}: cannot {} the unpacked text: {}; set TMPDIR to a folder of this machine with "
        "room, or unpack the deck",
        path, what, std::strerror(errno));
  }
  void close() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }

  int descriptor_ = -1;
};

/// Consecutive pieces of a packed file.
struct PieceRange {
  size_t first = 0, last = 0;
};

/// Per file the pieces whose first bytes are in this process's part of the bytes of all files.
std::vector<PieceRange> own_pieces(const Communicator& all, const std::vector<std::unique_ptr<PackedText>>& packed) {
  double bytes = 0;
  for (const auto& file : packed)
    if (file) bytes += static_cast<double>(file->bytes().begin(file->bytes().pieces()));
  const double begin = bytes * all.rank() / all.count(), end = bytes * (all.rank() + 1) / all.count();
  std::vector<PieceRange> pieces(packed.size());
  double before = 0;
  for (size_t f = 0; f < packed.size(); ++f) {
    if (!packed[f]) continue;
    PieceRange& own = pieces[f];
    const PackedBytes& bytes_of = packed[f]->bytes();
    for (size_t k = 0; k < bytes_of.pieces(); ++k) {
      const double at = before + bytes_of.begin(k);
      if (at < begin) own.first = k + 1;
      if (at < end) own.last = k + 1;
    }
    own.last = std::max(own.first, own.last);
    before += bytes_of.begin(bytes_of.pieces());
  }
  return pieces;
}

}  // namespace

std::vector<std::shared_ptr<const SourceText>> open_files(const Communicator& all,
                                                          const std::vector<std::string>& paths) {
  std::vector<std::shared_ptr<const SourceText>> files(paths.size());
  std::vector<std::unique_ptr<PackedText>> packed(paths.size());
  together(all, [&] {
    for (size_t f = 0; f < paths.size(); ++f) {
      if (paths[f] == "-") throw InputError("several processes cannot read standard input; name a file");
      packed[f] = PackedText::open(paths[f]);
      if (!packed[f]) files[f] = SourceText::open(paths[f]);
    }
  });
  const std::vector<PieceRange> pieces = own_pieces(all, packed);
  for (size_t f = 0; f < paths.size(); ++f) {
    if (!packed[f]) continue;
    UnpackedText text;
    together(all, [&] {
      if (pieces[f].first < pieces[f].last) text = packed[f]->bytes().unpack(pieces[f].first, pieces[f].last);
    });
    const NamelessFile unpacked(all);
    const auto sizes = gather(all, std::vector<int64_t>{std::ssize(text)});
    int64_t at = 0;
    for (int p = 0; p < all.rank(); ++p) at += sizes[p];
    together(all, [&] { unpacked.write(text.view(), at); });
    text = {};
    together(all, [&] { files[f] = packed[f]->unpacked_in(unpacked.path()); });
  }
  return files;
}

}  // namespace gridiron::distributed
