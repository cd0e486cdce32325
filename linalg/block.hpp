// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

namespace gridiron {

/// Where the vectors of a block are stored.
enum class Memory { host, device };

/// A block of column vectors, n × k, column after column. Device memory is on the GPU that the engine runs on, and is
/// up to date in the order of its context's stream.
template <class T>
struct Block {
  T* data = nullptr;
  int64_t rows = 0;
  int64_t columns = 1;
  Memory memory = Memory::host;

  std::span<T> column(int64_t j) const { return {data + j * rows, static_cast<size_t>(rows)}; }
  Block part(int64_t first, int64_t count) const { return {data + first * rows, rows, count, memory}; }
  template <class U>
  requires std::is_same_v<U, const T>
  operator Block<U>() const { return {data, rows, columns, memory}; }
};

}  // namespace gridiron
