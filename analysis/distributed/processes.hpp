// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engines/communicator.hpp"

namespace gridiron::distributed {

/// Runs `work`, which calls no other process. If it fails somewhere, every process throws the error of the first one on
/// which it did; failed_together() then is true.
void together(const Communicator& all, const std::function<void()>& work);
bool failed_together();

/// A message of plain values and texts, read in the order in which it was written.
class Writer {
 public:
  template <class T>
  requires(std::is_trivially_copyable_v<T> && !std::is_convertible_v<T, std::string_view>) void put(const T& value) {
    const auto* const bytes = reinterpret_cast<const char*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof value);
  }
  void put(std::string_view text) {
    put(static_cast<int64_t>(text.size()));
    bytes_.insert(bytes_.end(), text.begin(), text.end());
  }
  void put(const std::string& text) { put(std::string_view(text)); }
  Communicator::Bytes take() { return std::move(bytes_); }
  std::span<const char> bytes() const { return bytes_; }

 private:
  Communicator::Bytes bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const char> bytes) : left_(bytes) {}
  bool is_done() const { return left_.empty(); }
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, left_.data(), sizeof value);
    left_ = left_.subspan(sizeof value);
    return value;
  }
  std::string_view text() {
    const size_t size = take<int64_t>();
    const std::string_view text(left_.data(), size);
    left_ = left_.subspan(size);
    return text;
  }

 private:
  std::span<const char> left_;
};

/// Calls take(reader) until the messages of all processes are read, one after the other.
void read_all(const Communicator& all, const Writer& mine, auto take) {
  for (const Communicator::Bytes& bytes : all.gather(mine.bytes()))
    for (Reader reader(bytes); !reader.is_done();) take(reader);
}

/// The texts of all processes, in the order of these.
inline std::vector<std::string> gather_texts(const Communicator& all, const Writer& mine) {
  std::vector<std::string> texts;
  read_all(all, mine, [&](Reader& reader) { texts.emplace_back(reader.text()); });
  return texts;
}

/// Sends `to[p]` to process p; returns what each of them sent.
template <class T>
std::vector<std::vector<T>> all_to_all(const Communicator& all, std::vector<std::vector<T>> to) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<Communicator::Bytes> bytes(to.size());
  const size_t self = all.rank();
  std::vector<T> kept = std::move(to[self]);
  to[self].clear();
  for (size_t p = 0; p < to.size(); ++p) {
    const auto* const begin = reinterpret_cast<const char*>(to[p].data());
    bytes[p].assign(begin, begin + to[p].size() * sizeof(T));
    std::vector<T>().swap(to[p]);
  }
  bytes = all.all_to_all(std::move(bytes));
  std::vector<std::vector<T>> from(bytes.size());
  for (size_t p = 0; p < bytes.size(); ++p) {
    from[p].resize(bytes[p].size() / sizeof(T));
    if (!bytes[p].empty()) std::memcpy(from[p].data(), bytes[p].data(), bytes[p].size());
    Communicator::Bytes().swap(bytes[p]);
  }
  from[self] = std::move(kept);
  return from;
}

/// Sends the message `to[p]` to process p; returns what each of them sent.
inline std::vector<Communicator::Bytes> all_to_all(const Communicator& all, std::vector<Writer> to) {
  std::vector<Communicator::Bytes> bytes;
  for (Writer& writer : to) bytes.push_back(writer.take());
  return all.all_to_all(std::move(bytes));
}

/// The items of all processes, in their order.
template <class T>
std::vector<T> gather(const Communicator& all, const std::vector<T>& mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> items;
  for (const Communicator::Bytes& bytes :
       all.gather({reinterpret_cast<const char*>(mine.data()), mine.size() * sizeof(T)})) {
    const size_t before = items.size();
    items.resize(before + bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(items.data() + before, bytes.data(), bytes.size());
  }
  return items;
}

template <class T>
T sum(const Communicator& all, T value) {
  double total = value;
  all.sum({&total, 1});
  return static_cast<T>(total);
}

inline double largest(const Communicator& all, double value) {
  all.largest({&value, 1});
  return value;
}

}  // namespace gridiron::distributed
