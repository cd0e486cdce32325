// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/results/ir_report.hpp"
#include "reports/tables/csv_line.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// The resistors between two nodes of the grid, in the order of the deck.
std::vector<int64_t> segments_of(const IrReport& result);

/// What tables of segments begin with: resistor,net,layer,from,to.
void add_segment(CsvLine& line, const IrReport& result, int64_t resistor, std::string_view layer);

/// resistor,net,layer,from,to,current_a,power_w: every resistor between two nodes of the grid, in the order of the
/// deck; the current flows from `from` to `to` where it is positive. "M1-M2" is what joins two layers. With
/// electromigration limits also width_um,limit_a,ratio, empty where unknown.
void write_segments_csv(const IrReport& result, const OutputPath& path);

/// The same in the form of OpenROAD's `analyze_power_grid -em_outfile`: Node0 Layer,Node0 X location,Node0 Y
/// location,Node1 Layer,Node1 X location,Node1 Y location,Current in µm with 4 decimals and A with 4 digits, without
/// sign; links to terminals are left out. Sorted by layer, x and y of the nodes as OpenROAD does.
void write_openroad_segments_csv(const IrReport& result, const OutputPath& path);

/// node,net,layer,x_um,y_um,drop_v,bound_v,pad,pad_distance_um: hot spots, worst first; the bound is empty without
/// certificate. `time_s`: as of write_layers_csv().
void write_hot_spots_csv(const IrReport& result, const OutputPath& path, std::span<const double> time_s = {});

}  // namespace gridiron
