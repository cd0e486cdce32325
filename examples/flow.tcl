# SPDX-License-Identifier: Apache-2.0
# Sign-off of a power grid, and a what-if, in one process: each step costs only what is new.
#
#   gridiron tcl flow.tcl hierarchy.sp reports 5%
#   TCLLIBPATH=PREFIX/lib/tcl tclsh flow.tcl hierarchy.sp reports 5%
package require gridiron
namespace import gridiron::*

lassign $argv deck folder limit

# 1. Read and check: a grid that cannot be analysed is an error, which ends the script with an exit code of its own.
set size [read_spice $deck]
puts "[dict get $size nodes] nodes, [dict get $size resistors] resistors"
check_power_grid

# 2. Analyse. The result is a dict with the keys of report.json.
set report [analyze_power_grid -engine cholmod -limit worst=$limit -quiet]
foreach net [dict get $report nets] {
  dict with net { puts [format "%-8s worst drop %.3f mV at %s" $name [expr {1e3 * $worst_drop_v}] $worst_node] }
}
write_report $folder/before -formats text,csv,json

# 3. What if: half the resistance of the segment whose widening helps the worst node most. The engine is updated, nothing
#    is read again.
set why [lindex [explain_drop worst -most 3] 0]
set widened [dict get [lindex [dict get $why segments] 0] resistor]
set_resistor $widened [expr {[set_resistor $widened] / 2}]
analyze_power_grid -engine cholmod -limit worst=$limit -quiet
puts "with $widened twice as wide:"
diff_runs $folder/before
write_report $folder/after -formats text,csv,json
puts "work: [report_work]"

# 4. The gate: the exit code that the flow branches on.
exit [dict get $report limit_exceeded]
