// SPDX-License-Identifier: Apache-2.0
#include "reports/page/base64.hpp"

#include <cstdint>

namespace gridiron {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (int shift = 18; shift >= 0; shift -= 6) out += kDigits[group >> shift & 63];
  }
  const size_t padding = (3 - bytes.size() % 3) % 3;
  out.replace(out.size() - padding, padding, padding, '=');
  return out;
}

}  // namespace gridiron
