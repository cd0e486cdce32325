// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "support/npy_reader.hpp"

struct zip;

namespace gridiron {

/// Arrays by name, as stored by numpy.savez() and numpy.savez_compressed(): a zip archive of .npy files. Errors:
/// InputError.
class NpzFile {
 public:
  /// `arrays`: what messages say that such a file holds, "loads=…, names=…".
  NpzFile(std::string path, std::string arrays);

  bool has(std::string_view name) const;

  /// Errors: InputError for an array of any other name.
  void require_only(std::initializer_list<std::string_view> names) const;

  /// Passes the array called `name` to `read`, which must read it to its end. Data that decompress to far more than the
  /// size of the file, or have a wrong checksum, are rejected.
  void array(std::string_view name, const std::function<void(NpyReader&)>& read);

 private:
  std::string path_, arrays_;
  std::unique_ptr<zip, void (*)(zip*)> archive_;
};

}  // namespace gridiron
