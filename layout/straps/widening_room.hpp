// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "layout/chip.hpp"
#include "layout/extract/box_tree.hpp"
#include "layout/library.hpp"
#include "layout/straps/strap_metal.hpp"

namespace gridiron::layout {

/// How wide wires may become without coming nearer to other metal than the SPACING of their layer.
class WideningRoom {
 public:
  /// How many times its width a wire has been made already, by net and index into SpecialNet::boxes.
  using Widened = std::map<std::pair<int32_t, size_t>, double>;

  /// Of wires on layers of `factor` above 1, which may become so many times as wide; by layer. The first two must stay
  /// alive.
  WideningRoom(const Library& library, const Chip& chip, const std::vector<double>& factor,
               const Widened& widened = {});

  struct Room {
    Dbu width;                  ///< the largest one, even unless it is today's
    std::optional<int32_t> by;  ///< what keeps it from its factor: as StrapMetal::Shape::net
  };
  /// Of wires of a net, indices into SpecialNet::boxes, that become as wide together, all of `width` today. Between
  /// wires of two nets that both may become wider, either has half of the room, and what the other cannot use. A wire
  /// grows across the direction of its strap; boxes of another width across it grow in all directions.
  Room room(int32_t net, std::span<const size_t> wires, Dbu width, bool is_along_x) const;

 private:
  /// A wire of a layer that may be widened, and how much it grows on each side.
  struct Wire {
    Box box;
    int32_t net;  ///< as StrapMetal::Shape::net
    Dbu least, most;
  };
  template <class F>
  void for_each_near(int32_t layer, int32_t net, const Box& box, F&& f) const;

  const Chip& chip_;
  const std::vector<double> factor_;
  const StrapMetal metal_;
  std::vector<std::vector<Wire>> wires_;  ///< by layer
  std::vector<std::optional<BoxTree>> trees_;
};

}  // namespace gridiron::layout
