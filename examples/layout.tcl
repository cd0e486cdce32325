# SPDX-License-Identifier: Apache-2.0
# Sign-off of a placed design with the commands of an OpenROAD script, and a what-if on its sources.
#
#   gridiron tcl layout.tcl chip.def VDD 1.1 power.csv 5% tech.lef cells.lef ...
package require gridiron
namespace import gridiron::*

if {$argc < 6} {
  puts stderr "usage: gridiron tcl layout.tcl DEF NET VOLTS POWERS LIMIT LEF..."
  exit 2
}
set lefs [lassign $argv def net volts powers limit]

# 1. Read, the technology first. Nothing is extracted yet; the order of these commands is free.
foreach lef $lefs { read_lef $lef }
read_def $def
read_power $powers
set_pdnsim_net_voltage -net $net -voltage $volts

# 2. What is not connected is an error, which ends the script with an exit code of its own.
check_power_grid -net $net -dont_require_terminals -error_file opens.drc

# 3. Extract and analyse, with OpenROAD's files.
proc worst {report} { dict get [lindex [dict get $report nets] 0] worst_drop_v }
set report [analyze_power_grid -net $net -limit worst=$limit -voltage_file $net.volt -enable_em -em_outfile $net.em]
write_report reports -formats text,csv,json

# 4. What if bumps were as far apart again, or each had 50 mohm: wires are not extracted again.
puts [format "%-24s %8.3f mV" "as it is" [expr {1e3 * [worst $report]}]]
foreach {what settings} {
  "bumps 280 um apart" {-bump_dx 280 -bump_dy 280}
  "50 mohm per bump"   {-bump_dx 140 -bump_dy 140 -external_resistance 0.05}
} {
  set_pdnsim_source_settings {*}$settings
  puts [format "%-24s %8.3f mV" $what [expr {1e3 * [worst [analyze_power_grid -net $net -quiet]]}]]
}

# 5. The gate: the exit code that the flow branches on.
exit [dict get $report limit_exceeded]
