#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What flow.sh does, step by step: its exit code, and all that it prints.
#
#   GRIDIRON=TOOL check_flow.sh EMPTY_FOLDER
set -u
examples=$(cd "$(dirname "$0")" && pwd)
rm -rf "$1" && mkdir -p "$1" && cd "$1" || exit 1
cp "$examples/two_nets.sp" a.sp
sed 's/^\* .*/* another deck/' a.sp >b.sp
touch -d '1 day ago' b.sp
printf '.include a.sp\n.end\n' >c.sp

# step EXIT_CODE PATTERN ARGUMENT...: flow.sh with the arguments; PATTERN, of case, is all that it prints.
step() {
  expected=$1 pattern=$2
  shift 2
  printed=$("$examples/flow.sh" "$@" 2>&1)
  code=$?
  if [ $code -ne "$expected" ]; then
    echo "flow.sh $*: exit code $code instead of $expected: $printed" && exit 1
  fi
  case $printed in
    $pattern) ;;
    *) echo "flow.sh $*: prints '$printed', not '$pattern'" && exit 1 ;;
  esac
}

step 0 'a.sp keeps 5%' a.sp out 5%
step 0 'out is up to date' a.sp out 5%
step 0 'b.sp keeps 5%' b.sp out 5%
step 0 'a.sp keeps 5%' a.sp out 5%
rm out/report.json
step 0 'a.sp keeps 5%' a.sp out 5%
touch -d '1 minute' a.sp
step 0 'a.sp keeps 5%' a.sp out 5%
step 0 "a.sp keeps 5%
no worse than out" a.sp out/b 5% out
touch a.sp
step 0 'c.sp keeps 5%' c.sp out/c 5%
step 0 'out/c is up to date' c.sp out/c 5%
touch -d '2 minutes' a.sp
step 0 'c.sp keeps 5%' c.sp out/c 5%
step 2 'flow.sh: missing.sp: cannot be read' missing.sp out 5%
step 1 'gridiron: limit exceeded: *' a.sp out 1%
step 1 'gridiron: limit exceeded: *' a.sp out 1%
