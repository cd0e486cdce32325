// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <string_view>

namespace gridiron {

/// SHA-256 of bytes that come piece after piece.
class Sha256 {
 public:
  Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  ~Sha256();

  void add(std::string_view bytes);
  /// The checksum of all bytes so far, in hexadecimal as `sha256sum` prints it; empty where OpenSSL offers none. Call
  /// once.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The checksum of these bytes, as Sha256 gives it.
std::string sha256_of(std::string_view bytes);

/// What manifests have of a file: its SHA-256, or, of more than kBlock bytes, that of the digests (32 bytes each) of
/// every kBlock bytes in their order, which threads form at once.
class BlockSha256 {
 public:
  static constexpr size_t kBlock = size_t{4} << 20;

  void add(std::string_view bytes);
  /// As Sha256::finish().
  std::string finish();

 private:
  void sum_block();
  void take_first();

  std::string block_;  ///< the last one
  size_t blocks_ = 0;  ///< before it
  std::deque<std::future<std::string>> pending_;
  std::string digests_;  ///< of the blocks before pending_
};

struct FileSum {
  bool is_read = false;  ///< otherwise errno tells why not
  int64_t bytes = 0;
  std::string sha256 = {};
};

/// Size and SHA-256 of a regular file; a symbolic link is not followed.
FileSum sum_of_file(const std::filesystem::path& path);

/// The same with the checksum of BlockSha256.
FileSum block_sum_of_file(const std::filesystem::path& path);

}  // namespace gridiron
