# SPDX-License-Identifier: Apache-2.0
"""IR drop of on-chip power grids, with a guaranteed bound on the error of every voltage.

    import gridiron
    design = gridiron.read("chip.sp.bz2")
    solver = gridiron.Solver(gridiron.System(design), engine="auto", tolerance_v=10e-6)
    report = gridiron.summarise(solver, solver.solve(), limits=["worst=5%"])
    for net in report.nets:
        print(net.name, net.worst_drop_v, design.node_name(net.worst_node))
    report.write("reports")

What was learnt is kept: another load costs one solve, an edited System an update of its Solver. Numbers are in SI
units, coordinates in um; arrays are views of the library's memory, so nothing is copied. Errors are kinds of
gridiron.Error, with .field (the argument at fault), .file, .line and .column.
"""

from __future__ import annotations

import enum
import inspect
import os
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence



def _has_openmp() -> bool:
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            return any("/libgomp" in line for line in maps)
    except OSError:
        return False


# OpenMP reads these once, when it is loaded with the module: by default its threads spin while they wait, which makes
# short loops many times slower on a machine with other jobs. What is set already counts, and nothing stays set. Where
# another module has loaded it before, the library does without (support/short_waits.hpp).
_OPENMP = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "1000"}
_unset = [] if _has_openmp() else [name for name in _OPENMP if name not in os.environ]
os.environ.update({name: _OPENMP[name] for name in _unset})
try:
    from . import _core
finally:
    for _name in _unset:
        del os.environ[_name]

from . import _frames, _layouts, _plots, _shown  # they give classes of _core further methods
from ._names import NamedList, SupplyNet
from ._core import (
    AddPad,
    Answer,
    Design,
    Difference,
    DropPad,
    Elements,
    EmRules,
    Error,
    GridError,
    InputError,
    Limit,
    Loads,
    Net,
    NodeTable,
    Pad,
    Plan,
    Report,
    ResourceError,
    ScaleResistor,
    SetResistor,
    Simulation,
    Solver,
    SolverError,
    Stopped,
    System,
    UnknownName,
    WorstCase,
    __version__,
    diff,
    engines,
    generate,
    simulate,
    summarise,
)

if TYPE_CHECKING:
    import numpy
    import scipy.sparse

    _Path = str | os.PathLike[str]

__all__ = [
    "AddPad",
    "Answer",
    "Design",
    "Difference",
    "DropPad",
    "Elements",
    "EmRules",
    "Engine",
    "Error",
    "GridError",
    "InputError",
    "Limit",
    "Loads",
    "NamedList",
    "Net",
    "NodeState",
    "NodeTable",
    "Pad",
    "Plan",
    "Report",
    "ResourceError",
    "ScaleResistor",
    "SetResistor",
    "Simulation",
    "Solver",
    "SolverError",
    "Stopped",
    "SupplyNet",
    "System",
    "UnknownName",
    "WorstCase",
    "analyse",
    "analyze",
    "diff",
    "engines",
    "extract",
    "generate",
    "read",
    "read_layout",
    "read_text",
    "simulate",
    "summarise",
    "summarize",
]


class NodeState(enum.IntEnum):
    """Entries of NodeTable.state."""

    SOLVED = 0  #: an unknown, or fixed by a source
    GROUND = 1
    FLOATING = 2  #: no path leads to a source: it has no voltage
    UNLISTED = 3  #: left out by net=


def _declared(command: str, *fields: str) -> Any:
    """Adds what the command of that name declares of these arguments, or of all, to a docstring."""

    def add(function: Any) -> Any:
        if function.__doc__:  # python -OO has none
            function.__doc__ = f"{inspect.cleandoc(function.__doc__)}\n\n{_core._described(command, list(fields))}"
        return function

    return add


@_declared("read_spice", "lenient", "dialect", "top", "nominal", "dbu", "node_pattern", "pads", "threads")
@_declared("analyze_power_grid", "ignore_opens")
def read(
    path: str | os.PathLike[str],
    *,
    lenient: bool = False,
    dialect: str = "auto",
    top: str = "",
    nominal: Mapping[str, float] | None = None,
    dbu: float | None = None,
    node_pattern: str = "",
    pads: _Path | None = None,
    ignore_opens: bool = False,
    threads: int = 0,
) -> Design:
    """Reads a SPICE netlist: plain, .gz, .bz2, .xz or .zst; "-" is standard input.

    nominal: {net: volts}. Errors: InputError. See Design.findings for what is wrong with the grid.
    """
    values = dict(nominal or {})
    return _core._read(path, lenient, dialect, top, values, dbu, node_pattern, pads, ignore_opens, "", threads)


def read_text(
    text: str,
    name: str = "<text>",
    *,
    lenient: bool = False,
    dialect: str = "auto",
    top: str = "",
    nominal: Mapping[str, float] | None = None,
    dbu: float | None = None,
    node_pattern: str = "",
    pads: _Path | None = None,
    ignore_opens: bool = False,
) -> Design:
    """The same from text in memory; `name` is the file name in messages."""
    values = dict(nominal or {})
    return _core._read_text(text, name, lenient, dialect, top, values, dbu, node_pattern, pads, ignore_opens)


@_declared("read_spice", "nominal", "threads")
@_declared("read_layout")
def read_layout(
    path: _Path,
    *,
    lef: _Path | Iterable[_Path],
    net: str | Iterable[str] | None = None,
    layer_rc: _Path | None = None,
    power: _Path | Iterable[_Path] | Mapping[str, float] | None = None,
    power_by_cell: _Path | Mapping[str, float] | None = None,
    sources: _Path | Mapping[str, _Path] | None = None,
    source_type: str | None = None,
    source_settings: Mapping[str, float] | None = None,
    source_resistance: float = 0.0,
    nominal: Mapping[str, float] | None = None,
    ignore_opens: bool = False,
    ignore_shorts: bool = False,
    extract: str | None = None,
    mesh: float | None = None,
    threads: int = 0,
) -> Design:
    """Reads a placed design, a DEF file with its LEF files, and extracts its power nets as `gridiron ir --lef` does.

    net: those to extract, by default all of USE POWER and GROUND that have special wires. nominal: {net: volts}. power
    may be {instance: watts} and power_by_cell {cell: watts}, dicts or pandas.Series; names that the design lacks are
    told in Design.findings, as are those of files. source_settings: {"bump_dx": um, ...}.

    Errors: InputError. GridError when shapes, terminals or pins of the block are not connected to the highest layer of
    their net, unless ignore_opens is given, and when metal of two nets touches, unless ignore_shorts is; then
    Design.findings has them ("open-shape", "open-terminal", "open-pin"; "short").
    """
    return _layouts.layout_of(
        path,
        lef=lef,
        net=net,
        layer_rc=layer_rc,
        power=power,
        power_by_cell=power_by_cell,
        sources=sources,
        source_type=source_type,
        source_settings=source_settings,
        source_resistance=source_resistance,
        nominal=nominal,
        ignore_opens=ignore_opens,
        ignore_shorts=ignore_shorts,
        extract=extract,
        mesh=mesh,
    ).read(threads)


def extract(path: _Path, out: _Path, *, digits: int = 7, threads: int = 0, **options: Any) -> list[dict[str, str]]:
    """Writes the SPICE deck of a layout in the form of OpenROAD's write_pg_spice, as `gridiron extract` does.

    out: the deck, compressed as its name says. digits: of resistances; 17 keep every bit. options: those of
    read_layout(), lef among them. Returns the findings, [{"severity", "code", "message", "place"}]. Errors: those of
    read_layout(), and ResourceError; nothing is written then.
    """
    return _layouts.layout_of(path, **options).extract(out, digits, threads)


@_declared("read_spice", "lenient", "dialect", "top", "nominal", "dbu", "node_pattern", "pads")
@_declared("analyze_power_grid", "loads", "net", "limit", "em_limit", "em_rules", "ignore_opens")
def analyse(
    path: _Path | Design,
    *,
    loads: str | os.PathLike[str] | None = None,
    net: str = "",
    limits: Sequence[str] = (),
    em_limits: Sequence[str] = (),
    em_rules: EmRules | None = None,
    nominal: Mapping[str, float] | None = None,
    dbu: float | None = None,
    node_pattern: str = "",
    lenient: bool = False,
    dialect: str = "auto",
    top: str = "",
    pads: _Path | None = None,
    ignore_opens: bool = False,
    reduce: bool = True,
    **solver_options: Any,
) -> Report:
    """Static IR drop in one call, as `gridiron ir`: read, reduce, solve, summarise.

    path: a netlist, or a Design, such as read_layout() returns; how that was read is settled. limits and em_limits are
    lists, nominal is {net: volts}; solver_options: those of Solver. reduce: eliminate dangling and series nodes.
    Errors: those of all these; SolverError when the tolerance is missed.
    """
    threads = solver_options.get("threads", 0)
    if isinstance(path, Design):
        if any((lenient, dialect != "auto", top, nominal, dbu is not None, node_pattern, pads is not None, ignore_opens)):
            fields = "lenient, dialect, top, nominal, dbu, node_pattern, pads and ignore_opens"
            raise InputError(f"{fields}: a Design has been read already; give them to read()")
        design = path
    else:
        values = dict(nominal or {})
        design = _core._read(path, lenient, dialect, top, values, dbu, node_pattern, pads, ignore_opens, net, threads)
    system = System(design, reduce=reduce)
    _core._require_names(system, net, list(limits), list(em_limits), em_rules)
    solver = Solver(system, **solver_options)
    if loads is None:
        report = summarise(solver, solver.solve(), net=net, limits=list(limits), em_limits=list(em_limits), em_rules=em_rules)
    else:
        worst = WorstCase(system)
        solver.solve(Loads.read(design, loads), take=lambda vector, answer: worst.add(answer))
        report = worst.report(net=net, limits=list(limits), em_limits=list(em_limits), solver=solver, em_rules=em_rules)
    if miss := solver.miss(report):
        raise SolverError(miss)
    return report


analyze = analyse
summarize = summarise


class Engine:
    """A solver engine on any sparse matrix, for those who study solvers: A X = B, one matrix, many right-hand sides.

        engine = gridiron.Engine("aggamg")
        engine.setup(matrix)
        x = engine.solve(b, rtol=1e-10)
        print(engine.stats[0]["iterations"])

    Calls work without the GIL; Ctrl-C stops a solve. After a SolverError the engine can solve again.
    """

    def __init__(
        self,
        name: str = "auto",
        *,
        device: str = "auto",
        settings: Mapping[str, Any] | None = None,
        threads: int = 0,
    ) -> None:
        """name: of gridiron.engines(), or "auto". settings: its parameters. Errors: InputError."""
        self._engine = _core._Engine(name, device, dict(settings or {}), threads)
        self._name, self._is_set_up = name, False

    def setup(self, matrix: scipy.sparse.spmatrix | System, *, symmetric_positive_definite: bool = True) -> None:
        """Orders and factors the matrix, or builds the hierarchy.

        matrix: any scipy.sparse matrix, or a System, whose geometry some engines use. Errors: InputError when the
        engine declines the matrix, SolverError, ResourceError.
        """
        self._engine.setup(_problem(matrix, symmetric_positive_definite))
        self._is_set_up = True

    def update(self, matrix: scipy.sparse.spmatrix | System, *, symmetric_positive_definite: bool = True) -> None:
        """The same for other values in the same pattern, using what setup() has learnt."""
        self._engine.update(_problem(matrix, symmetric_positive_definite))
        self._is_set_up = True

    def solve(
        self,
        b: numpy.ndarray,
        x0: numpy.ndarray | None = None,
        *,
        rtol: float = 1e-8,
        max_residual: float = 0.0,
        max_iterations: int = 500,
    ) -> numpy.ndarray:
        """The solution X of A X = B, in the shape of b: n, or n x k.

        x0: initial guess. Each column stops at the relative residual rtol, or where max |b - A x| is at most
        max_residual. Missing both is no error: look at stats.
        """
        return self._engine.solve(b, x0, rtol, max_residual, max_iterations)

    def __repr__(self) -> str:
        return f"<gridiron.Engine: {self._name}{'' if self._is_set_up else ', no matrix yet'}>"

    @property
    def stats(self) -> list[dict[str, Any]]:
        """Per column of the last solve {"iterations", "relative_residual", "max_residual", "converged", "history"}."""
        return self._engine.stats()

    @property
    def description(self) -> dict[str, Any]:
        """Name, device, threads, parameters, levels, bytes and note of the engine that was set up."""
        return self._engine.description()


def _problem(matrix: Any, symmetric_positive_definite: bool) -> Any:
    if isinstance(matrix, System):
        return matrix
    import scipy.sparse

    if not scipy.sparse.issparse(matrix):
        raise InputError("matrix: expected a scipy.sparse matrix or a gridiron.System")
    csr = matrix.tocsr(copy=True)
    if csr.shape[0] != csr.shape[1]:
        raise InputError(f"matrix: {csr.shape[0]} x {csr.shape[1]} is not square")
    if csr.dtype.kind == "c":
        raise InputError("matrix: expected real numbers, not complex ones")
    csr.sum_duplicates()
    csr.sort_indices()
    if symmetric_positive_definite and csr.nnz > 0 and abs(csr - csr.T).max() > 1e-12 * abs(csr).max():
        raise InputError("matrix: not symmetric; pass symmetric_positive_definite=False")
    return _core._problem(
        csr.indptr.astype("int64"), csr.indices.astype("int32"), csr.data.astype("float64"), symmetric_positive_definite
    )
