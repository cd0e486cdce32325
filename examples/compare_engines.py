#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Engines side by side, the way a researcher would: on a grid with its certificate, and on a matrix of one's own.

    python3 compare_engines.py [NETLIST]

For tables with repetitions, memory and processes of their own use `gridiron compare`.
"""
import sys
import tempfile
import time
from pathlib import Path

import numpy

import gridiron

netlist = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.gettempdir()) / "gridiron_compare.sp"
if len(sys.argv) < 2:
    gridiron.generate(netlist, style="openroad", nodes=20_000, seed=1)
system = gridiron.System(gridiron.read(netlist))
print(f"{netlist.name}: {system.unknowns} unknowns, {system.nonzeros} nonzeros")

# 1. A power grid: each engine goes on until every voltage is certified to 1 uV, or declines.
reference, answers = None, {}
print(f"{'engine':10} {'seconds':>8} {'iterations':>10} {'difference':>10} {'bound':>10}")
for name in (engine["name"] for engine in gridiron.engines()):
    start = time.perf_counter()
    try:
        solver = gridiron.Solver(system, engine=name, tolerance_v=1e-6)
        answer = solver.solve()
    except gridiron.InputError as error:
        print(f"{name:10} {error}")
        continue
    seconds = time.perf_counter() - start
    reference = reference or answer
    difference_v = numpy.abs(answer.voltage_v - reference.voltage_v).max()
    print(f"{name:10} {seconds:8.3f} {answer.stats['iterations']:10} {difference_v:8.1e} V {answer.bound_v:8.1e} V")
    if miss := solver.miss(answer):
        sys.exit(f"{name}: {miss}")
    if difference_v > answer.bound_v + reference.bound_v:
        sys.exit(f"{name} is wrong: it differs by more than the bounds allow")

# 2. Any sparse matrix, here Poisson's equation on a square, and a block of right-hand sides.
try:
    import scipy.sparse
except ImportError:
    print("the second part is left out: scipy is not installed")
    sys.exit()
line = scipy.sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(200, 200))
matrix = scipy.sparse.kronsum(line, line)
b = numpy.random.default_rng(1).normal(size=(matrix.shape[0], 4))
for name, settings in (("cholmod", {}), ("aggamg", {}), ("aggamg", {"krylov": "gmres"})):
    engine = gridiron.Engine(name, settings=settings)
    start = time.perf_counter()
    engine.setup(matrix)
    x = engine.solve(b, rtol=1e-10)
    seconds = time.perf_counter() - start
    residual = numpy.linalg.norm(matrix @ x - b) / numpy.linalg.norm(b)
    print(f"poisson 200 x 200, {name} {settings}: {seconds:.3f} s, relative residual {residual:.1e}")
