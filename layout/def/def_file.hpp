// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sections of a DEF file. Recursive descent over words reads them, sections of millions of lines in parts on all
// threads: a word costs a few nanoseconds that way, and what a section may hold is a list of keywords, not a grammar.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "layout/chip.hpp"
#include "layout/def/via_names.hpp"
#include "layout/expansion.hpp"
#include "layout/tokens.hpp"

namespace gridiron::layout {

struct DefLimits {
  size_t piece = size_t{1} << 18;  ///< bytes of a section that a thread reads at a time
  int64_t vias = 100'000'000;      ///< that arrays of vias make
  int64_t shapes = 10'000'000;     ///< that VIAS and vias of pins make
};

/// A DEF file that is being read. Each function takes a section whose header `KEY n ;` was just taken, up to what is no
/// statement of it, which should be its END. Errors: InputError.
struct DefFile {
  Tokens tokens;
  const Library& library;
  Chip& chip;
  DefLimits limits;
  ViaNames vias;
  std::vector<std::vector<Point>> styles;  ///< STYLES, by number; empty: not defined
  bool keeps_places = false;               ///< of widths, see find_wire_places()
  Expansion shapes{limits.shapes};

  struct Row {
    std::string site;
    size_t offset = 0;  ///< of the name of its site
    Point place;
    Orientation orientation = Orientation::N;
    int64_t columns = 1, rows = 1;
    Dbu step_x = 0, step_y = 0;
    bool has_step = false;  ///< else sites stand side by side
  };
  std::vector<Row> rows{};

  void read_vias();
  void read_styles();
  void read_components();
  void read_pins();
  void read_special_nets();
  /// The statement ROW, up to its semicolon.
  void read_row();
  /// Chip::component_index, once the file is read. Errors: InputError for two components of one name, since powers and
  /// reports could mean either.
  void index_components();
  /// Chip::core, once the file is read.
  void find_core();
};

/// Reads the text as read_def() does, which has these limits. `keeps_places`: SpecialNet::width_at.
Chip read_def_text(const std::shared_ptr<const SourceText>& text, const Library& library, DefLimits limits = {},
                   bool keeps_places = false);

/// The index of the layer that the next word names.
int32_t take_layer(Tokens& tokens, const Library& library);

Orientation take_orientation(Tokens& tokens);

/// Passes over the words of an option of a statement, up to the next + or the semicolon.
void skip_option(Tokens& tokens, std::string_view where);

/// `x y` of two points as a box. `what`: "a RECT".
Box take_box(Tokens& tokens, std::string_view what);

/// Points up to what is none; `*` repeats a coordinate.
std::vector<Point> take_points(Tokens& tokens, size_t at_least, std::string_view what);

/// A sum of coordinates as one. Errors: InputError (kFarthest), at `offset`.
inline Dbu in_range(const Tokens& tokens, size_t offset, int64_t coordinate) {
  if (coordinate <= -kFarthest || coordinate >= kFarthest)
    tokens.fail(offset, "this shape is out of range; is its number right?");
  return static_cast<Dbu>(coordinate);
}

}  // namespace gridiron::layout
