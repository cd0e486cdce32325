// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/pde_report.hpp"
#include "reports/pictures/canvas.hpp"
#include "support/lists.hpp"

namespace gridiron {
namespace {

constexpr int kMargin = 24, kTop = 66;
constexpr int kWarm = 140;  // a heat colour that stands out on white

/// Title, remark at the right, facts below.
void draw_heading(Canvas& canvas, const std::string& title, const PdeResult& result, const std::string& facts) {
  Typeface text_face{kTextPixels}, title_face{kTitlePixels};
  canvas.text(kMargin, 30, title, title_face);
  canvas.text(canvas.width() - kMargin, 30, shape_text(result.shape, result.problem->dimensions), text_face,
              Canvas::Align::right, true);
  canvas.text(kMargin, 51, facts, text_face, Canvas::Align::left, true);
}

/// Projection from space to the page: rotated about z and tilted, orthographic.
class View {
 public:
  View(const Point& middle, double scale, double x, double y) : middle_(middle), scale_(scale), x_(x), y_(y) {}

  struct Seen {
    double x, y, depth;  ///< depth increases away from the viewer
  };
  Seen operator()(const Point& p) const {
    constexpr double kTurned = 0.6, kTilted = 0.5;  // radians
    const double px = p[0] - middle_[0], py = p[1] - middle_[1], pz = p[2] - middle_[2];
    const double right = px * std::cos(kTurned) - py * std::sin(kTurned);
    const double away = px * std::sin(kTurned) + py * std::cos(kTurned);
    return {x_ + scale_ * right, y_ - scale_ * (pz * std::cos(kTilted) + away * std::sin(kTilted)),
            away * std::cos(kTilted) - pz * std::sin(kTilted)};
  }

 private:
  Point middle_;
  double scale_, x_, y_;
};

struct Segment {
  View::Seen from, to;
  uint8_t colour;
  double width;
};

void draw_box(Canvas& canvas, const View& view, const Point& sides) {
  for (int corner = 0; corner < 8; ++corner)
    for (int axis = 0; axis < 3; ++axis) {
      if (corner >> axis & 1) continue;
      const auto place = [&](int c) {
        return Point{(c & 1) * sides[0], (c >> 1 & 1) * sides[1], (c >> 2 & 1) * sides[2]};
      };
      const auto from = view(place(corner)), to = view(place(corner | 1 << axis));
      canvas.line(from.x, from.y, to.x, to.y, Canvas::grey(), 1, 0.6);
    }
}

}  // namespace

std::string pde_mesh_picture(const PdeResult& result) {
  constexpr int kSide = 720;
  const Mesh& mesh = *result.mesh;
  Canvas canvas(kSide + 2 * kMargin, kTop + kSide + kMargin);
  constexpr int64_t kMostLines = 200;  // more would fill the picture
  const int64_t every = (std::max(mesh.columns, mesh.rows) + kMostLines - 1) / kMostLines;
  draw_heading(canvas, fmt::format("{} · mesh", result.problem->name), result,
               fmt::format("{} of {} cells folded, areas {:.3g} to {:.3g} of a uniform one, {}{}", mesh.folded,
                           mesh.area_shares.size(), mesh.least_area, mesh.largest_area, motion_text(mesh),
                           every > 1 ? fmt::format("; one line in {} drawn", every) : ""));
  const auto x = [](const PlanePoint& p) { return kMargin + p[0] * kSide; };
  const auto y = [](const PlanePoint& p) { return kTop + (1 - p[1]) * kSide; };
  const auto draw = [&](const PlanePoint& p, const PlanePoint& q, uint8_t colour, double width, double strength) {
    canvas.line(x(p), y(p), x(q), y(q), colour, width, strength);
  };
  const double strength = std::clamp(120.0 * static_cast<double>(every) / static_cast<double>(mesh.columns), 0.35, 1.0);
  for (size_t i = 0; i < mesh.curve.size(); ++i)
    draw(mesh.curve[i], mesh.curve[(i + 1) % mesh.curve.size()], Canvas::heat(kWarm), 3, 1);
  const auto node = [&](int64_t i, int64_t j) {
    return mesh.points[std::min(j, mesh.rows - 1) * mesh.columns + std::min(i, mesh.columns - 1)];
  };
  for (int64_t j = 0; j < mesh.rows + every - 1; j += every)
    for (int64_t i = 0; i < mesh.columns + every - 1; i += every) {
      if (i < mesh.columns - 1) draw(node(i, j), node(i + every, j), Canvas::ink(), 1, strength);
      if (j < mesh.rows - 1) draw(node(i, j), node(i, j + every), Canvas::ink(), 1, strength);
    }
  return canvas.png();
}

std::string pde_lines_picture(const PdeResult& result) {
  constexpr int kWidth = 760, kHeight = 720, kBar = 200, kBarHeight = 12;
  Canvas canvas(kWidth, kTop + kHeight + 2 * kMargin);
  Point sides, middle;
  for (int axis = 0; axis < 3; ++axis) {
    sides[axis] = static_cast<double>(result.shape[axis] - 1) * result.spacing[axis];
    middle[axis] = sides[axis] / 2;
  }
  const double diagonal = std::hypot(sides[0], sides[1], sides[2]);
  const View view(middle, 0.98 * kHeight / diagonal, kWidth / 2.0, kTop + kHeight / 2.0);

  // The scale covers nearly all of the line length: next to a vortex the speed is unbounded.
  std::vector<double> values;
  for (const Line& line : result.lines) append(values, line.value);
  std::ranges::sort(values);
  const double high = values.empty() ? 1 : std::max(values[values.size() * 98 / 100], 1e-300);
  const double low = values.empty() ? 0 : values.front();
  const auto colour_of = [&](double value) {
    const double share = high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0.5;
    return Canvas::heat(static_cast<int>(share * 0.9 * (kHeatColours - 1)));  // the palest would be invisible on white
  };

  draw_heading(
      canvas, fmt::format("{} · {}", result.problem->name, result.vortex ? "streamlines" : "field lines"), result,
      result.vortex ? fmt::format("stray rotation {:.2g} %, circulation {:.4f}, {}",
                                  100 * result.vortex->stray_rotation, result.vortex->circulation, result.engine.name)
                    : std::string(result.engine.name));
  draw_box(canvas, view, sides);

  std::vector<Segment> segments;
  for (const Line& line : result.lines)
    for (size_t i = 1; i < line.points.size(); ++i)
      segments.push_back({view(line.points[i - 1]), view(line.points[i]), colour_of(line.value[i]), 1.4});
  for (const Line& line : result.sources)
    for (size_t i = 1; i < line.points.size(); ++i)
      segments.push_back({view(line.points[i - 1]), view(line.points[i]), Canvas::grey(), 6});
  std::ranges::stable_sort(segments, [](const Segment& a, const Segment& b) {
    return a.from.depth + a.to.depth > b.from.depth + b.to.depth;
  });
  for (const Segment& s : segments) canvas.line(s.from.x, s.from.y, s.to.x, s.to.y, s.colour, s.width);

  Typeface text_face{kTextPixels};
  const int y = kTop + kHeight + kMargin / 2;
  for (int i = 0; i < kBar; ++i)
    canvas.fill(kMargin + 60 + i, y, 1, kBarHeight, colour_of(low + (high - low) * i / (kBar - 1)));
  canvas.text(kMargin + 50, y + 11, fmt::format("{:.3g}", low), text_face, Canvas::Align::right);
  std::string name = result.along_lines;
  std::ranges::replace(name, '_', ' ');
  canvas.text(kMargin + 70 + kBar, y + 11, fmt::format("{:.3g}  {}", high, name), text_face);
  return canvas.png();
}

}  // namespace gridiron
