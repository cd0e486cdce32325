// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "netlist/values/scope.hpp"

namespace gridiron {

/// Which texts of a flattened deck are of its top level, and in what order they are read. Internal to netlist/.
class TopLevelText {
 public:
  explicit TopLevelText(const Deck& deck);

  /// The bytes of a file from `begin` to `end`, between which no other file is included.
  struct Part {
    size_t file;
    uint64_t begin, end;
  };
  /// All of them in the order in which they are read, with those of subcircuits.
  const std::vector<Part>& parts() const { return parts_; }

  enum class Where { top, unused_subcircuit, subcircuit };
  Where where(size_t file, uint64_t offset) const;
  bool is_of_top(Origin origin) const { return where(origin.file, origin.offset) == Where::top; }
  /// Whether all of a file is.
  bool is_all_of_top(size_t file) const { return files_[file].whole == Where::top && files_[file].subcircuits.empty(); }

 private:
  struct Subcircuit {
    uint64_t begin, end;
    bool is_used;
  };
  struct FileText {
    Where whole = Where::top;             ///< of a file that a subcircuit includes
    std::vector<Subcircuit> subcircuits;  ///< ascending
  };
  void add_file(const Deck& deck, const std::vector<std::vector<size_t>>& included, size_t file);

  std::vector<FileText> files_;
  std::vector<Part> parts_;
};

}  // namespace gridiron
