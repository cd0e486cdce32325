// SPDX-License-Identifier: Apache-2.0
#include "netlist/generator/deck_writer.hpp"
#include "support/error_text.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace gridiron::generator {
namespace {

[[noreturn]] void fail_on_standard_output() {
  throw resource_error("standard output: cannot write: {}; free some space or name a file instead of -",
                       std::strerror(errno));
}

}  // namespace

DeckWriter::DeckWriter(const std::filesystem::path& path, CardRange range) : range_(range) {
  if (path != "-") file_ = std::make_unique<DeckFile>(path);
}

DeckWriter& DeckWriter::operator<<(Decimal value) {
  constexpr int64_t kSevenDigits = 10'000'000;
  if (value.digits == 0) return *this << '0';
  while (value.digits >= kSevenDigits) {
    value.digits = value.digits / 10 + (value.digits % 10 >= 5);
    ++value.exponent;
  }
  while (value.digits % 10 == 0) {
    value.digits /= 10;
    ++value.exponent;
  }
  char digits[8];
  const char* const last = std::to_chars(digits, digits + sizeof digits, value.digits).ptr;
  const int exponent = value.exponent + static_cast<int>(last - digits) - 1;
  *this << digits[0];
  if (last - digits > 1) *this << '.' << std::string_view(digits + 1, last);
  if (exponent == 0) return *this;
  return *this << 'e' << int64_t{exponent};
}

void DeckWriter::flush() {
  const std::string_view text(buffer_.get(), static_cast<size_t>(end_ - buffer_.get()));
  if (file_) {
    file_->write(text);
  } else if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
    fail_on_standard_output();
  }
  end_ = buffer_.get();
}

void DeckWriter::finish() {
  flush();
  if (file_) {
    file_->commit();
  } else if (std::fflush(stdout) != 0) {
    fail_on_standard_output();
  }
}

}  // namespace gridiron::generator
