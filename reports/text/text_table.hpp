// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gridiron {

/// A table for a terminal: columns as wide as their widest cell, names left-aligned, numbers right-aligned.
class TextTable {
 public:
  /// A header that ends in '>' is right-aligned (the '>' is not shown).
  explicit TextTable(std::vector<std::string> headers);
  void add(std::vector<std::string> cells);
  /// Every line indented by two blanks.
  std::string str() const;

 private:
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace gridiron
