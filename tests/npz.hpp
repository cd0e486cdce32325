// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <zip.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gridiron::test {

/// The bytes of a .npy file.
inline std::string npy(const std::string& type, const std::string& shape, const std::string& data,
                       const std::string& fortran = "False") {
  const std::string header = "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() % 256);
  bytes += static_cast<char>(header.size() / 256);
  return bytes + header + data;
}

template <class T>
std::string raw(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// Writes an archive of members by name, as numpy.savez() does.
inline std::string write_npz(const std::filesystem::path& path, const std::map<std::string, std::string>& members,
                             int method = ZIP_CM_STORE) {
  zip_t* zip = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  for (const auto& [name, data] : members) {
    const auto index = zip_file_add(zip, name.c_str(), zip_source_buffer(zip, data.data(), data.size(), 0), 0);
    zip_set_file_compression(zip, static_cast<zip_uint64_t>(index), method, 0);
  }
  EXPECT_EQ(zip_close(zip), 0);
  return path.string();
}

}  // namespace gridiron::test
