// SPDX-License-Identifier: Apache-2.0
#include "support/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "support/checksum.hpp"
#include "support/error_text.hpp"
#include "support/zstd_writer.hpp"

namespace gridiron {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 20, kShort = size_t{1} << 15;

/// What the kernel names for an open file, such as /dev/stdout, which is a link to it.
bool names_open_file(const std::filesystem::path& path) {
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(path, error).lexically_normal().string();
  return absolute.starts_with("/proc/") || absolute.starts_with("/dev/fd/");
}

/// Where a file called `path` is, or would be; for an open file what names it.
std::filesystem::path followed(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path target = path;
  for (int links = 0; links < 40 && !names_open_file(target) && std::filesystem::is_symlink(target, error); ++links)
    target = target.parent_path() / std::filesystem::read_symlink(target, error);
  return target;
}

/// Devices, pipes and sockets, and open files.
bool is_written_in_place(const std::filesystem::path& target) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(target, error);
  return (std::filesystem::exists(status) && std::filesystem::is_other(status)) || names_open_file(target);
}

}  // namespace

OutputFile::OutputFile(const OutputPath& path) : path_(path.path()), target_(followed(path_)), list_(path.list()) {
  if (list_) {
    list_->begin(path_);
    sum_ = std::make_unique<BlockSha256>();
  }
  if (names_zstd(path_.native()))
    zstd_ = std::make_unique<ZstdWriter>([this](std::string_view bytes) { write_plain(bytes); });
  if (is_written_in_place(target_)) {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd_ < 0) fail("cannot open");
    return;
  }
  static std::atomic<unsigned> counter{0};
  require_file_name(path_);
  beside_ = target_;
  beside_ += fmt::format(".part-{}-{}", ::getpid(), counter++);
  const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : std::filesystem::path(".");
  fd_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (fd_ < 0 && errno != ENOENT && errno != EACCES) {
    fd_ = ::open(beside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    is_named_ = fd_ >= 0;
  }
  if (fd_ < 0) fail("cannot create");
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  if (is_named_) ::unlink(beside_.c_str());
  is_named_ = false;
}

void OutputFile::write(std::string_view text) { zstd_ ? zstd_->write(text) : write_plain(text); }

void OutputFile::write_plain(std::string_view text) {
  if (text.size() > kShort) {
    flush();
    return write_now(text);
  }
  buffer_.append(text);
  if (buffer_.size() >= kBufferBytes) flush();
}

void OutputFile::flush() {
  write_now(buffer_);
  buffer_.clear();
}

void OutputFile::write_now(std::string_view text) {
  if (sum_) sum_->add(text);
  bytes_ += std::ssize(text);
  const char* data = text.data();
  size_t left = text.size();
  while (left > 0) {
    const ssize_t written = ::write(fd_, data, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write");
    data += written;
    left -= static_cast<size_t>(written);
  }
}

void OutputFile::commit() {
  if (zstd_) zstd_->finish();
  flush();
  if (list_) list_->enter(path_, bytes_, sum_->finish());
  if (beside_.empty()) return discard();
  if (!is_named_) {
    const std::string anonymous = fmt::format("/proc/self/fd/{}", fd_);
    is_named_ = ::linkat(AT_FDCWD, anonymous.c_str(), AT_FDCWD, beside_.c_str(), AT_SYMLINK_FOLLOW) == 0;
    if (!is_named_) fail("cannot name");
  }
  if (::rename(beside_.c_str(), target_.c_str()) != 0) fail("cannot rename");
  is_named_ = false;
  discard();
}

void OutputFile::fail(const char* what) {
  const int cause = errno;
  discard();
  throw resource_error("{}: {}: {}; free some space or choose another location", path_.string(), what,
                       std::strerror(cause));
}

void require_file_name(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path target = followed(path), folder = target.parent_path();
  if (std::filesystem::is_directory(target, error))
    throw input_error("{}: is a folder; name a file in it", path.string());
  if (!target.has_filename()) throw input_error("{}: names a folder; name a file in it", path.string());
  if (folder.empty() || std::filesystem::is_directory(folder, error)) return;
  const bool is_there = std::filesystem::exists(folder, error);
  if (!error)
    throw input_error("{}: {} {}; name a file in a folder that exists", path.string(), folder.string(),
                      is_there ? "is no folder" : "does not exist");
}

void make_directory(const std::filesystem::path& directory) {
  std::error_code error;
  // The first of its parts that is there decides: below a file nothing can be made.
  for (std::filesystem::path part = directory; !part.empty(); part = part.parent_path()) {
    if (std::filesystem::is_directory(part, error)) break;
    if (std::filesystem::exists(part, error)) {
      const std::string below = part == directory ? "" : directory.string() + ": ";
      throw input_error("{}{}: is no folder; choose another {}", below, part.string(), field("out"));
    }
    if (part == part.root_path()) break;
  }
  std::filesystem::create_directories(directory, error);
  if (error)
    throw resource_error("{}: cannot make the directory: {}; choose another {}", directory.string(), error.message(),
                         field("out"));
}

OutputFolder::OutputFolder(const std::filesystem::path& path) {
  if (path.empty()) return;
  std::error_code error;
  for (std::filesystem::path folder = path; !folder.empty() && !std::filesystem::exists(folder, error);
       folder = folder.parent_path())
    made_.push_back(folder);
  make_directory(path);
  if (::access(path.c_str(), W_OK) != 0)
    throw resource_error("{}: cannot write there: {}; choose another {}", path.string(), std::strerror(errno),
                         field("out"));
}

OutputFolder::~OutputFolder() {
  std::error_code is_in_use;
  for (const std::filesystem::path& folder : made_) std::filesystem::remove(folder, is_in_use);
}

void write_file(const OutputPath& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace gridiron
