#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which rooms of the code include which, and how large folders and files are, against what ARCHITECTURE.md promises.

arrows.py FOLDER

A room is a folder, with those below it that are no rooms of their own.
"""
import collections
import re
import sys
from pathlib import Path

# Each room, and the rooms and headers that it may include besides its own.
ROOMS = {
    "support": "",
    "device": "support",
    "linalg": "device support",
    "grid": "device support",
    "netlist": "support",
    "layout": "netlist support",
    "regularize": "device support",
    "engines": "linalg device grid regularize support",
    "engines/direct": "engines linalg device support",
    "engines/hybrid": "engines linalg device regularize support",
    "engines/aggamg": "engines linalg device support",
    "engines/cholmod": "engines engines/direct linalg device support",
    "engines/cudss": "engines engines/direct linalg device support",
    "engines/gpuhmd": "engines engines/hybrid linalg device grid regularize support",
    "engines/hypre": "engines engines/direct linalg device support",
    "engines/psc": "engines engines/direct engines/hybrid linalg device grid regularize support",
    "engines/sgml": "engines engines/hybrid linalg device grid regularize support",
    "engines/stokes": "engines linalg device grid support",
    "engines/superlu": "engines engines/direct linalg support",
    "analysis/model": "netlist regularize engines linalg device support",
    "analysis/certify": "analysis/model engines/assemble.hpp regularize linalg device support",
    "analysis/solve": "analysis/certify analysis/model engines linalg device regularize netlist support",
    "analysis/results": "analysis/model engines/engine_run.hpp netlist regularize linalg device/disjoint_sets.hpp support",
    "analysis/insight": "analysis/results analysis/solve analysis/model engines linalg regularize netlist support",
    "analysis/run": "analysis/insight analysis/plan analysis/results analysis/solve analysis/model engines regularize netlist support",
    "analysis/plan": "analysis/insight analysis/results analysis/solve analysis/model engines linalg regularize netlist "
    "device/disjoint_sets.hpp support",
    "analysis/tran": "analysis/insight analysis/results analysis/solve analysis/certify analysis/model engines linalg device regularize netlist support",
    "analysis/distributed": "analysis/run analysis/results analysis/solve analysis/certify analysis/model engines linalg device "
    "regularize netlist support",
    "analysis/diff": "analysis/results analysis/model netlist support",
    "analysis/pde": "engines linalg grid netlist/values/expression.hpp support",
    "analysis/papers": "analysis/pde analysis/solve analysis/model engines engines/aggamg engines/psc engines/stokes linalg device grid "
    "netlist support",
    "analysis": "analysis/run analysis/results analysis/solve analysis/model analysis/pde engines netlist support",
    "reports": "analysis analysis/run analysis/results analysis/model analysis/insight analysis/plan analysis/tran analysis/distributed analysis/diff analysis/papers analysis/pde engines netlist support",
    "app": "* ",
    "app/session": "* -app",
    "python": "* -app app/session",
}
PARTS = ["support", "device", "linalg", "grid", "netlist", "layout", "regularize", "engines", "analysis", "reports", "app", "python"]
# The parts of engines that only its table of engines (the registry) includes.
REGISTRY = re.compile(r"engines/registry\w*\.(cpp|hpp)")

MOST_FILES = {"analysis": 40, "": 60}
MOST_LINES = 400
MOST_COLUMNS = 120  # of what clang-format does not format

root = Path(sys.argv[1])


def room_of(path):
    for folder in path.parents:
        if str(folder) in ROOMS:
            return str(folder)
    sys.exit(f"{path} is in no room")


def may_include(room, other):
    allowed = ROOMS[room].split()
    if other in allowed:
        return True
    return "*" in allowed and not any(a[0] == "-" and other.startswith(a[1:]) for a in allowed)


found = set()
for part in PARTS:
    sources = [p.relative_to(root) for p in (root / part).rglob("*") if p.suffix in (".cpp", ".hpp", ".cu")]
    for folder, count in sorted(collections.Counter(p.parent for p in sources).items()):
        if folder.parts[0] == "engines" and str(folder) not in ROOMS:
            found.add(f"{folder}: an engine's folder that is no room")
        most = MOST_FILES.get(folder.parts[0], MOST_FILES[""])
        if count > most:
            found.add(f"{folder}: more than {most} files")
    for source in sources:
        text = (root / source).read_text(encoding="utf-8")
        if text.count("\n") > MOST_LINES:
            found.add(f"{source}: more than {MOST_LINES} lines")
        for included in re.findall(r'^#include "([^"]+)"', text, re.MULTILINE):
            if not (root / included).exists():
                continue
            room, other = room_of(source), room_of(Path(included))
            if room == other or may_include(room, other) or included in ROOMS[room].split():
                continue
            if REGISTRY.fullmatch(str(source)) and other.startswith("engines/"):
                continue
            found.add(f"{source} -> {included}")

for script in sorted(p.relative_to(root) for p in (root / "reports").rglob("*.js")):
    lines = (root / script).read_text(encoding="utf-8").splitlines()
    if len(lines) > MOST_LINES:
        found.add(f"{script}: more than {MOST_LINES} lines")
    found.update(f"{script}:{k}: longer than {MOST_COLUMNS} columns"
                 for k, line in enumerate(lines, 1) if len(line) > MOST_COLUMNS)

for line in sorted(found):
    print(f"not allowed: {line}")
sys.exit(bool(found))
