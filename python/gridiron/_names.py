# SPDX-License-Identifier: Apache-2.0
"""Lists of results that go by number and by name."""

from __future__ import annotations

from typing import Any, Generic, Iterable, NamedTuple, TypeVar

from . import _core

_Row = TypeVar("_Row")


class SupplyNet(NamedTuple):
    """A net of Design.nets."""

    name: str
    nominal_v: float  #: V


class NamedList(list, Generic[_Row]):
    """A list whose rows have names: nets[0], nets["VDD"], "VDD" in nets, for net in nets.

    Names are looked up as they are, then without regard to ASCII case. Errors: UnknownName, a KeyError;
    InputError where several rows have that name.
    """

    def __init__(self, rows: Iterable[_Row], what: str) -> None:
        super().__init__(rows)
        self._what = what  # "net"

    @property
    def names(self) -> list[str]:
        return [row.name for row in self]

    def __getitem__(self, key: Any) -> Any:
        return self._named(key) if isinstance(key, str) else super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        return bool(self._all_named(key)) if isinstance(key, str) else super().__contains__(key)

    def get(self, name: str, default: Any = None) -> _Row | Any:
        """The row of that name, or `default`."""
        return self[name] if name in self else default

    def _all_named(self, name: str) -> list[_Row]:
        exact = [row for row in self if row.name == name]
        return exact or [row for row in self if _folded(row.name) == _folded(name)]

    def _named(self, name: str) -> _Row:
        rows = self._all_named(name)
        if len(rows) > 1:
            raise _core.InputError(f"{self._what} {name}: there are several of that name; take one by its number")
        if not rows:
            raise unknown(self._what, name, self.names)
        return rows[0]


def unknown(what: str, name: str, names: list[str]) -> _core.UnknownName:
    """The error for a name that is none of `names`."""
    nearest = min(names, key=lambda other: _core._letters_apart(name, other), default=None)
    near = f"the nearest is {nearest}" if names else "there are none at all"
    error = _core.UnknownName(f"{what} {name}: there is none of that name; {near}")
    error.name, error.nearest = name, nearest
    return error


def _folded(name: str) -> str:
    return name.lower() if name.isascii() else name
