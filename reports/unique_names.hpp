// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

namespace gridiron {

/// Names of files in one folder: where two would be the same, also when only case tells them apart, the later one gets
/// a number.
class UniqueNames {
 public:
  /// "stem.png", "stem_2.png", …
  std::string take(const std::string& stem, const std::string& extension);

 private:
  std::set<std::string> taken_;
};

}  // namespace gridiron
