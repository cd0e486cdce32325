// SPDX-License-Identifier: Apache-2.0
#include "reports/utf8.hpp"

namespace gridiron {

std::optional<char32_t> next_code_point(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::string_view rest = text.substr(1);
  text = rest;
  if (lead < 0x80) return lead;

  const std::size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  if (lead < 0xc2 || lead > 0xf4 || rest.size() < more) return std::nullopt;
  char32_t code = lead & (0x3f >> more);
  for (std::size_t i = 0; i < more; ++i) {
    const auto byte = static_cast<unsigned char>(rest[i]);
    if ((byte & 0xc0) != 0x80) return std::nullopt;
    code = code << 6 | (byte & 0x3f);
  }
  constexpr char32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[more] || code > 0x10ffff || surrogate) return std::nullopt;
  text.remove_prefix(more);
  return code;
}

}  // namespace gridiron
