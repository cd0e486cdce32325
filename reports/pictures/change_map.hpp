// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/diff/diff_runs.hpp"

namespace gridiron {

/// A picture of how the drop of a net changed over the chip.
struct ChangeMap {
  std::string net;
  std::string png;  ///< with title, axes in µm and a colour bar in volts around zero: blue fell, red rose
};

/// What lies on the map of a net: a line, or where its ends are one place a diamond.
struct ChangeMark {
  std::string net;
  double x0_um, y0_um, x1_um, y1_um;
};

/// One per net in which some node with a place has changed by more than the bound, at most twenty. A pixel shows the
/// largest change, up or down, of its nodes on all layers, or of the nearest node within a few pixels.
std::vector<ChangeMap> change_maps(const RunData& after, const RunDiff& diff,
                                   const std::vector<ChangeMark>& marks = {});

/// map_<net>_change.png, sanitised for the file system, one name per map.
std::vector<std::string> change_map_names(const std::vector<ChangeMap>& maps);

}  // namespace gridiron
