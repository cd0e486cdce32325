# SPDX-License-Identifier: Apache-2.0
# Reads, analyses with two engines, changes a load and a strap, analyses again, writes everything: in one process, and
# nothing twice. argv: deck, load, resistor, folder.
package require gridiron
namespace import gridiron::*
lassign $argv deck load resistor folder

proc expect {what got wanted} {
  if {$got ne $wanted} { error "$what: $got, expected $wanted" }
}
proc work {key} { dict get [report_work] $key }

read_spice $deck
foreach engine {cholmod aggamg} {
  set first($engine) [analyze_power_grid -engine $engine -quiet]
}
expect reads [work reads] 1
expect setups [work setups] 2

set_load $load [expr {2 * [set_load $load]}]
foreach engine {cholmod aggamg} {
  set second($engine) [analyze_power_grid -engine $engine -quiet]
}
expect "reads after another load" [work reads] 1
expect "systems after another load" [work systems] 1
expect "setups after another load" [work setups] 2
expect "updates after another load" [work updates] 0
expect "vectors after another load" [work vectors] 4

set_resistor $resistor [expr {[set_resistor $resistor] / 2}]
foreach engine {cholmod aggamg} { analyze_power_grid -engine $engine -quiet }
expect "setups after a wider strap" [work setups] 2
expect "updates after a wider strap" [work updates] 2
expect "reads at the end" [work reads] 1

proc worst {report} {
  lmap net [dict get $report nets] { dict get $net worst_drop_v }
}
if {[worst $second(cholmod)] eq [worst $first(cholmod)]} { error "the load changed nothing" }
set why [lindex [explain_drop worst -most 3] 0]
set sum [expr {[dict get $why other_loads drop_v] + [dict get $why unequal_sources_v]}]
foreach load [dict get $why loads] { set sum [expr {$sum + [dict get $load drop_v]}] }
if {abs($sum - [dict get $why drop_v]) > 1e-5} { error "the parts of the drop: $sum of [dict get $why drop_v]" }
expect "loads listed" [llength [dict get $why loads]] 3
if {[dict get $why widening gain_v] <= 0} { error "widening gains nothing" }
expect "setups after an explanation" [work setups] 2
set fall [lindex [find_drop_shares worst] 0]
set sum 0
foreach share [dict get $fall shares] { set sum [expr {$sum + [dict get $share drop_v]}] }
if {abs($sum - [dict get $fall drop_v]) > 1e-5} { error "the shares of the drop: $sum of [dict get $fall drop_v]" }
set gains [lindex [find_pad_gains -pad_gains 2] 0]
if {[dict get [lindex [dict get $gains places] 0] gain_v] <= 0} { error "a pad gains nothing" }
expect "setups after shares and pads" [work setups] 2
foreach file [write_report $folder] {
  if {![file exists $file]} { error "$file is missing" }
}
set channel [open $folder/report.json]
set json [read $channel]
close $channel
if {![regexp {"sha256": "[0-9a-f]{64}"} $json]} { error "no checksum of the input" }
if {[string first [dict get $why node] [string range $json [string first {"explanations"} $json] end]] < 0} {
  error "the report does not explain the drop"
}
if {[dict get [diff_runs $folder] is_empty] != 1} { error "a run differs from itself" }
write_pg_spice $folder/changed.sp
set before [report_ir_drop -count 3]
read_spice $folder/changed.sp
analyze_power_grid -engine aggamg -quiet
foreach a $before b [report_ir_drop -count 3] {
  expect "drop of the deck as written" [dict get $b drop_v] [dict get $a drop_v]
}
set net [lindex [dict get [analyze_power_grid -engine cholmod -quiet] nets] 0]
set limit [expr {0.9 * [dict get $net worst_drop_v]}]
analyze_power_grid -engine cholmod -quiet -limit [dict get $net name]:worst=${limit}V
set layers [lmap layer [dict get $net layers] { string cat [dict get $layer name] =4 }]
set plan [propose_plan {*}[concat {*}[lmap layer $layers { if {$layer eq "=4"} continue; list -widen $layer }]] -quiet]
expect outcome [dict get $plan outcome] found
apply_plan
set after [analyze_power_grid -engine cholmod -quiet]
if {[dict get [lindex [dict get $after nets] 0] worst_drop_v] > $limit} { error "the plan misses its limit" }
puts "done"
