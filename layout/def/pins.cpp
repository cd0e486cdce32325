// SPDX-License-Identifier: Apache-2.0
// PINS: the pins of the block that a power grid may have, with their shapes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "layout/def/def_file.hpp"

namespace gridiron::layout {
namespace {

constexpr std::array<std::string_view, 4> kPassedOverPinOptions = {"DIRECTION", "NETEXPR", "PROPERTY",
                                                                   "SUPPLYSENSITIVITY"};

class PinReader {
 public:
  explicit PinReader(DefFile& def) : def_(def), tokens_(def.tokens) {}

  BlockPin read() {
    pin_.place = {0, tokens_.offset()};
    pin_.name = plain_name(tokens_.name("the name of a pin"));
    while (!tokens_.accept(';')) {
      if (!tokens_.accept('+')) tokens_.fail_expected(fmt::format("'+' or ';' in pin {}", pin_.name));
      read_option();
    }
    end_port();
    if (empty_box_ && (pin_.special || pin_.use == Use::power || pin_.use == Use::ground))
      tokens_.fail(*empty_box_, fmt::format("a rectangle of pin {} has no area", pin_.name));
    return std::move(pin_);
  }

 private:
  void read_option() {
    const size_t where = tokens_.offset();
    const std::string_view keyword = tokens_.take();
    if (keyword == "NET") {
      pin_.net = plain_name(tokens_.name("the net of a pin"));
    } else if (keyword == "SPECIAL") {
      pin_.special = true;
    } else if (keyword == "USE") {
      pin_.use = use_of(tokens_.name("the USE of a pin"));
    } else if (keyword == "PORT") {
      end_port();
    } else if (keyword == "LAYER" || keyword == "POLYGON") {
      read_shape(keyword == "POLYGON");
    } else if (keyword == "VIA") {
      read_via();
    } else if (keyword == "PLACED" || keyword == "FIXED" || keyword == "COVER") {
      place_ = tokens_.point();
      orientation_ = take_orientation(tokens_);
    } else if (keyword == "UNPLACED") {
      place_.reset();
    } else if (keyword.starts_with("ANTENNA") || keyword == "GROUNDSENSITIVITY" ||
               std::ranges::find(kPassedOverPinOptions, keyword) != kPassedOverPinOptions.end()) {
      skip_option(tokens_, "PINS");
    } else {
      tokens_.seek(where);
      tokens_.fail_unknown("PINS");
    }
  }

  void read_shape(bool is_polygon) {
    const int32_t layer = take_layer(tokens_, def_.library);
    for (;;) {
      if (tokens_.accept("MASK"))
        tokens_.count("the number of a mask");
      else if (tokens_.accept("SPACING") || tokens_.accept("DESIGNRULEWIDTH"))
        tokens_.dbu("a length");
      else
        break;
    }
    if (is_polygon) {
      polygons_.push_back({layer, take_points(tokens_, 3, "a POLYGON")});
      return;
    }
    const size_t where = tokens_.offset();
    const Point a = tokens_.point(), b = tokens_.point(&a);
    if (a.x == b.x || a.y == b.y)
      empty_box_ = empty_box_.value_or(where);  // usual for pins of signals that no router has seen
    else
      boxes_.push_back({layer, {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)}});
  }

  /// The metal of a via.
  void read_via() {
    const size_t where = tokens_.offset();
    const std::string_view name = tokens_.name("the name of a via");
    if (tokens_.accept("MASK")) tokens_.count("the number of a mask");
    const ViaNames::Known known = def_.vias.find(name);
    if (!known.is_known)
      tokens_.fail(where, fmt::format("no via {} in VIAS or a LEF file; define it, or give its LEF file", shown(name)));
    if (known.id < 0 && def_.chip.dbu_per_um == 0)
      tokens_.fail(where, "a via of a LEF file before UNITS DISTANCE MICRONS; put UNITS at the beginning of the file");
    add(known.id < 0 ? ViaNames::in_database_units(def_.library, -1 - known.id, def_.chip.dbu_per_um)
                     : def_.chip.vias[static_cast<size_t>(known.id)],
        tokens_.point(), where);
  }

  void add(const Via& via, Point center, size_t where) {
    const auto moved = [&](Point p) {
      return Point{in_range(tokens_, where, int64_t{p.x} + center.x),
                   in_range(tokens_, where, int64_t{p.y} + center.y)};
    };
    const auto add_boxes = [&](int32_t layer, const std::vector<Box>& boxes) {
      for (const Box& box : boxes) {
        const Point low = moved({box.x0, box.y0}), high = moved({box.x1, box.y1});
        boxes_.push_back({layer, {low.x, low.y, high.x, high.y}});
      }
    };
    def_.shapes.add(tokens_, where, 1, 1, std::ssize(via.bottom_boxes) + std::ssize(via.top_boxes));
    add_boxes(via.bottom, via.bottom_boxes);
    add_boxes(via.top, via.top_boxes);
    for (LayerPolygon polygon : via.polygons) {
      def_.shapes.add(tokens_, where, 1, 1, std::ssize(polygon.corners));
      for (Point& corner : polygon.corners) corner = moved(corner);
      polygons_.push_back(std::move(polygon));
    }
  }

  /// Shapes so far come to the place of their port, if it has one.
  void end_port() {
    if (place_) {
      const auto at = [this](int64_t coordinate) { return in_range(tokens_, pin_.place.offset, coordinate); };
      const auto moved = [&](Point p) {
        p = turned(p, orientation_);
        return Point{at(int64_t{p.x} + place_->x), at(int64_t{p.y} + place_->y)};
      };
      for (const LayerBox& shape : boxes_) {
        const Point a = moved({shape.box.x0, shape.box.y0}), b = moved({shape.box.x1, shape.box.y1});
        pin_.boxes.push_back(
            {shape.layer, {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)}});
      }
      for (LayerPolygon& shape : polygons_) {
        for (Point& corner : shape.corners) corner = moved(corner);
        pin_.polygons.push_back(std::move(shape));
      }
    }
    boxes_.clear();
    polygons_.clear();
    place_.reset();
  }

  DefFile& def_;
  Tokens& tokens_;
  BlockPin pin_;
  std::vector<LayerBox> boxes_;  ///< of the port, before it is placed
  std::vector<LayerPolygon> polygons_;
  std::optional<size_t> empty_box_;  ///< the first one
  std::optional<Point> place_;
  Orientation orientation_ = Orientation::N;
};

}  // namespace

void DefFile::read_pins() {
  while (tokens.accept('-')) chip.pins.push_back(PinReader(*this).read());
}

}  // namespace gridiron::layout
