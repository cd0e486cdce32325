// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "netlist/circuit.hpp"

namespace gridiron {

/// Whether a comment, without its `*` or `*|` and blanks, begins a table of layers. Internal to netlist/.
bool is_layer_map(std::string_view comment);

/// The same of the comment of DSPF that begins with the `*|` at `at`.
bool begins_layer_map(const char* at, const char* end);

/// What the numbers of layers in the comments of an extracted deck mean: `*|LAYER_MAP` or `* LAYER_MAP`, and then a
/// line
/// `* 4 M4` per layer, up to the first line of another kind; an entry may stand on the first line, too. A file has its
/// own numbers; one without a table takes those of the only file that has one. Internal to netlist/.
class LayerMaps {
 public:
  explicit LayerMaps(size_t files) : of_file_(files) {}

  /// Reads the table that begins at an offset of a file. The first meaning of a number counts. False if there is none.
  bool read(size_t file, std::string_view text, uint64_t offset);
  /// After all tables.
  void finish();
  /// The name of a layer; itself, if no table has it.
  std::string_view name(size_t file, std::string_view layer) const {
    if (layer.empty() || file >= of_file_.size()) return layer;
    const Map& map = of_file_[file].empty() ? only_ : of_file_[file];
    const auto found = map.find(layer);
    return found == map.end() ? layer : found->second;
  }

 private:
  using Map = std::map<std::string_view, std::string_view>;
  std::vector<Map> of_file_;
  Map only_;
};

}  // namespace gridiron
