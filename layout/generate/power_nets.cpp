// SPDX-License-Identifier: Apache-2.0
// VIAS and SPECIALNETS of a generated layout, in the form in which OpenROAD writes them: a line per via and strap.
#include <string_view>
#include <utility>

#include "layout/generate/design.hpp"

namespace gridiron::generator {
namespace {

class PowerNetWriter {
 public:
  PowerNetWriter(DeckWriter& def, const LayoutFloorplan& floorplan, int net)
      : def_(def), floorplan_(floorplan), net_(net) {}

  void write() {
    def_ << "    - " << kNetNames[net_] << " ( * " << kNetNames[net_] << " ) + USE "
         << (net_ == 0 ? "POWER + VOLTAGE 1100" : "GROUND");
    const int layers = floorplan_.layers();
    for (int l = layers - 2; l >= 2; --l) mesh_vias(l);
    if (layers > 2) macro_layer_vias();
    rail_vias();
    for (int l = layers - 1; l >= 2; --l) straps(l);
    broken_straps();
    rails();
    def_ << " ;\n";
  }

 private:
  static constexpr int kBroken = 1;  ///< the layer with straps that do not cross the whole die

  DeckWriter& begin_wire() {
    def_ << (has_wire_ ? "\n      NEW " : "\n      + ROUTED ");
    has_wire_ = true;
    return def_;
  }
  void wire(int layer, std::string_view shape, Point from, Point to) {
    begin_wire() << "metal" << int64_t{kOpenroadStraps[layer].number} << ' ' << kStrapWidths[layer] << " + SHAPE "
                 << shape << ' ' << from << ' ' << to;
  }
  /// From one layer of the floorplan to the next one.
  void vias(int lower, Point at) {
    for_each_via_between(lower, [&](ViaName via) {
      begin_wire() << "metal" << int64_t{via.lower} << " 0 + SHAPE STRIPE " << at << ' ' << via;
    });
  }
  int64_t count(int layer) const { return floorplan_.straps(layer, net_); }
  int64_t at(int layer, int64_t number) const { return LayoutFloorplan::strap(layer, net_, number); }

  void mesh_vias(int lower) {
    const bool is_horizontal = kOpenroadStraps[lower].horizontal;
    for (int64_t i = 0; i < count(lower); ++i)
      for (int64_t j = 0; j < count(lower + 1); ++j) {
        const int64_t a = at(lower, i), b = at(lower + 1, j);
        vias(lower, is_horizontal ? Point{b, a} : Point{a, b});
      }
  }
  /// Pins of macros are joined to the mesh as straps are.
  void macro_layer_vias() {
    for (int64_t j = 0; j < count(kBroken + 1); ++j)
      for (int64_t i = 0; i < count(kBroken); ++i) {
        const Point p{at(kBroken, i), at(kBroken + 1, j)};
        if (floorplan_.is_over_macro(p) || floorplan_.has_strap(i, p)) vias(kBroken, p);
      }
  }
  void rail_vias() {
    for (int64_t r = 0; r <= floorplan_.rows(); ++r) {
      if (LayoutFloorplan::net_of_rail(r) != net_) continue;
      const Span rail = floorplan_.rail(r);
      for (int64_t i = 0; i < count(kBroken); ++i) {
        const Point p{at(kBroken, i), r * kRowHeight};
        if (rail.holds(p.x) && floorplan_.has_strap(i, p)) vias(0, p);
      }
    }
  }

  void straps(int layer) {
    for (int64_t i = 0; i < count(layer); ++i) {
      const int64_t a = at(layer, i);
      if (kOpenroadStraps[layer].horizontal)
        wire(layer, "STRIPE", {0, a}, {floorplan_.width(), a});
      else
        wire(layer, "STRIPE", {a, 0}, {a, floorplan_.height()});
    }
  }
  /// A strap goes through regions that have it, and ends at macros.
  void broken_straps() {
    for (int64_t i = 0; i < count(kBroken); ++i) {
      const int64_t x = at(kBroken, i);
      int64_t begin = -1;
      for (int64_t y = floorplan_.is_over_macro({x, 0}) ? kMacroHeight : 0; y < floorplan_.height();
           y = (y / kRegionSize + 1) * kRegionSize) {
        const bool is_present = floorplan_.has_strap(i, {x, y});
        if (is_present && begin < 0) begin = y;
        if (!is_present && begin >= 0) strap_piece(x, std::exchange(begin, -1), y);
      }
      if (begin >= 0) strap_piece(x, begin, floorplan_.height());
    }
  }
  void strap_piece(int64_t x, int64_t y0, int64_t y1) { wire(kBroken, "STRIPE", {x, y0}, {x, y1}); }

  void rails() {
    for (int64_t r = 0; r <= floorplan_.rows(); ++r) {
      if (LayoutFloorplan::net_of_rail(r) != net_) continue;
      const Span rail = floorplan_.rail(r);
      wire(0, "FOLLOWPIN", {rail.begin, r * kRowHeight}, {rail.end, r * kRowHeight});
    }
  }

  DeckWriter& def_;
  const LayoutFloorplan& floorplan_;
  int net_;
  bool has_wire_ = false;
};

}  // namespace

void write_vias(DeckWriter& def, const LayoutFloorplan& floorplan) {
  const int count = kOpenroadStraps[floorplan.layers() - 1].number - 1;
  def << "VIAS " << int64_t{count} << " ;\n";
  for (int l = 0; l + 1 < floorplan.layers(); ++l)
    for_each_via_between(l, [&](ViaName via) {
      const int64_t m = via.lower;
      const CutRule& cut = kCutRules[m - 1];
      const ViaShape shape = via_shape(cut, via.width, via.height);
      const auto pair = [&](int64_t a, int64_t b) -> DeckWriter& { return def << ' ' << a << ' ' << b; };
      def << "    - " << via << " + VIARULE via" << m << "Array + CUTSIZE";
      pair(cut.size, cut.size) << "  + LAYERS metal" << m << " via" << m << " metal" << m + 1 << "  + CUTSPACING";
      pair(cut.spacing, cut.spacing) << "  + ENCLOSURE";
      pair(shape.x_enclosure, shape.y_enclosure);
      pair(shape.x_enclosure, shape.y_enclosure) << "  + ROWCOL";
      pair(shape.rows, shape.columns) << "  ;\n";
    });
  def << "END VIAS\n";
}

void write_power_nets(DeckWriter& def, const LayoutFloorplan& floorplan) {
  def << "SPECIALNETS 2 ;\n";
  for (int net = 0; net < 2; ++net) PowerNetWriter(def, floorplan, net).write();
  def << "END SPECIALNETS\n";
}

}  // namespace gridiron::generator
