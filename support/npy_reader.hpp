// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridiron {

/// A shape as Python writes it: "(3, 4)".
std::string text_of(std::span<const int64_t> shape);

/// One array as numpy.save() wrote it (NumPy Enhancement Proposal 1, "A Simple File Format for NumPy Arrays"), read
/// front to back from any stream of bytes: a file, a member of an archive. Memory grows with the bytes received, not
/// with the size claimed in the header. Errors: InputError that begins with `name`.
class NpyReader {
 public:
  /// Stores up to `bytes` bytes at `to`; fewer only at the end of the stream.
  using Read = std::function<size_t(void* to, size_t bytes)>;
  static constexpr uint64_t kUnknownSize = UINT64_MAX;

  /// Reads the header. If the `size` of the stream in bytes is given, an array that cannot fit is rejected immediately.
  NpyReader(std::string name, Read read, uint64_t size = kUnknownSize);

  const std::string& type() const { return type_; }  ///< as NumPy spells it: <f8, <f4, <U12, |S8
  bool is_fortran() const { return is_fortran_; }    ///< first axis runs fastest
  const std::vector<int64_t>& shape() const { return shape_; }
  std::string shape_text() const { return text_of(shape_); }

  /// Passes on the values of a float64 or float32 array in the order of the file, in parts.
  void for_each_part(const std::function<void(std::span<const double>)>& take);

  /// All values of an array of floats or integers, last axis running fastest.
  std::vector<double> numbers();

  /// The items of a one-dimensional array of strings (<U: as UTF-8, S: as they are) without trailing zeros.
  std::vector<std::string> strings();

  [[noreturn]] void fail(std::string_view what) const;

 private:
  void read_header();
  bool parse(std::string_view dictionary);
  uint64_t item_count(uint64_t item_bytes) const;
  bool fill(void* to, size_t bytes);
  void expect_end(uint64_t count);
  template <class T>
  void parts_of(const std::function<void(std::span<const double>)>& take);

  std::string name_;
  Read read_;
  uint64_t size_, taken_ = 0;  ///< bytes
  std::string type_;
  bool is_fortran_ = false;
  std::vector<int64_t> shape_;
};

}  // namespace gridiron
