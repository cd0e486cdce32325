// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/shared_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <numeric>

#include "analysis/distributed/processes.hpp"
#include "support/checksum.hpp"
#include "support/error_text.hpp"
#include "support/zstd_writer.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path) {
  throw resource_error("{}: cannot write: {}", path.string(), std::strerror(errno));
}

void write_at(int file, std::string_view text, int64_t offset, const fs::path& path) {
  while (!text.empty()) {
    const ssize_t written = ::pwrite(file, text.data(), text.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(path);
    text.remove_prefix(written);
    offset += written;
  }
}

/// The checksum goes through the bytes in their order, which no process has but the file.
void enter(FileList& list, const fs::path& path, const fs::path& beside) {
  const FileSum sum = block_sum_of_file(beside);
  if (!sum.is_read) fail(beside);
  list.enter(path, sum.bytes, sum.sha256);
}

}  // namespace

void write_shared_file(const Communicator& all, const OutputPath& to, const PassText& pass) {
  const fs::path& path = to;
  distributed::together(all, [&] {
    if (all.rank() == 0 && to.list()) to.list()->begin(path);
  });
  std::string packed;
  if (names_zstd(path.native())) {
    ZstdWriter zstd([&](std::string_view bytes) { packed += bytes; });
    pass([&](std::string_view text) { zstd.write(text); });
    zstd.finish();
  }
  const PassText write = packed.empty() ? pass : [&](const TakeText& take) { take(packed); };
  int64_t bytes = 0;
  write([&](std::string_view text) { bytes += std::ssize(text); });
  const std::vector<int64_t> of_process = distributed::gather(all, std::vector<int64_t>{bytes});
  int64_t offset = std::accumulate(of_process.begin(), of_process.begin() + all.rank(), int64_t{0});

  fs::path beside = path;
  beside += ".part-0-0";
  try {
    distributed::together(all, [&] {
      if (all.rank() > 0) return;
      const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
      if (file < 0) fail(beside);
      ::close(file);
    });
    distributed::together(all, [&] {
      const int file = ::open(beside.c_str(), O_WRONLY | O_CLOEXEC);
      if (file < 0) fail(beside);
      write([&](std::string_view text) {
        write_at(file, text, offset, beside);
        offset += std::ssize(text);
      });
      if (::close(file) != 0) fail(beside);
    });
    distributed::together(all, [&] {
      if (all.rank() > 0) return;
      if (to.list()) enter(*to.list(), path, beside);
      if (::rename(beside.c_str(), path.c_str()) != 0) fail(path);
    });
  } catch (const Error&) {
    if (all.rank() == 0) ::unlink(beside.c_str());
    throw;
  }
}

}  // namespace gridiron
