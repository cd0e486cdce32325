#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A flow step that branches on the exit code.   signoff.sh NETLIST REPORT_FOLDER
gridiron=${GRIDIRON:-gridiron}
"$gridiron" ir "$1" --out "$2" --strict --quiet --limit worst=10% --limit average=5% --limit p99=8%
case $? in
  0) echo "IR drop: clean" ;;
  1) echo "IR drop: over the limit, see $2/summary.txt" >&2; exit 1 ;;
  3) echo "IR drop: the grid is open, its sources contradict each other, or --strict found something to mend" >&2; exit 1 ;;
  4) echo "IR drop: a limit lies within the error bound; run again with a smaller --tolerance" >&2; exit 1 ;;
  *) echo "IR drop: not analysed" >&2; exit 2 ;;
esac
