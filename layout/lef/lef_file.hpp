// SPDX-License-Identifier: Apache-2.0
#pragma once

// The statements of a LEF file. Recursive descent over words reads them: LEF has no expressions and no nesting beyond
// three levels, and most of what a library says is passed over, which a grammar would have to spell out.

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "layout/expansion.hpp"
#include "layout/library.hpp"
#include "layout/tokens.hpp"

namespace gridiron::layout {

inline constexpr int64_t kMostShapes = 10'000'000;

/// Reads texts as read_lef() does, of which arrays may make so many shapes.
Library read_lef_texts(const std::vector<std::shared_ptr<const SourceText>>& texts, int64_t most_shapes = kMostShapes);

/// A LEF file that is being read into a library. Each function takes a block whose keyword was just taken, up to its
/// END. Errors: InputError.
struct LefFile {
  Tokens tokens;
  Library& library;
  uint32_t file;
  Expansion& expansion;

  void read_layer();
  /// Of a layer, whose statement stands at `begin`; false if it cannot be read, and is still to be passed over.
  bool read_current_density(std::string_view statement, size_t begin, Layer& layer);
  void read_via();
  void read_via_rule();
  void read_macro();
  /// SITE stands at `begin`.
  void read_site(size_t begin);

  /// Takes the END of a block with its name; `keyword` as in "LAYER metal1".
  void end_block(std::string_view keyword, std::string_view name);

  TextPlace place(size_t offset) const { return {file, offset}; }
  /// The layer that the next word names.
  int32_t layer_name();
  /// Whether the words of a shape may follow: a number, or a parenthesis.
  bool has_point() const;
  std::array<double, 2> point();
  /// Corners of a POLYGON up to what is no point.
  std::vector<double> polygon();
  /// RECT, with its low corner first.
  std::vector<double> rectangle();
  void skip_mask();
};

}  // namespace gridiron::layout
