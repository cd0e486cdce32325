# SPDX-License-Identifier: Apache-2.0
# A deck that write_pg_spice wrote is the grid as it was edited: to the last bit, or, where a source was added, whose own node
# changes the order of the others, to rounding. argv: deck, a source of it, a node for a new
# one, a load, a net.
package require gridiron
namespace import gridiron::*
lassign $argv deck source node load net

proc drops {} {
  analyze_power_grid -engine cholmod -quiet
  lmap row [report_ir_drop -count 1000000] { list [dict get $row node] [dict get $row voltage_v] }
}
proc expect_same {what before after error_v} {
  array set values [concat {*}$after]
  foreach row $before {
    lassign $row name voltage
    if {abs($values($name) - $voltage) > $error_v} { error "$what: $name has $values($name) V, not $voltage V" }
  }
}

read_spice $deck
write_pg_spice same.sp.gz
set as_read [drops]
add_source $node 1.05 2m -name "bump 7"
drop_source $source
set_load $load 12.5mA
set edited [drops]
if {$edited eq $as_read} { error "the edits changed nothing" }
write_pg_spice edited.sp
write_pg_spice one_net.sp -net $net

read_spice same.sp.gz
expect_same "the deck as read" $as_read [drops] 0
read_spice edited.sp
expect_same "the deck as edited" $edited [drops] 1e-12
set all [dict get [read_spice edited.sp] resistors]
set some [dict get [read_spice one_net.sp] resistors]
if {!($some > 0 && $some < $all)} { error "$some of $all resistors on $net" }
analyze_power_grid -quiet
if {![catch {write_pg_spice x.sp -net nonesuch} message options]} { error "a net that is not there" }
if {[dict get $options -errorcode] ne "GRIDIRON input net" || [file exists x.sp]} { error $message }
puts done
