// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/npy.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "support/output_file.hpp"

namespace gridiron {
namespace {

static_assert(std::endian::native == std::endian::little);

/// Magic, version, length of the rest, a Python dictionary; padded with blanks so that the data begin at a multiple of
/// 64 bytes.
std::string npy_header(std::span<const int64_t> shape) {
  constexpr size_t kPreface = 10, kAlignment = 64;
  std::string dictionary = "{'descr': '<f8', 'fortran_order': False, 'shape': (";
  for (const int64_t size : shape) dictionary += std::to_string(size) + ",";
  dictionary += "), }";
  while ((kPreface + dictionary.size() + 1) % kAlignment != 0) dictionary += ' ';
  dictionary += '\n';
  const size_t length = dictionary.size();
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(length % 256);
  header += static_cast<char>(length / 256);
  return header + dictionary;
}

}  // namespace

void write_npy(const OutputPath& path, std::span<const int64_t> shape, std::span<const double> values) {
  constexpr size_t kValuesAtOnce = 1 << 16;
  OutputFile file(path);
  file.write(npy_header(shape));
  for (; !values.empty(); values = values.subspan(std::min(values.size(), kValuesAtOnce))) {
    const auto some = std::as_bytes(values.first(std::min(values.size(), kValuesAtOnce)));
    file.write({reinterpret_cast<const char*>(some.data()), some.size()});
  }
  file.commit();
}

}  // namespace gridiron
