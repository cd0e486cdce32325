# SPDX-License-Identifier: Apache-2.0
# Errors are Tcl errors with a code, and the session goes on. argv: good deck, deck that
# floats, a mesh, one that floats and has places.
package require gridiron
namespace import gridiron::*
lassign $argv good floating mesh unconnected

proc expect_error {code pattern script} {
  if {![catch {uplevel 1 $script} message options]} { error "no error: $script" }
  if {[dict get $options -errorcode] ne $code} { error "$script: code [dict get $options -errorcode]: $message" }
  if {![string match $pattern $message]} { error "$script: $message" }
}

expect_error {GRIDIRON input {}} "no netlist has been read*" {analyze_power_grid}
expect_error {GRIDIRON input {}} "missing.sp: *" {read_spice missing.sp}
expect_error {GRIDIRON input {}} "read_spice: NETLIST is missing; usage: read_spice NETLIST" {read_spice}
read_spice $good
expect_error {GRIDIRON input {}} "analyze_power_grid: unknown option '-limits'; it has -net, *" {analyze_power_grid -limits 5%}
expect_error {GRIDIRON input {}} "analyze_power_grid: ambiguous option '-t'*" {analyze_power_grid -t 1}
expect_error {GRIDIRON input limit} "-limit 5x: *" {analyze_power_grid -limit 5x}
expect_error {GRIDIRON input limit} "-limit: a value is missing: LIMIT" {analyze_power_grid -limit}
expect_error {GRIDIRON input max_iterations} "-max_iterations: '0': expected a whole number*" {analyze_power_grid -max_iterations 0}
expect_error {GRIDIRON input rtol} "-rtol excludes -tolerance*" {analyze_power_grid -tolerance 1uV -rtol 1e-8}
expect_error {GRIDIRON input net} "-net: given twice*" {analyze_power_grid -net a -net b}
expect_error {GRIDIRON input device} "-device: 'gpu': expected one of auto, cpu, cuda; did you mean 'cpu'?" {analyze_power_grid -device gpu}
expect_error {GRIDIRON input ohm} "OHM: '5V': expected a number*" {set_resistor r1 5V}
expect_error {GRIDIRON input net} "NET foo: the netlist has no such net*" {set_nominal foo 1}
expect_error {GRIDIRON input net} "-net foo: the netlist has no such net*" {analyze_power_grid -net foo}
expect_error {GRIDIRON input {}} "report_layers: 'x' is one word too many*" {report_layers x}
expect_error {GRIDIRON input {}} "there is no analysis*" {report_layers}
read_spice $mesh
expect_error {GRIDIRON solver {}} "engine aggamg stopped *-max_iterations*" {
  analyze_power_grid -engine aggamg -rtol 1e-15 -max_iterations 1 -quiet
}
set rows [compare_engines -engine cholmod,aggamg,gmd -rtol 1e-15 -max_iterations 1]
foreach row $rows status {ok {not converged} declined} missed {0 1 0} detail {{} *-max_iterations* *grids*} {
  if {[dict get $row status] ne $status || [dict get $row missed] != $missed || ![string match $detail [dict get $row detail]]} {
    error "row: $row"
  }
}
read_spice $good
analyze_power_grid -quiet
expect_error {GRIDIRON input node} "NODE nowhere: the netlist has no node of that name*" {explain_drop nowhere}
expect_error {GRIDIRON input node} "NODE nowhere: the netlist has no node of that name*" {find_drop_shares nowhere}
expect_error {GRIDIRON input pad_layer} "-pad_layer m77: the netlist has no such layer*" {find_pad_gains -pad_layer m77}
expect_error {GRIDIRON input pad_resistance} "-pad_resistance -1: a resistance is finite and not negative*" {
  find_pad_gains -pad_resistance -1
}
expect_error {GRIDIRON input {}} "the last analysis had no limits*" {propose_plan -add_pads 1 -pad_layer x -pad_resistance 1}
expect_error {GRIDIRON input {}} "nothing may be changed*" {propose_plan}
expect_error {GRIDIRON input widen} "-widen m1: expected LAYER=FACTOR*" {propose_plan -widen m1}
expect_error {GRIDIRON input add_straps} "-add_straps m1:1:2:3: * by gridiron fix --add-straps,*" {propose_plan -add_straps m1:1:2:3}
expect_error {GRIDIRON input {}} "there is no plan*" {apply_plan}
expect_error {GRIDIRON input em_outfile} "-em_outfile needs -enable_em*" {analyze_power_grid -em_outfile em.csv}
analyze_power_grid -eng cholmod -quiet
expect_error {GRIDIRON input out} "FOLDER: is empty" {write_report {}}
expect_error {GRIDIRON input {}} "*/dev/null: is no folder*" {write_report /dev/null/reports}
expect_error {GRIDIRON input {}} "/dev/null/x.sp: /dev/null is no folder*" {write_pg_spice /dev/null/x.sp}
expect_error {GRIDIRON grid {}} "*float*" {read_spice $floating; analyze_power_grid}
expect_error {GRIDIRON grid {}} "*float*" {check_power_grid}
read_spice $unconnected
expect_error {GRIDIRON grid {}} "*float*" {analyze_power_grid -error_file errors.drc}
set file [open errors.drc]
set markers [read $file]
close $file
if {![string match "*violation type: *bbox = (*" $markers]} { error "markers: $markers" }
# No file of an earlier analysis or comparison is left when the next one fails.
read_spice $good
analyze_power_grid -quiet -voltage_file v.csv -enable_em -em_outfile em.csv
write_report run -formats json,csv -compress
diff_runs run -out changes
read_spice $floating
expect_error {GRIDIRON grid {}} "*float*" {
  analyze_power_grid -quiet -voltage_file v.csv -enable_em -em_outfile em.csv -error_file /dev/null
}
foreach file {v.csv em.csv} { if {[file exists $file]} { error "$file is of another grid" } }
if {![file exists /dev/null]} { error "/dev/null is gone" }
read_spice $good
analyze_power_grid -quiet
diff_runs run -out changes -formats text
if {[lsort [glob -tails -dir changes *]] ne "diff.txt manifest.json"} { error "left: [glob changes/*]" }
expect_error {GRIDIRON input {}} "*missing*" {diff_runs missing -out changes}
if {[glob -nocomplain changes/*] ne {}} { error "left: [glob changes/*]" }

read_spice $good
set_load i1 [expr {-[set_load i1]}]
set_load -- i1 0.1
set report [analyze_power_grid -limit 25% -limit average=1% -quiet]
if {[dict get $report limit_exceeded] != 1} { error "two limits" }
if {[llength [dict get $report limits]] != 2} { error "two limits" }
puts "done"
