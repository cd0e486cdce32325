// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

#include "analysis/results/ir_report.hpp"
#include "support/output_path.hpp"

namespace gridiron {

// Comma-separated tables with a header line (RFC 4180, but lines end in LF); unknown values are empty fields. Names
// that a spreadsheet would execute as a formula are prefixed with an apostrophe, see append_csv_field().

/// node,net,layer,x_um,y_um,voltage_v,drop_v: every node that has a drop, worst first; with several load vectors the
/// worst drop over all of them and, in a column `vector`, the vector under which it occurs.
void write_nodes_csv(const IrReport& result, const OutputPath& path);
/// The same text, of one load vector, in pieces; `with_header` or without.
void pass_nodes_csv(const IrReport& result, bool with_header, const std::function<void(std::string_view)>& take);

/// net,layer,nodes,worst_drop_v,average_drop_v,least_drop_v,worst_node,x_um,y_um. `time_s`: when each node is worst, in
/// a column worst_time_s; empty: there is none.
void write_layers_csv(const IrReport& result, const OutputPath& path, std::span<const double> time_s = {});

/// name,node,net,layer,x_um,y_um,voltage_v,current_a,place,share: the pads, largest current first; current into the
/// grid, and its share of that of all pads of the net.
void write_sources_csv(const IrReport& result, const OutputPath& path);

/// name,power_node,ground_node,x_um,y_um,vdd_drop_v,gnd_bounce_v,combined_v,current_a,terminal: worst first. A load on
/// one net has one of the two nodes; the terminal is empty where no comment card names it, and of a pair.
/// `time_s`: when each is worst, in a column more; empty: there is none. Of a layout the last column is the cell.
void write_instances_csv(const IrReport& result, const OutputPath& path, std::span<const double> time_s = {});

/// The same in the form of OpenROAD's `analyze_power_grid -voltage_file`: Instance,Terminal,Layer,X location,Y
/// location,Voltage in µm with 4 decimals and V with 6, a row per pin in the order of the deck. The name of the net
/// stands for a terminal that no comment card names.
void write_openroad_instances_csv(const IrReport& result, const OutputPath& path);

/// vector,net,worst_drop_v,worst_node,average_drop_v,bound_v: the load vectors, numbered from 0 as in their file; the
/// bound is empty where none could be proved.
void write_vectors_csv(const IrReport& result, const OutputPath& path);

}  // namespace gridiron
