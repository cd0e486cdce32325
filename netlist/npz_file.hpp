// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "support/npy_reader.hpp"

struct zip;

namespace gridiron {

/// Arrays by name, as numpy.savez() and numpy.savez_compressed() pack them: a zip archive of .npy files. Errors:
/// InputError.
class NpzFile {
 public:
  explicit NpzFile(std::string path);

  /// Shows the array called `name` to `read`, which must read it to its end. What unpacks to far more than the size of
  /// the file is refused, and so is data whose checksum is wrong.
  void array(std::string_view name, const std::function<void(NpyReader&)>& read);

 private:
  std::string path_;
  std::unique_ptr<zip, void (*)(zip*)> archive_;
};

}  // namespace gridiron
