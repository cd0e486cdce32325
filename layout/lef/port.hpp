// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "layout/lef/lef_file.hpp"

namespace gridiron::layout {

/// The shapes of a pin's PORTs. Whether they matter is known at the end of the pin only, so what is wrong with a shape
/// alone (no area, an unknown via) is told by take_shapes().
class PortReader {
 public:
  /// `where`: the pin, for messages.
  PortReader(LefFile& lef, std::string where) : lef_(lef), tokens_(lef.tokens), where_(std::move(where)) {}

  /// A PORT, whose keyword was just taken, up to its END.
  void read();
  std::vector<ShapeUm> take_shapes();
  /// None where something is wrong.
  std::vector<ShapeUm> take_sound_shapes();

 private:
  /// DO n BY m STEP x y, or one place.
  struct Steps {
    int64_t columns = 1, rows = 1;
    double x = 0, y = 0;
  };

  void read_statement();
  void read_layer();
  Steps steps();
  /// Adds a shape at each place of an array that may follow, and the end of the statement.
  void add(size_t begin, const std::vector<ShapeUm>& shapes);
  std::vector<ShapeUm> path();
  std::vector<ShapeUm> via();
  void note(size_t offset, std::string message);

  LefFile& lef_;
  Tokens& tokens_;
  std::string where_;
  static constexpr int32_t kNoLayer = -1, kUnknownLayer = -2;
  int32_t layer_ = kNoLayer;
  double width_ = 0;
  std::vector<ShapeUm> shapes_;
  std::optional<std::pair<size_t, std::string>> failure_;  ///< the first one
};

}  // namespace gridiron::layout
