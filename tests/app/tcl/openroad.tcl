# SPDX-License-Identifier: Apache-2.0
# OpenROAD's commands on its own deck; argv: deck, voltage file, file of currents.
package require gridiron
namespace import gridiron::*
lassign $argv deck voltages currents
read_spice $deck
analyze_power_grid -net VSS -voltage_file $voltages -enable_em -em_outfile $currents
