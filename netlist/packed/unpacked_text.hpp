// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace gridiron {

/// Text that grows as it is unpacked. New bytes are not cleared, so that the thread that fills them touches them first.
class UnpackedText {
 public:
  UnpackedText() = default;
  explicit UnpackedText(size_t size) { resize(size); }

  /// Keeps what is there. Errors: std::bad_alloc.
  void resize(size_t size) {
    void* bytes = std::realloc(bytes_.get(), size + 1);
    if (!bytes) throw std::bad_alloc();
    static_cast<void>(bytes_.release());
    bytes_.reset(static_cast<char*>(bytes));
    size_ = size;
  }
  char* data() { return bytes_.get(); }
  size_t size() const { return size_; }
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<char, Free> bytes_;
  size_t size_ = 0;
};

/// Why a compressed file cannot be unpacked, in the words of its decompressor.
struct DamagedPacking : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What consecutive pieces of a file may unpack to in all.
class UnpackingLimit {
 public:
  struct Exceeded {};

  explicit UnpackingLimit(size_t most) : most_(most) {}
  /// Errors: Exceeded.
  void add(size_t bytes) {
    if (bytes > most_ || (sum_ += bytes) > most_) throw Exceeded();
  }

 private:
  size_t most_;
  std::atomic<size_t> sum_{0};
};

/// The pieces one after the other; they are emptied.
UnpackedText joined(std::vector<UnpackedText>& pieces);

}  // namespace gridiron
