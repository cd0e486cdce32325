// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace gridiron {

struct Rgb {
  uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(const Rgb&, const Rgb&) = default;
};

/// Lightness 0 … 1 and two opponent colour axes; perceptually uniform. B. Ottosson, "A perceptual color space for image
/// processing" (OKLab), 2020.
struct OkLab {
  double l = 0, a = 0, b = 0;
};
OkLab to_oklab(Rgb colour);

/// Number of steps in heat maps: together with the few other colours of a picture they fit in one byte per pixel.
inline constexpr int kHeatColours = 224;

/// Dark indigo (least drop) to pale yellow (worst): lightness increases monotonically and neighbouring colours are
/// equally far apart in OKLab, so equal steps in volts look equal, and the order survives greyscale printing.
const std::array<Rgb, kHeatColours>& heat_colours();

/// For changes: blue (a fall) through near-white (none, in the middle) to red (a rise); each half in equal steps.
const std::array<Rgb, kHeatColours>& diverging_colours();

}  // namespace gridiron
