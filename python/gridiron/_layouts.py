# SPDX-License-Identifier: Apache-2.0
"""How read_layout() and extract() hand their arguments to the library."""

from __future__ import annotations

import os
from typing import Any, Mapping

from . import _core


def layout_of(
    path: _Path,
    *,
    lef: Any,
    net: Any = None,
    layer_rc: Any = None,
    power: Any = None,
    power_by_cell: Any = None,
    sources: Any = None,
    source_type: str | None = None,
    source_settings: Mapping[str, Any] | None = None,
    source_resistance: float = 0.0,
    nominal: Mapping[str, float] | None = None,
    ignore_opens: bool = False,
    ignore_shorts: bool = False,
    extract: str | None = None,
    mesh: float | None = None,
) -> Any:
    """The layout that is to be read. What are files or words to the tool is handed on as text, the rest as it is."""
    texts = {
        "lef": _paths(lef),
        "layer_rc": _paths(layer_rc),
        "power": [] if _is_mapping(power) else _paths(power),
        "power_by_cell": [] if _is_mapping(power_by_cell) else _paths(power_by_cell),
        "source_type": [] if source_type is None else [str(source_type)],
        "source_set": [f"{key}={value}" for key, value in _dict("source_settings", source_settings).items()],
        "source_resistance": [] if source_resistance == 0 else [str(source_resistance)],
        "ignore_opens": ["yes"] if ignore_opens else [],
        "ignore_shorts": ["yes"] if ignore_shorts else [],
        "extract": [] if extract is None else [str(extract)],
        "mesh": [] if mesh is None else [str(mesh)],
    }
    nets = [net] if isinstance(net, str) else net
    files = sources if sources is None or _is_mapping(sources) else {"": sources}
    return _core._Layout(
        os.fsencode(path),
        texts,
        None if nets is None else [str(name) for name in nets],
        _dict("power", power) if _is_mapping(power) else {},
        _dict("power_by_cell", power_by_cell) if _is_mapping(power_by_cell) else {},
        {str(name): os.fsencode(file) for name, file in _dict("sources", files).items()},
        _dict("nominal", nominal),
    )


def _is_mapping(given: Any) -> bool:
    return hasattr(given, "items")  # of pandas.Series, too


def _dict(name: str, given: Any) -> dict[Any, Any]:
    if given is None:
        return {}
    if not _is_mapping(given):
        raise TypeError(f"{name}: expected a dict, not {type(given).__name__}")
    return dict(given.items())


def _paths(given: Any) -> list[bytes]:
    if given is None:
        return []
    if isinstance(given, (str, bytes, os.PathLike)):
        given = [given]
    return [os.fsencode(path) for path in given]
