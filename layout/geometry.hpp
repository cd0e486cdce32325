// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gridiron::layout {

/// A length or place in database units (DEF's UNITS DISTANCE MICRONS per µm).
using Dbu = int32_t;

/// Places that a file gives are nearer to the origin than this, and lengths in µm shorter than half of it, so that a
/// placed shape, turned or not, is within the range of Dbu.
inline constexpr int64_t kFarthest = int64_t{1} << 30;

struct Point {
  Dbu x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
  friend auto operator<=>(const Point&, const Point&) = default;
};

/// A closed rectangle, low corner first.
struct Box {
  Dbu x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  Dbu width() const { return x1 - x0; }
  Dbu height() const { return y1 - y0; }
  friend bool operator==(const Box&, const Box&) = default;
};

/// LEF and DEF's names: N, W, S, E are turned by 0, 90, 180, 270 degrees counterclockwise; F… are flipped about the y
/// axis after that.
enum class Orientation : uint8_t { N, W, S, E, FN, FW, FS, FE };

/// The smallest box of some points, of which there is one.
Box bounds(std::span<const Point> points);

/// Of "N", "FS" and so on.
std::optional<Orientation> orientation_of(std::string_view word);

/// About the origin.
Point turned(Point point, Orientation orientation);
Box turned(const Box& box, Orientation orientation);

/// A macro's corner or shape at the place of its component: the macro, `width` by `height` with its low corner at the
/// origin, is turned, and the low corner of what it covers then comes to `place`.
Point placed(Point point, Dbu width, Dbu height, Point place, Orientation orientation);
Box placed(const Box& box, Dbu width, Dbu height, Point place, Orientation orientation);

/// µm as database units, to the nearest one. Errors: InputError (too long, see kFarthest).
Dbu to_dbu(double um, double dbu_per_um);

}  // namespace gridiron::layout
