// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

namespace gridiron {

/// Unique file names in one folder: if two would be the same, ignoring case, the later one gets a number.
class UniqueNames {
 public:
  /// "stem.png", "stem_2.png", …
  std::string take(const std::string& stem, const std::string& extension);

 private:
  std::set<std::string> taken_;
};

}  // namespace gridiron
