// SPDX-License-Identifier: Apache-2.0
#include "support/temporary_folder.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "support/error.hpp"

namespace gridiron {

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "gridiron-XXXXXX").string();
  if (!::mkdtemp(pattern.data()))
    throw ResourceError(fmt::format("cannot make a temporary folder: {}; set TMPDIR to a folder with free space",
                                    std::strerror(errno)));
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace gridiron
