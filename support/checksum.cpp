// SPDX-License-Identifier: Apache-2.0
#include "support/checksum.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

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

FileSum sum_of_file(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return {};
  FileSum result;
  struct stat status {};
  result.is_read = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  Sha256 sum;
  std::vector<char> block(size_t{1} << 20);
  while (result.is_read) {
    const ssize_t got = ::read(file, block.data(), block.size());
    if (got == 0) break;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) result.is_read = false;
    if (got < 0) break;
    sum.add({block.data(), static_cast<size_t>(got)});
    result.bytes += got;
  }
  ::close(file);
  result.sha256 = sum.finish();
  return result;
}

}  // namespace gridiron
