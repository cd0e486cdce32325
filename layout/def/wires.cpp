// SPDX-License-Identifier: Apache-2.0
#include "layout/def/wires.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "layout/def/def_file.hpp"

namespace gridiron::layout {
namespace {

/// The default style at 45°: its sides are as far apart as the wire is wide, rounded up.
std::vector<Point> octagon(Dbu width) {
  const Dbu a = width / 2;
  const auto b = static_cast<Dbu>(std::ceil(2 * a / std::numbers::sqrt2)) - a;
  return {{a, b}, {b, a}, {-b, a}, {-a, b}, {-a, -b}, {-b, -a}, {b, -a}, {a, -b}};
}

/// The outline of a style at both ends of a segment: its extreme points in eight directions, counterclockwise.
std::vector<Point> outline(const std::vector<Point>& points) {
  using Key = std::pair<int64_t, int64_t>;
  const auto extreme = [&points](auto key) {  // the least
    return *std::ranges::min_element(points, {}, key);
  };
  const std::array<Point, 8> corners = {
      extreme([](Point p) { return Key{p.x, p.y}; }),   extreme([](Point p) { return Key{p.y, p.x}; }),
      extreme([](Point p) { return Key{p.y, -p.x}; }),  extreme([](Point p) { return Key{-p.x, p.y}; }),
      extreme([](Point p) { return Key{-p.x, -p.y}; }), extreme([](Point p) { return Key{-p.y, -p.x}; }),
      extreme([](Point p) { return Key{-p.y, p.x}; }),  extreme([](Point p) { return Key{p.x, -p.y}; })};
  std::vector<Point> shape;
  for (const Point& corner : corners)
    if (shape.empty() || shape.back() != corner) shape.push_back(corner);
  while (shape.size() > 1 && shape.front() == shape.back()) shape.pop_back();
  return shape;
}

bool is_rectangle(const std::vector<Point>& corners) {
  return corners.size() == 4 && corners[0].x == corners[3].x && corners[1].x == corners[2].x &&
         corners[0].y == corners[1].y && corners[2].y == corners[3].y;
}

bool is_strap(std::string_view shape) { return shape == "STRIPE" || shape == "FOLLOWPIN" || shape == "RING"; }

}  // namespace

void WireReader::read_path(SpecialNet& net) {
  if (tokens_.peek() != layer_word_ || layer_ < 0) {
    layer_word_ = tokens_.peek();
    layer_ = take_layer(tokens_, names_.library);
  } else {
    tokens_.take();
  }
  const size_t where = tokens_.offset();
  width_at_ = where;
  width_ = tokens_.dbu("the width of a wire");
  if (width_ < 0) tokens_.fail(where, fmt::format("the width of this wire of net {} is below zero", net.name));
  const int32_t first_layer = layer_;
  style_ = nullptr;
  has_point_ = is_virtual_ = is_strap_ = false;
  read_attributes();
  for (std::string_view word = tokens_.peek(); word != "NEW" && word != "+" && word != ";"; word = tokens_.peek()) {
    if (word.empty()) tokens_.fail_expected("points and vias of a wire, or ';'");
    if (word[0] == '(')
      read_point(net);
    else
      read_word(net);
  }
  if (!has_point_) tokens_.fail_expected("a point of this wire, like ( 0 100 )");
  layer_ = first_layer;
}

void WireReader::read_attributes() {
  while (tokens_.accept('+')) {
    if (tokens_.accept("SHAPE"))
      is_strap_ = is_strap(tokens_.name("the SHAPE of a wire"));
    else if (tokens_.accept("STYLE"))
      take_style();
    else if (tokens_.accept("MASK"))
      tokens_.count("the number of a mask");
    else
      tokens_.fail_unknown("a wire before its points");
  }
}

void WireReader::take_style() {
  const size_t where = tokens_.offset();
  const Dbu number = tokens_.dbu("the number of a style");
  const auto index = static_cast<size_t>(number);
  if (number < 0 || index >= names_.styles.size() || names_.styles[index].empty())
    tokens_.fail(where, fmt::format("STYLES has no style {}; define it before SPECIALNETS", number));
  style_ = &names_.styles[index];
}

void WireReader::read_word(SpecialNet& net) {
  if (tokens_.accept("MASK")) {
    tokens_.dbu("the number of a mask");  // of a via, three digits that may begin with 0
  } else if (tokens_.accept("VIRTUAL")) {
    is_virtual_ = true;
  } else if (tokens_.accept("RECT")) {
    read_patch(net);
  } else if (tokens_.accept("STYLE")) {
    take_style();
  } else if (tokens_.accept("TAPERRULE")) {
    tokens_.name("the name of a rule");
  } else if (!tokens_.accept("TAPER")) {
    read_via(net);
  }
}

void WireReader::read_point(SpecialNet& net) {
  const size_t where = tokens_.offset();
  Dbu extension = 0;
  const Point to = tokens_.point(has_point_ ? &last_ : nullptr, &extension);
  if (has_point_ && !is_virtual_) add_segment(net, where, to, extension);
  has_point_ = true;
  is_virtual_ = false;
  last_ = to;
  last_extension_ = extension;
}

/// RECT ( x0 y0 x1 y1 ) about the last point.
void WireReader::read_patch(SpecialNet& net) {
  const size_t where = tokens_.offset();
  if (!has_point_) tokens_.fail(where, "RECT before a point of this wire; it is measured from the last point");
  tokens_.open("( x0 y0 x1 y1 ) of a RECT");
  std::array<Dbu, 4> by{};
  for (Dbu& some : by) some = tokens_.dbu("a coordinate");
  tokens_.close("')' behind the coordinates of a RECT");
  const auto x = [&](Dbu dx) { return in_range(tokens_, where, int64_t{last_.x} + dx); };
  const auto y = [&](Dbu dy) { return in_range(tokens_, where, int64_t{last_.y} + dy); };
  const Box box{std::min(x(by[0]), x(by[2])), std::min(y(by[1]), y(by[3])), std::max(x(by[0]), x(by[2])),
                std::max(y(by[1]), y(by[3]))};
  if (box.width() == 0 || box.height() == 0) tokens_.fail(where, "this RECT has no area");
  add_box(net, layer_, box, kNoWidth);
}

ViaNames::Known WireReader::via_named(size_t where, std::string_view name) {
  if (name != via_word_) {
    via_ = names_.vias.find(name);
    via_word_ = name;
  }
  if (!via_.is_known) {
    via_word_ = {};
    tokens_.fail(where, fmt::format("no via {} in VIAS or a LEF file; define it, or give its LEF file", shown(name)));
  }
  return via_;
}

/// A via at the last point, from where the wire goes on in the via's other layer.
void WireReader::read_via(SpecialNet& net) {
  const size_t where = tokens_.offset();
  const std::string_view name = tokens_.name("a point, a via, NEW, '+' or ';'");
  const ViaNames::Known via = via_named(where, name);
  if (!has_point_)
    tokens_.fail(where, fmt::format("via {} before a point of this wire; its place is the last point", name));
  add_vias(net, where, via.id);
  if (via.top < 0) return;
  if (layer_ != via.bottom && layer_ != via.top && !tokens_.is("NEW") && !tokens_.is('+') && !tokens_.is(';'))
    tokens_.fail(
        where, fmt::format("via {} does not reach layer {}, so the wire cannot go on behind it; begin a NEW one", name,
                           names_.library.layers[static_cast<size_t>(layer_)].name));
  layer_ = layer_ == via.top ? via.bottom : via.top;
}

void WireReader::add_vias(SpecialNet& net, size_t where, int32_t via) {
  Orientation orientation = Orientation::N;
  if (const std::optional<Orientation> turned = orientation_of(tokens_.peek())) {
    orientation = *turned;
    tokens_.take();
  }
  if (!tokens_.accept("DO")) {
    net.vias.push_back({via, last_, orientation});
    return;
  }
  const int64_t columns = tokens_.count("a number of columns");
  tokens_.expect("BY", "an array of vias");
  const int64_t rows = tokens_.count("a number of rows");
  tokens_.expect("STEP", "an array of vias");
  const int64_t step_x = tokens_.dbu("a step"), step_y = tokens_.dbu("a step");
  expansion_.add(tokens_, where, columns, rows);
  in_range(tokens_, where, last_.x + (columns - 1) * step_x);
  in_range(tokens_, where, last_.y + (rows - 1) * step_y);
  for (int64_t column = 0; column < columns; ++column)
    for (int64_t row = 0; row < rows; ++row)
      net.vias.push_back(
          {via, {static_cast<Dbu>(last_.x + column * step_x), static_cast<Dbu>(last_.y + row * step_y)}, orientation});
}

void WireReader::add_segment(SpecialNet& net, size_t where, Point to, Dbu extension) {
  if (to == last_) return;  // says something of its end only
  if (width_ == 0)
    tokens_.fail(where, fmt::format("a wire of net {} has no width; only vias may have 0 there", net.name));
  const bool is_straight = to.x == last_.x || to.y == last_.y;
  const bool is_diagonal = std::abs(int64_t{to.x} - last_.x) == std::abs(int64_t{to.y} - last_.y);
  if (!is_straight && !is_diagonal)
    tokens_.fail(where, fmt::format("the wire from ( {} {} ) to ( {} {} ) is neither along an axis nor at 45 degrees",
                                    last_.x, last_.y, to.x, to.y));
  if (style_)
    add_styled(net, where, to, *style_);
  else if (is_straight)
    add_straight(net, where, to, extension);
  else
    add_styled(net, where, to, octagon(width_));
}

void WireReader::add_straight(SpecialNet& net, size_t where, Point to, Dbu extension) {
  const bool is_horizontal = to.y == last_.y;
  int64_t low = is_horizontal ? last_.x : last_.y, high = is_horizontal ? to.x : to.y;
  int64_t before = last_extension_, behind = extension;
  if (low > high) std::swap(low, high), std::swap(before, behind);
  const Dbu along0 = in_range(tokens_, where, low - before), along1 = in_range(tokens_, where, high + behind);
  const int64_t edge = int64_t{is_horizontal ? to.y : to.x} - width_ / 2;
  const Dbu across0 = in_range(tokens_, where, edge), across1 = in_range(tokens_, where, edge + width_);
  if (along0 >= along1) tokens_.fail(where, "the extensions of this wire leave nothing of it");
  add_box(net, layer_, is_horizontal ? Box{along0, across0, along1, across1} : Box{across0, along0, across1, along1},
          width_at_);
  if (is_strap_) net.straps.push_back(net.boxes.back());
}

void WireReader::add_styled(SpecialNet& net, size_t where, Point to, const std::vector<Point>& style) {
  std::vector<Point> points;
  for (const Point& end : {last_, to})
    for (const Point& p : style)
      points.push_back(
          {in_range(tokens_, where, int64_t{end.x} + p.x), in_range(tokens_, where, int64_t{end.y} + p.y)});
  std::vector<Point> corners = outline(points);
  if (corners.size() < 3) tokens_.fail(where, "this wire has no width; its style is a line along it");
  if (is_rectangle(corners))
    add_box(net, layer_, {corners[0].x, corners[0].y, corners[2].x, corners[2].y}, kNoWidth);
  else
    net.polygons.push_back({layer_, std::move(corners)});
}

void WireReader::skip_plus_mask() {
  if (tokens_.accept('+')) {
    tokens_.expect("MASK", "a shape of SPECIALNETS");
    tokens_.count("the number of a mask");
  }
}

void WireReader::read_rect(SpecialNet& net) {
  const int32_t layer = take_layer(tokens_, names_.library);
  skip_plus_mask();
  add_box(net, layer, take_box(tokens_, "a RECT"), kNoWidth);
}

void WireReader::read_polygon(SpecialNet& net) {
  const int32_t layer = take_layer(tokens_, names_.library);
  skip_plus_mask();
  net.polygons.push_back({layer, take_points(tokens_, 3, "a POLYGON")});
}

void WireReader::read_vias(SpecialNet& net) {
  const size_t where = tokens_.offset();
  const ViaNames::Known via = via_named(where, tokens_.name("the name of a via"));
  Orientation orientation = Orientation::N;
  if (const std::optional<Orientation> turned = orientation_of(tokens_.peek())) {
    orientation = *turned;
    tokens_.take();
  }
  for (const Point& place : take_points(tokens_, 1, "+ VIA")) net.vias.push_back({via.id, place, orientation});
}

}  // namespace gridiron::layout
