// SPDX-License-Identifier: Apache-2.0
#include "support/checksum.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

namespace gridiron {

std::string sha256_of(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha256(), nullptr);
  std::string text;
  for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace gridiron
