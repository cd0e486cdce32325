# SPDX-License-Identifier: Apache-2.0
"""What objects look like at the prompt and in notebooks: one line of what they are, or HTML with a map."""

from __future__ import annotations

import base64
import html
import os
from typing import Any, Callable

from . import _core
from ._methods import method_of, of_nodes


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _volts(value: float) -> str:
    """1.5 mV."""
    for scale, prefix in ((1.0, ""), (1e-3, "m"), (1e-6, "u"), (1e-9, "n"), (1e-12, "p"), (1e-15, "f")):
        if abs(value) >= scale:
            return f"{value / scale:.4g} {prefix}V"
    return f"{value:.4g} V"


def _shows(kind: type) -> Callable[[Callable[[Any], str]], Callable[[Any], str]]:
    """Makes a function that describes an object the __repr__ of its class. Names may hold anything but end no line."""

    def add(describe: Callable[[Any], str]) -> Callable[[Any], str]:
        def __repr__(self: Any) -> str:
            text = f"<gridiron.{kind.__qualname__}: {describe(self)}>"
            return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)

        kind.__repr__ = __repr__  # type: ignore[method-assign]
        return describe

    return add


def _worst(net: Any) -> str:
    return f"{'bounce' if net.is_ground else 'drop'} {_volts(net.worst_drop_v)}"


def _title(path: str) -> str:
    return os.path.basename(path) or "from memory"


@_shows(_core.Design)
def _design(design: Any) -> str:
    nets = ", ".join(f"{name} {volts:g} V" for name, volts in design.nets[:4])
    more = ", ..." if len(design.nets) > 4 else ""
    errors = "; has errors, see findings" if design.has_errors else ""
    return f"{_title(design.path)}, {_count(design.node_count, 'node')}, nets {nets or 'none'}{more}{errors}"


@_shows(_core.Elements)
def _elements(elements: Any) -> str:
    return _count(len(elements), elements._kind)


@_shows(_core.Loads)
def _loads(loads: Any) -> str:
    return f"{_count(loads.amperes.shape[0], 'current source')} x {_count(loads.vectors, 'vector')}"


@_shows(_core.System)
def _system(system: Any) -> str:
    return f"{_title(system.design.path)}, {_count(system.unknowns, 'unknown')}, {_count(system.nonzeros, 'nonzero')}"


@_shows(_core.Solver)
def _solver(solver: Any) -> str:
    try:
        engine, system = solver.engine, solver.system
    except _core.InputError:  # another thread uses it
        return "at work"
    return f"{engine['name']} on {engine['device']}, {_title(system.design.path)}, {_count(system.unknowns, 'unknown')}"


@_shows(_core.Answer)
def _answer(answer: Any) -> str:
    how = f"within {_volts(answer.bound_v)}" if answer.is_finite else "the engine broke down"
    return f"{_count(len(answer.voltage_v), 'node')}, {how}"


@_shows(_core.Solver.Response)
def _response(response: Any) -> str:
    return f"node {response.node}, effective resistance {response.effective_ohm:.4g} ohm"


@_shows(_core.NodeTable)
def _nodes(nodes: Any) -> str:
    return _count(len(nodes), "node")


@_shows(_core.Net)
def _net(net: Any) -> str:
    return f"{net.name}, {_worst(net)} of {net.nominal_v:g} V, {_count(net.nodes, 'node')}, {_count(net.pads, 'pad')}"


@_shows(_core.Pad)
def _pad(pad: Any) -> str:
    return f"{pad.name}, {pad.voltage_v:.6g} V, {pad.current_a:.4g} A"


@_shows(_core.Limit)
def _limit(limit: Any) -> str:
    return str(limit)


@_shows(_core.Report)
@_shows(_core.Simulation)
def _result(result: Any) -> str:
    report = of_nodes(result)
    nets = ", ".join(f"{net.name} {_worst(net)}" for net in report.nets[:4]) + (", ..." if len(report.nets) > 4 else "")
    times = f"{_count(len(result.time_s), 'row')} of time, " if isinstance(result, _core.Simulation) else ""
    return f"{_title(report._path)}, {times}{_count(len(report.nodes), 'node')}, {nets}; verdict {report._verdict()}"


@_shows(_core.Difference)
def _difference(difference: Any) -> str:
    if difference.limit_exceeded:
        verdict = "a limit on changes is exceeded"
    else:
        verdict = "nothing has changed" if difference.is_empty else "drops have changed"
    return f"{_count(len(difference.names), 'node')}, {verdict}"


def _repr_of_edit(edit: Any) -> str:
    """As it was made."""
    kind = type(edit)
    fields = {
        _core.SetResistor: ("resistor", "ohm"),
        _core.ScaleResistor: ("resistor", "factor"),
        _core.AddPad: ("node", "volts", "ohm", "name"),
        _core.DropPad: ("pad",),
    }[kind]
    return f"gridiron.{kind.__name__}({', '.join(repr(getattr(edit, field)) for field in fields)})"


for _kind in (_core.SetResistor, _core.ScaleResistor, _core.AddPad, _core.DropPad):
    _kind.__repr__ = _repr_of_edit  # type: ignore[method-assign]


def _table_of_nets(nets: Any, name_of: Callable[[int], str]) -> str:
    rows = [("net", "nominal", "worst", "average", "worst node", "pads")]
    for net in nets:
        drops = (_worst(net), _volts(net.average_drop_v), name_of(net.worst_node))
        rows.append((net.name, f"{net.nominal_v:g} V", *drops, str(net.pads)))
    lines = []
    for number, row in enumerate(rows):
        cell = "td" if number else "th"
        lines.append("<tr>" + "".join(f"<{cell}>{html.escape(text)}</{cell}>" for text in row) + "</tr>")
    return f"<table>{''.join(lines)}</table>"


@method_of(_core.Report, _core.Simulation)
def _repr_html_(self: Any) -> str:
    """For notebooks: the verdict, the nets, and the map of the net that drops most."""
    report = of_nodes(self)
    parts = [
        f"<p><b>{type(self).__name__}</b> of {html.escape(_title(report._path))}, "
        f"verdict {html.escape(report._verdict())}</p>",
        _table_of_nets(report.nets, report._node_name),
    ]
    drops = [net.worst_drop_v for net in report.nets]
    worst = drops.index(max(drops)) if drops else -1
    if worst >= 0 and (png := report._map_png(worst)):
        name = html.escape(f"map of {report.nets[worst].name}")
        parts.append(f'<img alt="{name}" src="data:image/png;base64,{base64.b64encode(png).decode()}">')
    return "\n".join(parts)
