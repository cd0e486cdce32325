// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
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

struct FileSum {
  bool is_read = false;  ///< otherwise errno tells why not
  int64_t bytes = 0;
  std::string sha256 = {};
};

/// Size and checksum of a regular file; a symbolic link is not followed.
FileSum sum_of_file(const std::filesystem::path& path);

}  // namespace gridiron
