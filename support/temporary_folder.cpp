// SPDX-License-Identifier: Apache-2.0
#include "support/temporary_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "support/error_text.hpp"

namespace gridiron {

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "gridiron-XXXXXX").string();
  if (!::mkdtemp(pattern.data()))
    throw resource_error("cannot make a temporary folder: {}; set TMPDIR to a folder with free space",
                         std::strerror(errno));
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace gridiron
