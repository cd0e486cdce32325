// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "netlist/extracted/card_annotations.hpp"
#include "netlist/extracted/dspf_comment.hpp"
#include "netlist/names/name_table.hpp"

namespace gridiron {

/// Numbers the names of layers as they are written in a text, of which there are few.
class LayerLabels {
 public:
  /// −1: an empty one.
  int32_t of(std::string_view label) {
    if (label.empty()) return -1;
    auto& [known, last] = recent_[(label.size() ^ static_cast<unsigned char>(label.back())) % recent_.size()];
    if (is_spelled(known, label)) return last;
    known = label;
    return last = number_of(label);
  }
  const std::vector<std::string_view>& names() const { return names_; }

 private:
  int32_t number_of(std::string_view label);

  std::vector<std::string_view> names_;
  std::map<std::string_view, int32_t> numbers_;
  /// By the length and the last character, a digit of most.
  std::array<std::pair<std::string_view, int32_t>, 32> recent_{};
};

inline constexpr double kWidthsPerUm = 1e4;  ///< a tenth of a nanometre

/// A width in units; −1 for one that is none: NaN, below 0, or too small or large for units.
inline int32_t width_in_units(double um) {
  constexpr int32_t kMost = 2'000'000'000;
  const double units = um * kWidthsPerUm;
  if (!(units < kMost) || um < 0) return -1;
  const auto whole = static_cast<int32_t>(units);
  const int32_t nearest = units - whole < 0.5 ? whole : whole + 1;
  return nearest < kMost && (nearest > 0 || um == 0) ? nearest : -1;
}

/// What an annotation tells of a resistor.
class CardNote {
 public:
  CardNote() = default;
  CardNote(const CardAnnotation& note, int32_t layer)
      : width_(width_in_units(note.width_um)),
        bits_(static_cast<uint32_t>(layer + 1) << 2 | static_cast<uint32_t>(note.has_area) << 1 |
              static_cast<uint32_t>(note.x || note.y)) {}

  int32_t width() const { return std::max(width_, 0); }                   ///< in units, 0: not told
  bool has_odd_width() const { return width_ < 0; }                       ///< one that is none
  int32_t layer() const { return static_cast<int32_t>(bits_ >> 2) - 1; }  ///< −1: not told
  bool has_area() const { return (bits_ & 2) != 0; }
  bool has_place() const { return (bits_ & 1) != 0; }

 private:
  int32_t width_ = 0;
  uint32_t bits_ = 0;
};

/// Where a comment tells that a node is; NaN if it tells the layer alone.
struct NodeNote {
  uint64_t name_at;         ///< its offset in the text
  uint32_t name_size : 31;  ///< 0: the comment is of a part that is not read
  uint32_t is_in_um : 1;    ///< WrittenPlace
  int32_t layer;
  double x, y;
};

/// That a node is a pin of an instance.
struct PinNote {
  size_t node;  ///< index of its NodeNote
  std::string_view instance, pin;
};

/// What extraction wrote into the comments of one chunk and behind the values of its resistors; layers are numbers of
/// labels. Refers to the text. Internal to netlist/.
struct ChunkNotes {
  LayerLabels layers;
  std::vector<CardNote> cards;  ///< by resistor, up to the last one that has an annotation
  std::vector<NodeNote> nodes;
  std::vector<PinNote> pins;
  std::vector<uint64_t> layer_maps, malformed;  ///< where such comments stand

  /// Of the resistor with this index, the last one.
  void add(size_t resistor, const CardAnnotation& note) {
    if (cards.size() != resistor) cards.resize(resistor);
    cards.emplace_back(note, layers.of(note.layer));
  }
  /// `text`: what offsets count from.
  void add(const DspfComment& comment, const char* text);
  void add(const DspfComment::Node& node, const char* text, int32_t layer = -1) {
    nodes.push_back({static_cast<uint64_t>(node.name.data() - text), static_cast<uint32_t>(node.name.size()),
                     node.is_in_um, layer, node.x, node.y});
  }
};

}  // namespace gridiron
