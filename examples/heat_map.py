#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A session on one grid: where it drops, what a hungrier block does to it, and which strap helps.

    python3 heat_map.py [NETLIST [PICTURE.png]]

Without arguments it generates a grid. The picture needs matplotlib.
"""
import sys
import tempfile
from pathlib import Path

import numpy

import gridiron

# 1. Read once. Everything below shares the design: names, places, nets.
netlist = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.gettempdir()) / "gridiron_example.sp"
if len(sys.argv) < 2:
    gridiron.generate(netlist, style="ibm", nodes=20_000, seed=1)
design = gridiron.read(netlist)
print(f"{netlist.name}: {design.node_count - 1} nodes, nets {', '.join(name for name, _ in design.nets)}")

# 2. Factor once. Every voltage is within bound_v of the exact solution.
system = gridiron.System(design)
solver = gridiron.Solver(system, tolerance_v=1e-6)
before = solver.solve()
report = gridiron.summarise(solver, before, limits=["worst=10%"])
for net in report.nets:
    print(f"{net.name}: worst {1e3 * net.worst_drop_v:.2f} mV at {design.node_name(net.worst_node)}")
print(f"certified to {before.bound_v:.1e} V; limits {'exceeded' if report.limit_exceeded else 'kept'}")

# 3. What if the loads of the left half drew twice as much? One solve with the same factors.
loads = gridiron.Loads(design)
sources = design.current_sources
node = numpy.maximum(sources.a, sources.b)  # the other end is ground, node 0
left = design.x_um[node] < numpy.nanmedian(design.x_um)
loads.amperes[left] *= 2
[after] = solver.solve(loads)
change_v = numpy.abs(after.voltage_v - before.voltage_v)
print(f"left half doubled: up to {1e3 * change_v.max():.2f} mV more")

# 4. Halve the resistor with the largest voltage across it: an update of the factors, not a set-up.
straps = design.resistors
across_v = numpy.abs(after.voltage_v[straps.a] - after.voltage_v[straps.b])
worst = int(across_v.argmax())
system.apply(gridiron.ScaleResistor(straps.name(worst), 0.5))
solver.update(system)
[wider] = solver.solve(loads)
change_v = numpy.abs(wider.voltage_v - after.voltage_v)
print(f"strap {straps.name(worst)} twice as wide: up to {1e3 * change_v.max():.2f} mV changed")
work = solver.work
print(f"in all {work['setups']} set-up, {work['updates']} update and {work['vectors']} load vectors")

# 5. A picture of the first net that is no ground, worst layer on top.
try:
    import matplotlib
except ImportError:
    print("no picture: matplotlib is not installed")
    sys.exit()
matplotlib.use("Agg")
from matplotlib import pyplot

report = gridiron.summarise(solver, wider)
nodes = report.nodes
net = next(k for k, n in enumerate(report.nets) if not n.is_ground)
shown = numpy.flatnonzero((nodes.net == net) & ~numpy.isnan(nodes.x_um))
shown = shown[numpy.argsort(nodes.drop_v[shown])]
figure, axes = pyplot.subplots(figsize=(6, 5), layout="constrained")
points = axes.scatter(nodes.x_um[shown], nodes.y_um[shown], c=1e3 * nodes.drop_v[shown], s=4, marker="s", cmap="inferno_r")
figure.colorbar(points, label="IR drop, mV")
axes.set(title=f"{netlist.name}, net {report.nets[net].name}", xlabel="x, µm", ylabel="y, µm", aspect="equal")
picture = Path(sys.argv[2]) if len(sys.argv) > 2 else netlist.with_suffix(".png")
figure.savefig(picture, dpi=150)
print(f"picture: {picture}")
