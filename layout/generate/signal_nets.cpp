// SPDX-License-Identifier: Apache-2.0
// NETS of a generated layout: what a reader of power nets passes over, as much as a real design has of it.
#include <algorithm>
#include <cmath>
#include <compare>
#include <iterator>
#include <span>
#include <vector>

#include "layout/generate/design.hpp"

namespace gridiron::generator {
namespace {

/// An input of a cell, and the cell of the same row that drives it. Cells are numbered among those with signals.
struct Sink {
  int32_t driver;  ///< −1: the pin of the row
  int32_t cell, input;
  friend auto operator<=>(const Sink&, const Sink&) = default;
};

class SignalNetWriter {
 public:
  SignalNetWriter(DeckWriter& def, const LayoutFloorplan& floorplan, double routed)
      : def_(def), random_(floorplan.random()), wired_(std::llround(routed * kParts)) {}

  void write_row(int64_t row, const std::vector<PlacedCell>& cells) {
    cells_.clear();
    std::ranges::copy_if(cells, std::back_inserter(cells_), &PlacedCell::draws_power);
    connect();
    auto sink = sinks_.begin();
    for (int32_t driver = -1; driver < static_cast<int32_t>(cells_.size()); ++driver) {
      const auto first = sink;
      while (sink != sinks_.end() && sink->driver == driver) ++sink;
      write_net(row, driver, {first, sink});
    }
  }

 private:
  static constexpr int64_t kParts = 1'000'000'000;

  /// Every input to one of the outputs that come before it, the first one of the row to its pin.
  void connect() {
    constexpr int64_t kReach = 8;
    const auto count = static_cast<int64_t>(cells_.size());
    sinks_.clear();
    for (int64_t c = 0; c < count; ++c) {
      for (int64_t input = 0; input < std::ssize(cells_[c].cell->inputs); ++input) {
        if (cells_[c].cell->inputs[input].empty()) break;
        const int64_t back =
            1 + random_.below(std::clamp<int64_t>(count - 1, 1, kReach), {kDriver, cells_[c].number, input});
        const int64_t driver = c == 0 && input == 0 ? -1 : (c + count - back) % count;
        sinks_.push_back({static_cast<int32_t>(driver), static_cast<int32_t>(c), static_cast<int32_t>(input)});
      }
    }
    std::ranges::sort(sinks_);
  }

  void write_net(int64_t row, int32_t driver, std::span<const Sink> sinks) {
    if (driver < 0) {
      def_ << "    - in[" << row << "] ( PIN in[" << row << "] )";
    } else {
      const PlacedCell& cell = cells_[driver];
      def_ << "    - n" << cell.number << " ( " << cell << ' ' << cell.cell->output << " )";
    }
    for (const Sink& sink : sinks) {
      const PlacedCell& cell = cells_[sink.cell];
      def_ << " ( " << cell << ' ' << cell.cell->inputs[sink.input] << " )";
    }
    def_ << " + USE SIGNAL";
    if (driver >= 0 && !sinks.empty() && random_.below(kParts, {kWired, cells_[driver].number}) < wired_)
      write_wires(cells_[driver], sinks);
    def_ << " ;\n";
  }

  /// Up from the output, along the row, and down to each input.
  void write_wires(const PlacedCell& from, std::span<const Sink> sinks) {
    constexpr int64_t kTrack = 400;
    const auto pin = [](const PlacedCell& cell, int64_t number) {
      return Point{cell.place.x + number * kSite + kSite / 2, cell.place.y + kRowHeight / 2};
    };
    const Point out = pin(from, from.cell->sites - 1);
    int64_t track = out.y + kTrack;
    def_ << "\n      + ROUTED metal1 " << out << " M2_M1";
    for (const Sink& sink : sinks) {
      const Point in = pin(cells_[sink.cell], sink.input);
      const Point turn{out.x, track}, down{in.x, track};
      along(2, out) << down_to_y(turn) << " M3_M2";
      along(3, turn) << "( " << down.x + LayoutFloorplan::kMargin << " * ) M3_M2";
      along(2, down) << down_to_y(in) << " M2_M1";
      track += kTrack;
    }
  }
  DeckWriter& along(int64_t metal, Point from) { return def_ << "\n      NEW metal" << metal << ' ' << from << ' '; }
  struct ToY {
    int64_t y;
  };
  static ToY down_to_y(Point p) { return {p.y + LayoutFloorplan::kMargin}; }
  friend DeckWriter& operator<<(DeckWriter& def, ToY to) { return def << "( * " << to.y << " )"; }

  DeckWriter& def_;
  const Random& random_;
  int64_t wired_;
  std::vector<PlacedCell> cells_;
  std::vector<Sink> sinks_;
};

}  // namespace

void write_signal_nets(DeckWriter& def, const LayoutFloorplan& floorplan, double routed) {
  def << "NETS " << floorplan.drivers() + floorplan.used_rows() << " ;\n";
  SignalNetWriter writer(def, floorplan, routed);
  floorplan.for_each_row([&](int64_t row, const std::vector<PlacedCell>& cells) { writer.write_row(row, cells); });
  def << "END NETS\n";
}

}  // namespace gridiron::generator
