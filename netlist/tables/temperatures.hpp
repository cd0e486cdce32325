// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gridiron {

/// Rules of electromigration and the metal that they are for are hotter than the one and no hotter than the other, °C.
inline constexpr double kColdestC = -273.15, kHottestC = 5000;

}  // namespace gridiron
