# SPDX-License-Identifier: Apache-2.0
"""Results as pandas.DataFrame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _core
from ._methods import imported, method_of, of_nodes
from ._names import NamedList, unknown

if TYPE_CHECKING:
    import pandas


def _choice(table: str, tables: dict[str, Any]) -> Any:
    if table not in tables:
        raise unknown("table", table, list(tables))
    return tables[table]()


def _node_names(report: Any) -> list[str]:
    return [report._node_name(node) for node in range(len(report.nodes))]


def _nodes(result: Any) -> pandas.DataFrame:
    """A row per node that has a drop; names instead of numbers of nets and layers."""
    pandas = imported("pandas")
    report = of_nodes(result)
    nodes, names = report.nodes, _node_names(report)
    columns = {
        "net": _named(report.nets.names, nodes.net),
        "layer": _named(report.layer_names, nodes.layer),
        "x_um": nodes.x_um,
        "y_um": nodes.y_um,
    }
    if isinstance(result, _core.Simulation):
        for name in ("worst_drop_v", "worst_time_s", "average_drop_v", "rms_drop_v", "overshoot_v"):
            columns[name] = getattr(result, name)
    else:
        columns.update(voltage_v=nodes.voltage_v, drop_v=nodes.drop_v)
    frame = pandas.DataFrame(columns, index=pandas.Index(names, name="node"))
    return frame[nodes.net >= 0]


def _named(names: list[str], numbers: Any) -> list[str | None]:
    return [names[number] if number >= 0 else None for number in numbers]


def _rows(rows: Any) -> pandas.DataFrame:
    return imported("pandas").DataFrame([row if isinstance(row, dict) else row.to_dict() for row in rows])


@method_of(NamedList, name="to_pandas")
def _list_to_pandas(self: NamedList[Any]) -> pandas.DataFrame:
    """A row per net, pad, …, by name."""
    return imported("pandas").DataFrame.from_records(
        [row._asdict() if hasattr(row, "_asdict") else row.to_dict() for row in self],
        index="name" if self else None,
    )


def _instances(result: Any) -> pandas.DataFrame:
    return imported("pandas").DataFrame(result.instances)


def _segments(report: Any) -> pandas.DataFrame:
    resistors = report.design.resistors
    names = report.design.node_names
    columns = {"resistor": resistors.names, "a": _named(names, resistors.a), "b": _named(names, resistors.b)}
    return imported("pandas").DataFrame({**columns, "ohm": resistors.value, **report.segments})


def _waveforms(simulation: Any) -> pandas.DataFrame:
    pandas = imported("pandas")
    columns: dict[Any, Any] = {}
    for name, volts in simulation.probes.items():
        if volts.ndim == 1:
            columns[name] = volts
        else:
            columns.update({(name, scenario): volts[:, scenario] for scenario in range(volts.shape[1])})
    return pandas.DataFrame(columns, index=pandas.Index(simulation.time_s, name="time_s"))


@method_of(_core.Report, name="to_pandas")
def _report_to_pandas(self: Any, table: str = "nodes") -> pandas.DataFrame:
    """A table as a pandas.DataFrame, in SI units and um.

    table: "nodes" (by name, those that have a drop), "nets", "pads", "limits", "instances", "segments" or "hot_spots".
    Errors: UnknownName; ImportError without pandas.
    """
    return _choice(
        table,
        {
            "nodes": lambda: _nodes(self),
            "nets": lambda: self.nets.to_pandas(),
            "pads": lambda: self.pads.to_pandas(),
            "limits": lambda: _rows(self.limits),
            "instances": lambda: _instances(self),
            "segments": lambda: _segments(self),
            "hot_spots": lambda: _rows(self.hot_spots),
        },
    )


@method_of(_core.Simulation, name="to_pandas")
def _simulation_to_pandas(self: Any, table: str = "nodes") -> pandas.DataFrame:
    """A table as a pandas.DataFrame, in SI units and um.

    table: "nodes" (by name, those that have a drop, at their worst moments), "waveforms" (V of the probes over time_s;
    of several scenarios by name and number), "nets", "limits" or "instances". Errors: UnknownName; ImportError without
    pandas.
    """
    return _choice(
        table,
        {
            "nodes": lambda: _nodes(self),
            "waveforms": lambda: _waveforms(self),
            "nets": lambda: self.nets.to_pandas(),
            "limits": lambda: _rows(self.limits),
            "instances": lambda: _instances(self),
        },
    )


@method_of(_core.Plan, name="to_pandas")
def _plan_to_pandas(self: Any) -> pandas.DataFrame:
    """Plan.edits as a pandas.DataFrame. Errors: ImportError without pandas."""
    return _rows(self.edits)


@method_of(_core.Difference, name="to_pandas")
def _difference_to_pandas(self: Any) -> pandas.DataFrame:
    """change_v, V, by the name of the node, as a pandas.DataFrame. Errors: ImportError without pandas."""
    pandas = imported("pandas")
    return pandas.DataFrame({"change_v": self.change_v}, index=pandas.Index(self.names, name="node"))
