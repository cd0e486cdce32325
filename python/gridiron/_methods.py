# SPDX-License-Identifier: Apache-2.0
"""How classes of the compiled part get methods that are written in Python."""

from __future__ import annotations

import importlib
from typing import Any, Callable, TypeVar

from . import _core

_Function = TypeVar("_Function", bound=Callable[..., Any])


def method_of(*classes: type, name: str | None = None) -> Callable[[_Function], _Function]:
    """Makes a function a method of these classes, by default under its own name."""

    def add(function: _Function) -> _Function:
        function.__name__ = name or function.__name__
        for kind in classes:
            setattr(kind, function.__name__, function)
        return function

    return add


def imported(module: str) -> Any:
    """A module that only some methods need. Errors: ImportError that says what to install."""
    package = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != package:
            raise
        raise ImportError(f"{package} is not installed; run: pip install {package}", name=package) from None


def of_nodes(result: Any) -> Any:
    """The Report that has the nodes of a result: itself, or that of a Simulation's worst moments."""
    return result._worst if isinstance(result, _core.Simulation) else result
