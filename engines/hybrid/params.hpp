// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gridiron {

/// 32 lines of this length fit into the scratch of a tile.
inline constexpr int kLongestLine = 256;
/// 32 lines of this length do where several columns are solved together.
inline constexpr int kLongestLineTogether = 64;

/// Parameters of the hybrid iteration, independent of the solver of its regular grids.
/// Of ibm:10000000 on an H200 the defaults take 33.3 ms, degree 1 and 3 35.3 and 33.8, lines of 16 and 64 unknowns 33.7
/// and 34.0, grid_scale 1 and 2.5 33.9 and 37.7.
struct HybridParams {
  std::string plane = "auto";
  double grid_scale = 1.5;
  int degree = 2;
  int line_length = 32;
  std::string stars = "contract";
  std::string cycle = "cg";
  std::string hybrid = "device";

  void visit(auto& v) {
    v("plane", plane, "",
      "regular grids: single (all layers on one plane, vias ignored, as in the paper), layered, or auto: single when "
      "vias conduct better than wires");
    v("grid_scale", grid_scale, "", "cells of the regular grids as a multiple of the node locations");
    v("degree", degree, "sweeps", "along strong lines of the original grid before and after the regular-grid solution");
    v("line_length", line_length, "unknowns", "lines are cut after this many");
    v("stars", stars, "",
      "contract: a node with several strong neighbours of its own is one with them to the regular grids; or keep, as "
      "in "
      "the paper");
    v("cycle", cycle, "", "cg (flexible, around the hybrid cycle) or stationary, as in the paper");
    v("hybrid", hybrid, "",
      "device (all work there) or paper: the original grid stays on the host, vectors are transferred in every cycle");
  }

  /// Throws InputError for invalid values; `engine` is named in the message.
  void check(std::string_view engine) const;
};

}  // namespace gridiron
