# SPDX-License-Identifier: Apache-2.0
# Names that would be commands if anything evaluated them. argv: deck.
package require gridiron
namespace import gridiron::*
proc boom {args} { puts BOOM; exit 99 }
read_spice [lindex $argv 0]
set x BOOM
set report [analyze_power_grid -engine cholmod]
set names {}
foreach row [report_ir_drop -count 100] { lappend names [dict get $row node] }
report_layers
report_sources
foreach name {{[boom]} {a$x} {#h} {<b>} {\[boom]}} {
  if {$name ni $names} { error "no node is called $name among: $names" }
}
if {[set_load {i[boom]}] != 0.001} { error "the load's name" }
set_load {i[boom]} 2m
set_resistor {r$x} 2
add_source {[boom]} 1 1 -name {[boom] $x "}
analyze_power_grid -quiet
set found 0
foreach row [report_sources] { incr found [string equal [dict get $row name] {[boom] $x "}] }
if {$found != 1} { error "the source's name" }
catch {set_load {[boom]} 1} message
if {![string match {*\[boom\]*} $message]} { error $message }
catch {analyze_power_grid -net {[boom]; boom}} message options
if {[dict get $options -errorcode] ne "GRIDIRON input net"} { error [dict get $options -errorcode] }
puts "done"
