// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "layout/generate.hpp"
#include "layout/generate/technology.hpp"
#include "netlist/generator/openroad_floorplan.hpp"
#include "netlist/generator/random.hpp"

namespace gridiron::generator {

/// Keys that separate the random streams of layouts.
enum LayoutStream : int64_t { kKind = Regions::kFirstFreeKey, kOccupied, kFilled, kWatts, kDriver, kWired };

/// A component between rails. Places are relative to the core, whose low corner is at kMargin in the die.
struct PlacedCell {
  int64_t number;  ///< of all components, from 0; macros come first
  const Cell* cell;
  Point place;

  bool draws_power() const { return !cell->output.empty(); }
};

struct Span {
  int64_t begin, end;
  bool holds(int64_t at) const { return begin <= at && at <= end; }
};

/// Where everything in a generated layout is. Only what all of it has in common is stored; rows of cells are made
/// again, always the same ones, whenever they are asked for. Lengths are in database units.
class LayoutFloorplan {
 public:
  explicit LayoutFloorplan(const layout::LayoutGeneratorOptions& options);

  static constexpr int64_t kMargin = 4 * kRowHeight;

  int layers() const { return layers_; }
  int64_t components() const { return components_; }
  const Regions& regions() const { return regions_; }
  const Random& random() const { return random_; }
  int64_t width() const { return width_; }
  int64_t height() const { return rows_ * kRowHeight; }
  int64_t rows() const { return rows_; }
  /// Those that have cells, which are the first.
  int64_t used_rows() const { return used_rows_; }
  /// Components with a signal output.
  int64_t drivers() const { return drivers_; }

  /// x of the macros' low corners, which are at y = 0; empty: none.
  const std::vector<int64_t>& macros() const { return macros_; }

  /// Where cells of a row may be.
  Span row(int64_t row) const {
    if (macros_.empty() || row >= kMacroRows + kHaloRows) return {0, width_};
    return {macros_.front() + kMacroWidth + kHalo, (macros_.back() - kHalo) / kSite * kSite};
  }
  /// Between rows number − 1 and number.
  Span rail(int64_t number) const { return row(number < rows_ ? number : rows_ - 1); }
  /// 0: VDD, 1: VSS. Rows stand upside down and upright by turns.
  static int net_of_rail(int64_t number) { return static_cast<int>(number % 2); }

  /// Number of straps of a net on a layer of the floorplan, and where one is.
  int64_t straps(int layer, int net) const {
    const int64_t extent = kOpenroadStraps[layer].horizontal ? height() : width_;
    return (extent - kStrapWidths[layer] / 2 - first_strap(layer, net)) / kOpenroadStraps[layer].pitch + 1;
  }
  static int64_t strap(int layer, int net, int64_t number) {
    return first_strap(layer, net) + number * kOpenroadStraps[layer].pitch;
  }
  /// Whether a net has the strap of this number, of the layer where straps go through some regions only.
  bool has_strap(int64_t number, Point p) const { return regions_.has_strap(number, {p.x, std::min(p.y, highest_y_)}); }
  bool is_over_macro(Point p) const {
    if (p.y < 0 || p.y >= kMacroHeight) return false;
    for (const int64_t x : macros_)
      if (p.x >= x && p.x < x + kMacroWidth) return true;
    return false;
  }

  /// Calls f(row, cells) for every row that has cells; `cells` are sorted by x, the first one draws power.
  template <class F>
  void for_each_row(F&& f) const {
    std::vector<PlacedCell> cells;
    int64_t number = static_cast<int64_t>(macros_.size());
    for (int64_t row = 0; number < components_; ++row) {
      fill_row(row, number, cells);
      number += static_cast<int64_t>(cells.size());
      f(row, cells);
    }
  }

 private:
  static constexpr int64_t kHaloRows = 2, kHalo = 10 * kSite;

  void fill_row(int64_t row, int64_t number, std::vector<PlacedCell>& cells) const;

  int64_t components_;
  int layers_;
  Random random_;
  Regions regions_;
  int64_t width_ = 0, rows_ = 0, used_rows_ = 0, drivers_ = 0;
  int64_t highest_y_ = 0;  ///< what is above belongs to the region of this
  std::vector<int64_t> macros_;
};

}  // namespace gridiron::generator
