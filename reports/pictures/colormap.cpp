// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/colormap.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace gridiron {
namespace {

OkLab operator+(OkLab p, OkLab q) { return {p.l + q.l, p.a + q.a, p.b + q.b}; }
OkLab operator*(double s, OkLab p) { return {s * p.l, s * p.a, s * p.b}; }
double distance(OkLab p, OkLab q) { return std::hypot(p.l - q.l, p.a - q.a, p.b - q.b); }

double cube(double x) { return x * x * x; }

uint8_t gamma_encoded(double linear) {
  const double c = std::clamp(linear, 0.0, 1.0);
  const double encoded = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
  return static_cast<uint8_t>(std::lround(255 * encoded));
}

double linear_light(uint8_t encoded) {
  const double c = encoded / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

Rgb to_rgb(OkLab c) {
  const double l = cube(c.l + 0.3963377774 * c.a + 0.2158037573 * c.b);
  const double m = cube(c.l - 0.1055613458 * c.a - 0.0638541728 * c.b);
  const double s = cube(c.l - 0.0894841775 * c.a - 1.2914855480 * c.b);
  return {gamma_encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          gamma_encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          gamma_encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

OkLab lightness_chroma_hue(double l, double chroma, double degrees) {
  const double hue = degrees * std::numbers::pi / 180;
  return {l, chroma * std::cos(hue), chroma * std::sin(hue)};
}

/// Catmull-Rom curve through the points, t in [0, 1].
OkLab curve(const std::vector<OkLab>& p, double t) {
  const auto last = static_cast<int>(p.size()) - 1;
  const int i = std::min(static_cast<int>(t * last), last - 1);
  const double u = t * last - i;
  const OkLab before = i > 0 ? p[i - 1] : 2 * p[0] + -1 * p[1];
  const OkLab after = i + 2 <= last ? p[i + 2] : 2 * p[last] + -1 * p[last - 1];
  return 0.5 *
         ((2 * p[i]) + u * (p[i + 1] + -1 * before) + u * u * (2 * before + -5 * p[i] + 4 * p[i + 1] + -1 * after) +
          u * u * u * (-1 * before + 3 * p[i] + -3 * p[i + 1] + after));
}

/// Points on the curve at equal distances along it.
template <int kColours>
std::array<Rgb, kColours> equal_steps(const std::vector<OkLab>& points) {
  constexpr int kFine = 4096;
  std::vector<OkLab> fine(kFine + 1);
  std::vector<double> way(kFine + 1, 0);
  for (int k = 0; k <= kFine; ++k) {
    fine[k] = curve(points, static_cast<double>(k) / kFine);
    if (k > 0) way[k] = way[k - 1] + distance(fine[k - 1], fine[k]);
  }
  std::array<Rgb, kColours> colours;
  for (int i = 0; i < kColours; ++i) {
    const auto at = std::ranges::lower_bound(way, way.back() * i / (kColours - 1));
    colours[i] = to_rgb(fine[std::min<std::ptrdiff_t>(at - way.begin(), kFine)]);
  }
  return colours;
}

}  // namespace

OkLab to_oklab(Rgb colour) {
  const double r = linear_light(colour.red), g = linear_light(colour.green), b = linear_light(colour.blue);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

const std::array<Rgb, kHeatColours>& heat_colours() {
  static const std::array<Rgb, kHeatColours> colours = equal_steps<kHeatColours>({
      lightness_chroma_hue(0.24, 0.100, 278),
      lightness_chroma_hue(0.37, 0.160, 293),
      lightness_chroma_hue(0.50, 0.180, 340),
      lightness_chroma_hue(0.64, 0.185, 25),
      lightness_chroma_hue(0.79, 0.150, 66),
      lightness_chroma_hue(0.94, 0.110, 103),
  });
  return colours;
}

const std::array<Rgb, kHeatColours>& diverging_colours() {
  static const std::array<Rgb, kHeatColours> colours = [] {
    constexpr int kHalf = kHeatColours / 2;
    const OkLab none = lightness_chroma_hue(0.97, 0.005, 100);
    const auto half = [&](OkLab strong, OkLab weak) { return equal_steps<kHalf>({none, weak, strong}); };
    const auto fall = half(lightness_chroma_hue(0.38, 0.150, 262), lightness_chroma_hue(0.70, 0.105, 245));
    const auto rise = half(lightness_chroma_hue(0.42, 0.155, 25), lightness_chroma_hue(0.72, 0.130, 45));
    std::array<Rgb, kHeatColours> both;
    std::reverse_copy(fall.begin(), fall.end(), both.begin());
    std::ranges::copy(rise, both.begin() + kHalf);
    return both;
  }();
  return colours;
}

}  // namespace gridiron
