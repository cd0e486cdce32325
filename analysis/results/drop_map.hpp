// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// Drops on a net's lowest layer in square pixels of 1 µm, as in the ICCAD-2023 contest, problem C.
struct DropMap {
  int32_t net = -1, layer = -1;  ///< −1: the nodes lie on no known layer
  int64_t nx = 0, ny = 0;
  double left_um = 0, bottom_um = 0;  ///< place of pixel (0, 0): the origin, or below it where nodes are
  std::vector<double> drop_v;         ///< nx × ny, y running fastest

  double operator()(int64_t x, int64_t y) const { return drop_v[x * ny + y]; }
};

/// The nets with a node that has a place, ascending: those that have maps.
std::vector<int32_t> nets_with_places(const IrReport& report);

/// worst: the largest drop of the nodes within each pixel, 0 where there is none. interpolated: the drop at the corner
/// (left_um + x, bottom_um + y) of each pixel, as the contest's maps have it: linear along the rails, between whose
/// nodes nothing draws current, natural cubic splines from rail to rail, and the value of the nearest place outside.
/// Negative values become 0. Where the nodes form no rails it is the same as worst.
enum class MapMode { worst, interpolated };

/// `size`: pixels along x and y, counted from the origin; default: as many as hold all nodes of the net. Errors:
/// InputError when no node of the net has a place, or when the map would have more than 4e8 pixels.
DropMap drop_map(const IrReport& report, int32_t net, MapMode mode,
                 std::optional<std::pair<int64_t, int64_t>> size = std::nullopt);

/// Pixels along x and y from the origin that hold all nodes of a net, as far as these lie right of it and above; zeros
/// if none has a place.
std::pair<int64_t, int64_t> pixels_from_origin(const IrReport& report, int32_t net);

/// A map as the contest writes them: a line per x, in it a value per y, commas between them; plain or compressed.
struct GoldenMap {
  std::string path;
  int64_t nx = 0, ny = 0;
  std::vector<double> drop_v;  ///< nx × ny, y running fastest
};

/// Errors: InputError "file:line:column: …".
GoldenMap read_golden_map(const std::string& path);

/// Compares the interpolated map of the report's only net with a golden one. Errors: InputError when the report has
/// several nets or its net another size, and those of drop_map().
MapScore score_map(const IrReport& report, const GoldenMap& golden);

}  // namespace gridiron
