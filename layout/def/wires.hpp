// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "layout/chip.hpp"
#include "layout/def/edited_def.hpp"
#include "layout/def/via_names.hpp"
#include "layout/expansion.hpp"
#include "layout/tokens.hpp"

namespace gridiron::layout {

/// What wires refer to, which threads share.
struct WireNames {
  const Library& library;
  const ViaNames& vias;
  const std::vector<std::vector<Point>>& styles;
  bool keeps_places = false;  ///< SpecialNet::width_at
};

/// Reads special wiring: paths with a width, and the shapes and vias of RECT, POLYGON and VIA. A wire ends at its
/// points unless they have an extension. A 45° segment is an octagon at either end and what lies between, or with a
/// STYLE, what that makes of it, as the DEF manual says; extensions do not apply to these. Errors: InputError.
class WireReader {
 public:
  WireReader(Tokens& tokens, const WireNames& names, Expansion& expansion)
      : tokens_(tokens), names_(names), expansion_(expansion) {}

  /// `layer width … points and vias`, up to NEW, + or the semicolon.
  void read_path(SpecialNet& net);
  /// The rest of `+ RECT`, `+ POLYGON` and `+ VIA`.
  void read_rect(SpecialNet& net);
  void read_polygon(SpecialNet& net);
  void read_vias(SpecialNet& net);

 private:
  void read_attributes();
  void take_style();
  void read_point(SpecialNet& net);
  void read_patch(SpecialNet& net);
  void read_via(SpecialNet& net);
  void read_word(SpecialNet& net);
  void skip_plus_mask();
  ViaNames::Known via_named(size_t where, std::string_view name);
  /// `width_at`: where the width of its wire stands, or kNoWidth.
  void add_box(SpecialNet& net, int32_t layer, const Box& box, uint64_t width_at) const {
    net.boxes.push_back({layer, box});
    if (names_.keeps_places) net.width_at.push_back(width_at);
  }
  void add_segment(SpecialNet& net, size_t where, Point to, Dbu extension);
  void add_straight(SpecialNet& net, size_t where, Point to, Dbu extension);
  void add_styled(SpecialNet& net, size_t where, Point to, const std::vector<Point>& style);
  void add_vias(SpecialNet& net, size_t where, int32_t via);

  Tokens& tokens_;
  const WireNames& names_;
  Expansion& expansion_;

  int32_t layer_ = -1;
  Dbu width_ = 0;
  uint64_t width_at_ = 0;
  const std::vector<Point>* style_ = nullptr;
  bool has_point_ = false;
  bool is_virtual_ = false;  ///< no wire up to the next point
  bool is_strap_ = false;    ///< of SpecialNet::straps
  Point last_;
  Dbu last_extension_ = 0;
  std::string_view layer_word_, via_word_;  ///< of the last look-ups
  ViaNames::Known via_;
};

}  // namespace gridiron::layout
