# SPDX-License-Identifier: Apache-2.0
"""Figures by matplotlib: each takes the axes to draw into, or makes new ones, and returns them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable

from . import _core
from ._methods import imported, method_of, of_nodes
from ._names import unknown

if TYPE_CHECKING:
    import matplotlib.axes


def _axes(ax: Any) -> Any:
    return imported("matplotlib.pyplot").subplots()[1] if ax is None else ax


def _literal(name: str) -> str:
    """A name from a netlist: `$` begins no formula."""
    return name.replace("$", r"\$")


@method_of(_core.Report, _core.Simulation)
def plot_map(
    self: Any, net: str | None = None, layer: str | None = None, ax: matplotlib.axes.Axes | None = None
) -> matplotlib.axes.Axes:
    """The drop of every node of a net over the chip, mV over um; of a Simulation that at the worst moment.

    net: by default the one that drops most. layer: by default all, of nodes on top of each other the worst. ax: axes
    to draw into, by default new ones. Returns the axes. Errors: UnknownName; InputError where no node has a place;
    ImportError without matplotlib.
    """
    import numpy

    report = of_nodes(self)
    if not report.nets:
        raise _core.InputError("there is no net to be drawn")
    chosen = max(report.nets, key=lambda row: row.worst_drop_v) if net is None else report.nets[net]
    nodes = report.nodes
    is_shown = (nodes.net == report.nets.names.index(chosen.name)) & numpy.isfinite(nodes.x_um)
    if layer is not None:
        if layer not in report.layer_names:
            raise unknown("layer", layer, report.layer_names)
        is_shown &= nodes.layer == report.layer_names.index(layer)
    shown = numpy.flatnonzero(is_shown)
    if shown.size == 0:
        raise _core.InputError(f"no node of net {chosen.name} there has a place")
    shown = shown[numpy.argsort(nodes.drop_v[shown], kind="stable")]
    ax = _axes(ax)
    x_um, y_um, drop_mv = nodes.x_um[shown], nodes.y_um[shown], 1e3 * nodes.drop_v[shown]
    points = ax.scatter(x_um, y_um, c=drop_mv, s=9, marker="s", cmap="inferno")
    what = "bounce" if chosen.is_ground else "drop"
    ax.figure.colorbar(points, ax=ax, label=f"{what} / mV")
    ax.set(xlabel="x / µm", ylabel="y / µm", aspect="equal")
    where = "" if layer is None else f", layer {layer}"
    ax.set_title(_literal(f"{chosen.name}{where}: worst {what} {drop_mv[-1]:.4g} mV"))
    return ax


@method_of(_core.Simulation)
def plot_waveforms(
    self: Any, probes: Iterable[str] | None = None, ax: matplotlib.axes.Axes | None = None
) -> matplotlib.axes.Axes:
    """Voltages of probes, V over ns, a line per scenario.

    probes: names, by default all. ax: axes to draw into, by default new ones. Returns the axes. Errors: UnknownName;
    InputError where the simulation has no probes; ImportError without matplotlib.
    """
    waves = self.probes
    if not waves:
        raise _core.InputError("the simulation has no waveforms; give probes= or worst_probes= to simulate()")
    names = list(waves if probes is None else probes)
    for name in names:
        if name not in waves:
            raise unknown("probe", name, list(waves))
    ax = _axes(ax)
    for name in names:
        lines = ax.plot(1e9 * self.time_s, waves[name])
        for number, line in enumerate(lines):
            line.set_label(_literal(name if len(lines) == 1 else f"{name}, scenario {number}"))
    ax.set(xlabel="time / ns", ylabel="voltage / V")
    ax.legend()
    return ax


@method_of(_core.Answer)
def plot_convergence(self: Any, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
    """The relative residual at the start and after each iteration, on a logarithmic scale.

    ax: axes to draw into, by default new ones. Returns the axes. Errors: InputError of an engine that does not
    iterate; ImportError without matplotlib.
    """
    stats = self.stats
    history = stats["history"]
    if stats["iterations"] == 0:
        raise _core.InputError("the engine did not iterate, so that there is no convergence to be drawn")
    ax = _axes(ax)
    ax.semilogy(range(len(history)), history, marker=".")
    ax.set(xlabel="iteration", ylabel="relative residual")
    return ax
