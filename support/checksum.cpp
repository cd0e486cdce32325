// SPDX-License-Identifier: Apache-2.0
#include "support/checksum.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <omp.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

namespace gridiron {
namespace {

std::string in_hexadecimal(std::string_view digest) {
  std::string text;
  for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

constexpr size_t kDigest = 32;  ///< bytes of a SHA-256

/// Empty where OpenSSL offers none.
std::string digest_of(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha256(), nullptr) != 1) return "";
  return {digest, digest + size};
}

}  // namespace

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
  return in_hexadecimal({reinterpret_cast<const char*>(digest), size});
}

std::string sha256_of(std::string_view bytes) { return in_hexadecimal(digest_of(bytes)); }

void BlockSha256::add(std::string_view bytes) {
  while (!bytes.empty()) {
    if (block_.size() == kBlock) sum_block();
    const size_t some = std::min(bytes.size(), kBlock - block_.size());
    block_.append(bytes.substr(0, some));
    bytes.remove_prefix(some);
  }
}

void BlockSha256::sum_block() {
  ++blocks_;
  while (std::ssize(pending_) >= omp_get_max_threads()) take_first();
  try {
    const auto how = omp_get_max_threads() > 1 ? std::launch::async : std::launch::deferred;
    pending_.push_back(std::async(how, [block = block_] { return digest_of(block); }));
  } catch (const std::system_error&) {  // no further thread is to be had
    while (!pending_.empty()) take_first();
    digests_ += digest_of(block_);
  }
  block_.clear();
}

void BlockSha256::take_first() {
  digests_ += pending_.front().get();
  pending_.pop_front();
}

std::string BlockSha256::finish() {
  if (blocks_ == 0) return sha256_of(block_);
  sum_block();
  while (!pending_.empty()) take_first();
  return digests_.size() == blocks_ * kDigest ? sha256_of(digests_) : "";
}

namespace {

template <class Sum>
FileSum sum_of(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return {};
  FileSum result;
  struct stat status {};
  result.is_read = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  Sum sum;
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

}  // namespace

FileSum sum_of_file(const std::filesystem::path& path) { return sum_of<Sha256>(path); }

FileSum block_sum_of_file(const std::filesystem::path& path) { return sum_of<BlockSha256>(path); }

}  // namespace gridiron
