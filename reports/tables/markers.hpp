// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analysis/results/markers.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// A KLayout report database (.lyrdb), which its marker browser opens: categories by kind, net and layer; each marker
/// has a box in µm and a text. The top cell is that of the layout, or is called as the netlist.
/// https://www.klayout.de/rdb_format.html
void write_lyrdb(const Markers& markers, const std::string& netlist, const OutputPath& path);

/// OpenROAD's DRC text, which its DRC viewer reads: violation type, sources, comment, box in µm and layer.
void write_drc(const Markers& markers, const OutputPath& path);

/// "n1_m1_0_0: drop of 52.1 mV, limit 50 mV".
std::string describe(const Marker& marker);

}  // namespace gridiron
