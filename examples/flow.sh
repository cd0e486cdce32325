#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A gate with the habits of make: the grid is analysed unless this deck kept this limit and its report is there and newer
# than every file that it was read from, and a change that makes it worse than the reference fails. The exit codes of gridiron pass through (README.md).
#
#   flow.sh DECK FOLDER LIMIT [REFERENCE_FOLDER]
set -eu
deck=$1 folder=$2 limit=$3 reference=${4:-}
gridiron=${GRIDIRON:-gridiron}
passed=$folder/passed

[ -r "$deck" ] || { echo "flow.sh: $deck: cannot be read" >&2; exit 2; }
mark="$(realpath -- "$deck") keeps $limit"

# Files of the last run, included ones among them, that are gone or newer than it.
changed_files() {
  sed -n '/"files": \[/,/\]/s/.*"path": "\(.*\)",\{0,1\}$/\1/p' "$folder/report.json" | while read -r file; do
    if [ ! -e "$file" ] || [ "$file" -nt "$passed" ]; then echo "$file"; fi
  done
}

# 1. Analyse if need be. A limit that is exceeded is a result and leaves its report, but no mark that it passed.
if [ "$(cat "$passed" 2>/dev/null)" != "$mark" ] || [ ! -e "$folder/report.json" ] ||
  [ -n "$(changed_files)" ]; then
  rm -f "$passed"
  "$gridiron" ir "$deck" --strict --quiet --limit worst="$limit" --out "$folder" --formats text,csv,json
  echo "$mark" >"$passed"
  echo "$deck keeps $limit"
else
  echo "$folder is up to date"
fi

# 2. No net may drop 1 % of its supply more than in the reference.
if [ -n "$reference" ]; then
  "$gridiron" diff "$reference" "$folder" --quiet --limit worst=+1%
  echo "no worse than $reference"
fi
