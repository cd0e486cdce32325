// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "netlist/extracted/chunk_notes.hpp"
#include "netlist/extracted/layer_map.hpp"

namespace gridiron {

/// Numbers layers by their names for all chunks, and sorts these by the numbers in them. Internal to netlist/.
class JoinedLayers {
 public:
  explicit JoinedLayers(const LayerMaps& maps) : maps_(maps) {}

  struct Layer {
    int32_t number;
    bool is_cut;  ///< "via1", "v12", "CO": what layers of vias are called
  };
  /// Of a label of a file.
  Layer add(size_t file, std::string_view label);
  /// Of the labels of a chunk of that file.
  std::vector<Layer> add(size_t file, const LayerLabels& labels);
  /// That something of the circuit lies on it.
  void use(int32_t number) { is_used_[number] = 1; }
  /// The names of those in use in their order, and the rank of each number.
  std::pair<std::vector<std::string>, std::vector<int32_t>> sorted() const;

 private:
  const LayerMaps& maps_;
  std::map<std::string, Layer, std::less<>> all_;
  std::vector<char> is_used_;  ///< by number
};

}  // namespace gridiron
