// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/fields/curve.hpp"

#include <algorithm>
#include <boost/math/interpolators/catmull_rom.hpp>
#include <cmath>
#include <fstream>
#include <numbers>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/error_text.hpp"
#include "support/number_of.hpp"

namespace gridiron {
namespace {

constexpr size_t kLeastPoints = 4, kMostBytes = 1 << 24;

double distance(const PlanePoint& p, const PlanePoint& q) { return std::hypot(p[0] - q[0], p[1] - q[1]); }

bool is_inside(const PlanePoint& p) { return p[0] > 0 && p[0] < 1 && p[1] > 0 && p[1] < 1; }

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::optional<double> number(std::string_view text) {
  const std::optional<double> value = number_of(trimmed(text));
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<PlanePoint> point(std::string_view line) {
  const size_t comma = line.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto x = number(line.substr(0, comma)), y = number(line.substr(comma + 1));
  return x && y ? std::optional(PlanePoint{*x, *y}) : std::nullopt;
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    throw field_error("curve", "{:?} cannot be opened; check the path", path.string());
  std::string text(kMostBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(file.gcount());
  if (text.size() > kMostBytes)
    throw field_error("curve", "{:?} has more than {} MB; give fewer points", path.string(), kMostBytes >> 20);
  return text;
}

boost::math::catmull_rom<PlanePoint> spline_through(const std::vector<PlanePoint>& points) {
  try {
    return {std::vector<PlanePoint>(points), true};
  } catch (const std::domain_error&) {
    throw InputError("two neighbouring points of the curve are too close to each other; remove one of them");
  }
}

}  // namespace

std::vector<PlanePoint> read_curve(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::istringstream file(content_of(path));
  std::vector<PlanePoint> points;
  std::string text;
  for (int line = 1; std::getline(file, text); ++line) {
    const std::string_view content = trimmed(text);
    if (content.empty() || content.front() == '#') continue;
    const auto p = point(content);
    if (!p && line == 1 && !number(content.substr(0, content.find(',')))) continue;  // a heading
    if (!p) throw input_error("{:?}:{}: expected two numbers \"x,y\"", name, line);
    if (!is_inside(*p))
      throw input_error("{:?}:{}: ({:g}, {:g}) is not inside the unit square", name, line, (*p)[0], (*p)[1]);
    if (points.empty() || *p != points.back()) points.push_back(*p);
  }
  if (points.size() > 1 && points.front() == points.back()) points.pop_back();
  if (points.size() < kLeastPoints)
    throw field_error("curve", "{:?} has {} different points; a closed curve needs at least {}", name, points.size(),
                      kLeastPoints);
  return points;
}

std::vector<PlanePoint> circle(const PlanePoint& middle, double radius, int points) {
  std::vector<PlanePoint> result;
  for (int i = 0; i < points; ++i) {
    const double angle = 2 * std::numbers::pi * i / points;
    result.push_back({middle[0] + radius * std::cos(angle), middle[1] + radius * std::sin(angle)});
  }
  return result;
}

std::vector<PlanePoint> closed_spline(const std::vector<PlanePoint>& points, double step) {
  const auto spline = spline_through(points);
  double polygon = 0;
  for (size_t i = 0; i < points.size(); ++i) polygon += distance(points[i], points[(i + 1) % points.size()]);

  // Fine samples with their arc lengths; then equal steps of arc length.
  const auto fine = std::max<size_t>(16 * points.size(), static_cast<size_t>(16 * polygon / step));
  std::vector<PlanePoint> sample(fine + 1);
  std::vector<double> way(fine + 1, 0.0);
  for (size_t i = 0; i <= fine; ++i) {
    const double share = static_cast<double>(i) / fine;
    sample[i] = i < fine ? spline(spline.max_parameter() * share) : sample[0];  // Boost 1.74 reads too far at the end
    if (!is_inside(sample[i]))
      throw input_error(
          "the curve through the points leaves the unit square near ({:.4g}, {:.4g}); move it "
          "inwards or give more points",
          sample[i][0], sample[i][1]);
    if (i > 0) way[i] = way[i - 1] + distance(sample[i - 1], sample[i]);
  }
  const size_t pieces = std::ceil(way.back() / step);
  std::vector<PlanePoint> result;
  for (size_t i = 0, k = 0; i < pieces; ++i) {
    const double target = way.back() * i / pieces;
    while (way[k + 1] < target) ++k;
    const double share = (target - way[k]) / (way[k + 1] - way[k]);
    result.push_back(
        {std::lerp(sample[k][0], sample[k + 1][0], share), std::lerp(sample[k][1], sample[k + 1][1], share)});
  }
  return result;
}

void add_deposits(const RegularGrid& grid, const std::vector<Deposit>& deposits, std::vector<double>& values) {
  for (const Deposit& deposit : deposits) {
    RegularGrid::Index corner{};
    Point share{};
    for (int axis = 0; axis < grid.dimensions; ++axis) {
      const double steps = deposit.place[axis] / grid.spacing[axis];
      corner[axis] = std::clamp<int64_t>(static_cast<int64_t>(steps), 0, grid.size[axis] - 2);
      share[axis] = steps - corner[axis];
    }
    for (int c = 0; c < 1 << grid.dimensions; ++c) {
      double amount = deposit.amount;
      RegularGrid::Index at = corner;
      for (int axis = 0; axis < grid.dimensions; ++axis) {
        const int upper = c >> axis & 1;
        amount *= upper ? share[axis] : 1 - share[axis];
        at[axis] += upper;
      }
      values[grid.number(at)] += amount;
    }
  }
}

}  // namespace gridiron
