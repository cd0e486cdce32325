// SPDX-License-Identifier: Apache-2.0
#include "reports/text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace gridiron {
namespace {

bool stands_for_a_byte(char32_t code) { return code >= 0xef80 && code <= 0xefff; }

/// `bytes` with other(byte) instead of every byte that is not part of a character, as `is_kept` says;
/// ASCII is kept.
template <class IsKept, class Other>
std::string replaced(std::string_view bytes, IsKept is_kept, Other other) {
  std::string out;
  out.reserve(bytes.size());
  for (;;) {
    const auto plain = std::ranges::find_if(bytes, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    out.append(bytes.begin(), plain);
    bytes.remove_prefix(plain - bytes.begin());
    if (bytes.empty()) break;
    const std::string_view before = bytes;
    const auto code = next_code_point(bytes);
    const std::string_view read = before.substr(0, before.size() - bytes.size());
    if (code && is_kept(*code))
      out += read;
    else
      other(out, code, read);
  }
  return out;
}

}  // namespace

std::optional<char32_t> next_code_point(std::string_view& text) {
  const unsigned char lead = text.front();
  const std::string_view rest = text.substr(1);
  text = rest;
  if (lead < 0x80) return lead;

  const size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  if (lead < 0xc2 || lead > 0xf4 || rest.size() < more) return std::nullopt;
  char32_t code = lead & (0x3f >> more);
  for (size_t i = 0; i < more; ++i) {
    const unsigned char byte = rest[i];
    if ((byte & 0xc0) != 0x80) return std::nullopt;
    code = code << 6 | (byte & 0x3f);
  }
  constexpr char32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[more] || code > 0x10ffff || surrogate) return std::nullopt;
  text.remove_prefix(more);
  return code;
}

std::string as_unicode(std::string_view bytes) {
  return replaced(
      bytes, [](char32_t code) { return !stands_for_a_byte(code); },
      [](std::string& out, const auto&, std::string_view read) {
        for (const char c : read) {
          const unsigned char byte = c;
          out += {'\xee', byte < 0xc0 ? '\xbe' : '\xbf', static_cast<char>(0x80 | (byte & 0x3f))};
        }
      });
}

std::string from_unicode(std::string_view text) {
  return replaced(
      text, [](char32_t code) { return !stands_for_a_byte(code); },
      [](std::string& out, const auto& code, std::string_view read) {
        if (code)
          out += static_cast<char>(*code & 0xff);
        else
          out += read;
      });
}

std::string with_bytes_shown(std::string_view bytes) {
  return replaced(
      bytes, [](char32_t) { return true; },
      [](std::string& out, const auto&, std::string_view read) {
        fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(read.front()));
      });
}

}  // namespace gridiron
