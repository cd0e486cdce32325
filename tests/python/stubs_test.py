# SPDX-License-Identifier: Apache-2.0
"""The type stubs say what the module has, and everything is documented."""
import ast
import inspect
import re
import unittest
from pathlib import Path

from common import EXAMPLES

import gridiron
from gridiron import _core

STUB = Path(gridiron.__file__).resolve().parent / "_core.pyi"


def public(names):
    return {name for name in names if not name.startswith("_")}


def stub_members(body):
    """Name → list of argument names per overload; None for attributes and properties."""
    members = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            is_property = any(ast.unparse(d) == "property" or d_is_setter(d) for d in node.decorator_list)
            a = node.args
            names = [x.arg for x in [*a.args, *a.kwonlyargs] if x.arg != "self"]
            if is_property:
                members[node.name] = None
            else:
                members.setdefault(node.name, []).append(names)
        elif isinstance(node, ast.AnnAssign):
            members[node.target.id] = None
        elif isinstance(node, ast.ClassDef):
            members[node.name] = None
    return members


def d_is_setter(decorator):
    return isinstance(decorator, ast.Attribute) and decorator.attr == "setter"


def signatures(function):
    """The argument names of each overload, as pybind11 writes them into the docstring."""
    if inspect.isfunction(function):
        return [[name for name in inspect.signature(function).parameters if name != "self"]]
    lines = re.findall(rf"^(?:\d+\. )?{function.__name__}\((.*)\) -> ", function.__doc__, re.MULTILINE)
    return [[name for name in re.findall(r"(\w+): ", line) if name != "self"] for line in lines]


class Stubs(unittest.TestCase):
    stub = ast.parse(STUB.read_text())

    def compare(self, where, stub, runtime):
        for name, overloads in stub.items():
            if overloads is None or name in ("__init__", "__len__") and not hasattr(runtime, name):
                continue
            if name == "apply":  # *edits
                continue
            with self.subTest(f"{where}.{name}"):
                self.assertEqual(signatures(getattr(runtime, name)), overloads)

    def test_functions_and_classes(self):
        functions = stub_members([node for node in self.stub.body if isinstance(node, ast.FunctionDef)])
        classes = {node.name: node for node in self.stub.body if isinstance(node, ast.ClassDef)}
        self.assertEqual(public(dir(_core)), public(functions) | public(classes))
        self.compare("gridiron", functions, _core)
        for name, node in classes.items():
            runtime, members = getattr(_core, name), stub_members(node.body)
            if issubclass(runtime, Exception):
                continue
            with self.subTest(name):
                self.assertEqual(public(vars(runtime)), public(members))
                self.compare(name, members, runtime)

    def test_types_of_results(self):
        report = gridiron.analyse(EXAMPLES / "two_nets.sp", limits=["worst=5%"])
        classes = {node.name: node for node in self.stub.body if isinstance(node, ast.ClassDef)}
        for row in (report.nets[0], report.pads[0], report.limits[0]):
            for node in classes[type(row).__name__].body:
                with self.subTest(f"{type(row).__name__}.{node.name}"):
                    value = getattr(row, node.name)
                    value = value() if inspect.ismethod(value) else value
                    self.assertEqual(type(value).__name__, ast.unparse(node.returns).split("[")[0])

    def test_all_is_exported(self):
        self.assertEqual(public(dir(_core)) - set(gridiron.__all__), set())
        for name in gridiron.__all__:
            self.assertTrue(inspect.getdoc(getattr(gridiron, name)), name)

    def test_marked_as_typed(self):
        self.assertTrue((STUB.parent / "py.typed").exists())


if __name__ == "__main__":
    unittest.main()
