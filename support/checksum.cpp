// SPDX-License-Identifier: Apache-2.0
#include "support/checksum.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

namespace gridiron {

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  bool is_good = context && EVP_DigestInit_ex(context, EVP_sha256(), nullptr) == 1;
  ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {}
Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  state_->is_good = state_->is_good && EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1;
}

std::string Sha256::finish() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  if (!state_->is_good || EVP_DigestFinal_ex(state_->context, digest, &size) != 1) return "";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

std::string sha256_of(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.finish();
}

}  // namespace gridiron
