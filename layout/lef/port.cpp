// SPDX-License-Identifier: Apache-2.0
#include "layout/lef/port.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gridiron::layout {

void PortReader::read() {
  const size_t begin = tokens_.offset();
  layer_ = kNoLayer;
  while (!tokens_.accept("END")) {
    if (tokens_.at_end()) tokens_.fail(begin, fmt::format("a PORT of {} has no END; is the file cut off?", where_));
    read_statement();
  }
}

std::vector<ShapeUm> PortReader::take_shapes() {
  if (failure_) tokens_.fail(failure_->first, failure_->second);
  return std::move(shapes_);
}

std::vector<ShapeUm> PortReader::take_sound_shapes() { return failure_ ? std::vector<ShapeUm>() : std::move(shapes_); }

void PortReader::read_statement() {
  const size_t begin = tokens_.offset();
  const std::string_view keyword = tokens_.take();
  if (keyword == "CLASS" || keyword == "PROPERTY") {
    tokens_.skip_statement(where_);
  } else if (keyword == "LAYER") {
    read_layer();
  } else if (keyword == "WIDTH") {
    width_ = tokens_.um("the width of a path");
    tokens_.expect(";", where_);
  } else if (keyword == "RECT" || keyword == "POLYGON" || keyword == "PATH" || keyword == "VIA") {
    lef_.skip_mask();
    const bool repeats = tokens_.accept("ITERATE");
    std::vector<ShapeUm> shapes;
    if (keyword == "RECT")
      shapes.push_back({layer_, lef_.rectangle(), false});
    else if (keyword == "POLYGON")
      shapes.push_back({layer_, lef_.polygon(), true});
    else
      shapes = keyword == "PATH" ? path() : via();
    if (keyword != "VIA" && layer_ == kNoLayer)
      tokens_.fail(begin, fmt::format("{} before a LAYER; name its layer first", keyword));
    if (repeats && !tokens_.is("DO")) tokens_.fail_expected(fmt::format("DO … BY … STEP behind ITERATE in {}", where_));
    add(begin, shapes);
  } else {
    tokens_.seek(begin);
    tokens_.fail_unknown(fmt::format("a PORT of {}", where_));
  }
}

void PortReader::read_layer() {
  const size_t where = tokens_.offset();
  const std::string_view name = tokens_.name("the name of a layer");
  layer_ = lef_.library.layer(name);
  width_ = 0;
  if (layer_ >= 0) {
    width_ = lef_.library.layers[static_cast<size_t>(layer_)].width_um;
  } else {
    layer_ = kUnknownLayer;
    note(where, fmt::format("no LAYER {} before this line; give the LEF file of the technology first", shown(name)));
  }
  tokens_.skip_statement(where_);  // EXCEPTPGNET, SPACING, DESIGNRULEWIDTH
}

PortReader::Steps PortReader::steps() {
  Steps steps;
  if (!tokens_.accept("DO")) return steps;
  steps.columns = tokens_.count("a number of columns");
  tokens_.expect("BY", where_);
  steps.rows = tokens_.count("a number of rows");
  tokens_.expect("STEP", where_);
  steps.x = tokens_.um("a step");
  steps.y = tokens_.um("a step");
  return steps;
}

void PortReader::add(size_t begin, const std::vector<ShapeUm>& shapes) {
  const Steps repeated = steps();
  tokens_.expect(";", where_);
  size_t coordinates = 0;
  for (const ShapeUm& shape : shapes) coordinates += shape.xy.size();
  if (shapes.size() > 1 || repeated.columns > 1 || repeated.rows > 1)
    lef_.expansion.add(tokens_, begin, repeated.columns, repeated.rows, static_cast<int64_t>(coordinates / 4 + 1));
  for (const ShapeUm& shape : shapes)
    if (!shape.is_polygon && !(shape.xy[0] < shape.xy[2] && shape.xy[1] < shape.xy[3]))
      note(begin, fmt::format("a rectangle of {} has no area", where_));
  for (int64_t column = 0; column < repeated.columns; ++column)
    for (int64_t row = 0; row < repeated.rows; ++row)
      for (const ShapeUm& shape : shapes) {
        shapes_.push_back(shape);
        std::vector<double>& xy = shapes_.back().xy;
        for (size_t k = 0; k < xy.size(); ++k)
          xy[k] += k % 2 == 0 ? static_cast<double>(column) * repeated.x : static_cast<double>(row) * repeated.y;
      }
}

/// Rectangles that reach half a width beyond the points.
std::vector<ShapeUm> PortReader::path() {
  const size_t begin = tokens_.offset();
  if (!(width_ > 0)) note(begin, fmt::format("the width of a PATH of {} is not above zero", where_));
  const double half = width_ / 2;
  std::vector<ShapeUm> shapes;
  std::array<double, 2> last = lef_.point();
  for (bool is_first = true; is_first || lef_.has_point(); is_first = false) {
    const std::array<double, 2> next = lef_.has_point() ? lef_.point() : last;
    if (next[0] != last[0] && next[1] != last[1])
      note(begin, fmt::format("a PATH of {} is not along an axis; LEF has no other paths in pins", where_));
    shapes.push_back({layer_,
                      {std::min(last[0], next[0]) - half, std::min(last[1], next[1]) - half,
                       std::max(last[0], next[0]) + half, std::max(last[1], next[1]) + half},
                      false});
    last = next;
  }
  return shapes;
}

std::vector<ShapeUm> PortReader::via() {
  const auto [x, y] = lef_.point();
  const size_t where = tokens_.offset();
  const std::string_view name = tokens_.name("the name of a via");
  const int32_t via = lef_.library.via(name);
  if (via < 0) {
    note(where, fmt::format("no VIA {} before this line; give the LEF file that defines it first", shown(name)));
    return {};
  }
  std::vector<ShapeUm> shapes = lef_.library.vias[static_cast<size_t>(via)].shapes;
  for (ShapeUm& shape : shapes)
    for (size_t k = 0; k < shape.xy.size(); ++k) shape.xy[k] += k % 2 == 0 ? x : y;
  return shapes;
}

void PortReader::note(size_t offset, std::string message) {
  if (!failure_) failure_.emplace(offset, std::move(message));
}

}  // namespace gridiron::layout
