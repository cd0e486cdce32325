# SPDX-License-Identifier: Apache-2.0
"""Errors by kind, with the argument and the place; hostile names; Ctrl-C."""
import json
import os
import signal
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

import numpy
from common import EXAMPLES, TOOL, deck

import gridiron


class Errors(unittest.TestCase):
    def raises(self, kind, call, *, message, field=None, place=None):
        with self.assertRaises(kind) as caught:
            call()
        self.assertIs(type(caught.exception), kind)
        self.assertIsInstance(caught.exception, gridiron.Error)
        self.assertRegex(str(caught.exception), message)
        self.assertEqual(caught.exception.field, field)
        self.assertEqual(caught.exception.place, place)

    def test_kinds(self):
        design = gridiron.read(EXAMPLES / "two_nets.sp")
        system = gridiron.System(design)
        floating = str(EXAMPLES / "floating.sp")
        solver = gridiron.Solver(system)
        answer = solver.solve()
        self.raises(gridiron.InputError, lambda: gridiron.read("/none"), message="^/none: cannot open")
        self.raises(gridiron.InputError, lambda: gridiron.read_text("* t\nr1 a b c d\n", "x.sp"),
                    message="^x.sp:2:10: expected a number, .*there is no .\.model d R", place="x.sp:2:10")
        self.raises(gridiron.InputError, lambda: gridiron.Solver(system, tolerance_v=-1),
                    message="^tolerance_v=-1: expected a positive", field="tolerance_v")
        self.raises(gridiron.InputError, lambda: gridiron.Solver(system, max_iterations=0),
                    message="^max_iterations=0: ", field="max_iterations")
        self.raises(gridiron.InputError, lambda: gridiron.summarise(solver, answer, limits=["5"]),
                    message="^limits=5: expected a percentage", field="limits")
        self.raises(gridiron.InputError, lambda: gridiron.Loads(design, numpy.ones((3, 2))),
                    message="^amperes=3 rows", field="amperes")
        self.raises(gridiron.GridError, lambda: gridiron.System(gridiron.read(floating)),
                    message="2 nodes with a load", place=f"{floating}:7:1")
        self.raises(gridiron.UnknownName, lambda: system.apply(gridiron.ScaleResistor("r99", 2)), message="r99")
        self.raises(gridiron.InputError, lambda: gridiron.Solver(system, engine="sor"), message='called "sor"')
        self.raises(gridiron.ResourceError, lambda: gridiron.analyse(EXAMPLES / "two_nets.sp").write("/proc/none"),
                    message="/proc/none")
        self.assertTrue(issubclass(gridiron.InputError, ValueError))
        with self.assertRaises(IndexError):
            design.node_name(99)

    def test_numbers_of_threads(self):
        path = EXAMPLES / "two_nets.sp"
        system = gridiron.System(gridiron.read(path))
        calls = (lambda threads: gridiron.read(path, threads=threads),
                 lambda threads: gridiron.Solver(system, threads=threads).solve(),
                 lambda threads: gridiron.Engine(threads=threads).setup(system))
        for call in calls:
            for threads in -5, 4097, 1000000:
                self.raises(gridiron.InputError, lambda: call(threads), message=f"^threads={threads}: expected 0 to 4096",
                            field="threads")
            call(4096)
        solver = gridiron.Solver(system, threads=4096)
        solver.solve()
        self.assertLessEqual(solver.engine["threads"], os.cpu_count())

    def test_devices(self):
        system = gridiron.System(gridiron.read(EXAMPLES / "two_nets.sp"))
        for call in (lambda: gridiron.Solver(system, device="gpu"), lambda: gridiron.Engine(device="gpu").setup(system)):
            self.raises(gridiron.InputError, call, message="^device=gpu: expected auto, cpu or cuda$", field="device")

    def test_em_limits(self):
        for limit in "NO=1mA", "M1=-1mA", "M1":
            self.raises(gridiron.InputError,
                        lambda: gridiron.analyse(EXAMPLES / "two_nets.sp", em_limits=[limit]),
                        message="^em_limits=", field="em_limits")

    def test_formats(self):
        report = gridiron.analyse(EXAMPLES / "chip.sp.gz")
        with tempfile.TemporaryDirectory() as folder:
            by_tool, by_default = Path(folder) / "tool", Path(folder) / "default"
            subprocess.run([TOOL, "ir", EXAMPLES / "chip.sp.gz", "--out", by_tool], check=True, capture_output=True)
            paths = report.write(by_default)
            self.assertEqual({path.name for path in paths} | {"manifest.json"}, {path.name for path in by_default.iterdir()})
            self.assertEqual({path.name for path in paths} | {"manifest.json"}, {path.name for path in by_tool.iterdir()})
            self.raises(gridiron.InputError, lambda: report.write(by_default, ["pdf"]), field="formats",
                        message="^formats=: unknown format 'pdf'; known are text, solution, .*npy$")

    def test_arguments_of_a_wrong_type(self):
        with self.assertRaisesRegex(TypeError, "^expected a Report or the path of a folder, not int$"):
            gridiron.diff(5, 6)
        system = gridiron.System(gridiron.read(EXAMPLES / "two_nets.sp"))
        with self.assertRaisesRegex(TypeError, "^expected SetResistor, ScaleResistor, AddPad, DropPad or Plan, not int$"):
            system.apply(5)

    def test_complex_numbers_are_refused(self):
        design = gridiron.read(EXAMPLES / "two_nets.sp")
        system = gridiron.System(design)
        loads = gridiron.Loads(design)
        amperes = numpy.full(loads.amperes.shape, 1 + 1j)
        engine = gridiron.Engine()
        engine.setup(system)
        for call, name in ((lambda: engine.solve(numpy.ones(system.unknowns, complex)), "b"),
                           (lambda: gridiron.Loads(design, amperes), "amperes"),
                           (lambda: setattr(loads, "amperes", amperes), "amperes"),
                           (lambda: setattr(loads, "amperes", 1j), "amperes")):
            self.raises(gridiron.InputError, call, message=f"^{name}=expected real numbers", field=name)
        with self.assertRaisesRegex(gridiron.InputError, "^matrix: expected real numbers"):
            engine.setup(system.matrix() * 1j)
        loads.amperes = 2e-3
        self.assertEqual(set(loads.amperes.flat), {2e-3})

    def test_stop_rules(self):
        system = gridiron.System(gridiron.read(EXAMPLES / "two_nets.sp"))
        engine = gridiron.Engine()
        engine.setup(system)
        for name, value in (("rtol", -1), ("rtol", float("nan")), ("max_residual", -1), ("max_residual", float("nan")),
                            ("max_iterations", -1), ("max_iterations", 0)):
            self.raises(gridiron.InputError, lambda: engine.solve(numpy.ones(system.unknowns), **{name: value}),
                        message=f"^{name}={value}: expected", field=name)

    def test_a_source_named_twice(self):
        design = gridiron.read(EXAMPLES / "two_nets.sp")
        name = design.current_sources.names[0]
        with self.assertRaisesRegex(gridiron.InputError, f"{name} and {name.upper()} name the same current source"):
            gridiron.Loads(design, numpy.ones((2, 1)), names=[name, name.upper()])

    def test_an_edit_that_fails_changes_nothing(self):
        system = gridiron.System(gridiron.read(deck()))
        before = system.matrix().data.copy()
        strap = system.design.resistors.name(0)
        with self.assertRaises(gridiron.InputError):
            system.apply(gridiron.ScaleResistor(strap, 0.5), gridiron.ScaleResistor("no such", 0.5))
        numpy.testing.assert_array_equal(system.matrix().data, before)

    def test_missed_tolerance(self):
        with self.assertRaisesRegex(gridiron.SolverError, "raise max_iterations= or try engine="):
            gridiron.analyse(deck(), engine="aggamg", max_iterations=1, tolerance_v=1e-12)
        solver = gridiron.Solver(gridiron.System(gridiron.read(deck())), engine="aggamg", max_iterations=1)
        self.assertIn("max_iterations=", solver.miss(solver.solve()))

    def test_an_error_in_progress_comes_through(self):
        def fail(stage):
            raise KeyError(stage)

        with self.assertRaises(KeyError):
            gridiron.Solver(gridiron.System(gridiron.read(deck())), progress=fail)


class Names(unittest.TestCase):
    def test_hostile_names_come_back_unchanged(self):
        nodes = ["<script>", "</script>", "`x`", "[exec_rm]", "%n%s", "@cmd|x", "é", "a&amp\\", "\udcff\udc80"]
        text = "* t\nv1 " + nodes[0] + " 0 1\n"
        for i, (first, second) in enumerate(zip(nodes, nodes[1:])):
            text += f"r<{i}>[x] {first} {second} 1\n"
        text += f"i[{nodes[-1]} {nodes[-1]} 0 1m\n.end\n"
        design = gridiron.read_text(text, 'x"<.sp')
        shown = nodes[:-1] + ["\uefff\uef80"]  # bytes that are not UTF-8
        self.assertEqual(design.node_names[1:], shown)
        self.assertEqual(design.resistors.names[0], "r<0>[x]")
        self.assertEqual(design.current_sources.names, [f"i[{shown[-1]}"])
        self.assertEqual(design.current_sources.find(f"i[{shown[-1]}"), 0)
        self.assertEqual(design.find_node(shown[-1]), len(nodes))
        for i, name in enumerate(nodes):
            self.assertEqual(design.find_node(name), i + 1)
        system = gridiron.System(design)
        system.apply(gridiron.SetResistor("r<0>[x]", 2.0))
        solver = gridiron.Solver(system)
        report = gridiron.summarise(solver, solver.solve())
        self.assertAlmostEqual(report.nets[0].worst_drop_v, 9e-3, places=12)
        self.assertEqual(design.node_name(report.nets[0].worst_node), shown[-1])
        self.assertEqual(report.to_dict()["nets"][0]["worst_node"], shown[-1])
        self.assertEqual(report.to_dict()["nets"][0]["worst_nodes"][1]["node"], nodes[-2])
        with tempfile.TemporaryDirectory() as folder:
            report.write(folder)
            solution = next(Path(folder).glob("*.solution")).read_bytes().decode(errors="surrogateescape")
            self.assertEqual([line.rsplit(" ", 1)[0] for line in solution.splitlines()][1:], nodes)
            saved = json.loads((Path(folder) / "report.json").read_text())
            self.assertEqual(saved["nets"][0]["worst_node"], shown[-1])
            self.assertTrue(gridiron.diff(folder, report).is_empty)
            self.assertEqual(gridiron.diff(folder, report).names[-1], shown[-1])


class Stops(unittest.TestCase):
    def endless(self, progress=None):
        """A solver and loads that keep it at work for minutes."""
        design = gridiron.read(deck())
        solver = gridiron.Solver(gridiron.System(design), engine="aggamg", tolerance_v=1e-9, progress=progress)
        return solver, gridiron.Loads(design, vectors=5000)

    def test_keyboard_interrupt_stops_a_solve(self):
        solver, loads = self.endless()

        def interrupt(vector, answer):
            if vector == 0:
                os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            solver.solve(loads, interrupt)
        self.assertLess(solver.work["vectors"], 5000)
        self.assertLess(solver.solve().bound_v, 1e-9)  # it can solve again

    def test_stop_from_another_thread(self):
        solver, loads = self.endless()
        at_work, ended = threading.Event(), []

        def work():
            try:
                solver.solve(loads, lambda vector, answer: at_work.set())
            except gridiron.Stopped as error:
                ended.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        at_work.wait()  # this thread runs meanwhile: the GIL is free
        with self.assertRaisesRegex(gridiron.InputError, "solver is at work"):
            solver.solve()
        solver.stop()
        thread.join()
        self.assertEqual(len(ended), 1)
        self.assertIsInstance(ended[0], gridiron.SolverError)

    def test_an_error_in_take_ends_the_solve(self):
        solver, loads = self.endless()

        def take(vector, answer):
            raise ZeroDivisionError(vector)

        with self.assertRaises(ZeroDivisionError):
            solver.solve(loads, take)

    def test_a_process_may_fork(self):
        solver, _ = self.endless()
        solver.solve()
        child = os.fork()
        if child == 0:
            os._exit(0 if gridiron.analyse(EXAMPLES / "two_nets.sp").nets[0].worst_drop_v > 0.04 else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


if __name__ == "__main__":
    unittest.main()
