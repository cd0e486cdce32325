# SPDX-License-Identifier: Apache-2.0
"""One process reads, analyses with two engines, changes a load and a strap, analyses again and writes everything."""
import hashlib
import json
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

import numpy
from common import EXAMPLES, TOOL, deck

import gridiron


ISLAND = """* t
v1 VDD 0 1
r1 VDD a 1
i1 a 0 1m
r2 x y 1
i2 y 0 1m
.end
"""


class Pads(unittest.TestCase):
    def test_a_table_feeds_a_deck_without_sources(self):
        with tempfile.TemporaryDirectory() as folder:
            deck_file, table = Path(folder) / "deck.sp", Path(folder) / "pads.csv"
            deck_file.write_text("* t\nr1 a b 2\ni1 b 0 0.1\n.end\n")
            table.write_text("name,ohm,volts\na,1,1\n")
            report = gridiron.analyse(deck_file, pads=table)
            self.assertAlmostEqual(report.nets[0].worst_drop_v, 0.3)
            design = gridiron.read_text(deck_file.read_text(), pads=table)
            self.assertEqual(design.voltage_sources.names, ["pad.a"])
            table.write_text("name,ohm,volts\nc,1,1\n")
            with self.assertRaisesRegex(gridiron.InputError, r"pads.csv:2:1: the netlist has no node c"):
                gridiron.read(deck_file, pads=table)


class Islands(unittest.TestCase):
    def test_are_left_out(self):
        self.assertTrue(gridiron.read_text(ISLAND).has_errors)
        design = gridiron.read_text(ISLAND, ignore_opens=True)
        self.assertFalse(design.has_errors)
        self.assertEqual([finding["code"] for finding in design.findings], ["islands-left-out"])
        report = gridiron.analyse(design)
        self.assertAlmostEqual(report.nets[0].worst_drop_v, 1e-3)
        with tempfile.TemporaryDirectory() as folder:
            deck_file = Path(folder) / "deck.sp"
            deck_file.write_text(ISLAND)
            self.assertAlmostEqual(gridiron.analyse(deck_file, net="VDD").nets[0].worst_drop_v, 1e-3)
            with self.assertRaisesRegex(gridiron.GridError, "ignore_opens="):
                gridiron.analyse(deck_file)


class Session(unittest.TestCase):
    def test_what_was_learnt_is_kept(self):
        design = gridiron.read(deck())
        system = gridiron.System(design)
        direct = gridiron.Solver(system, engine="cholmod", tolerance_v=1e-6)
        multigrid = gridiron.Solver(system, engine="aggamg", tolerance_v=1e-6)
        first, second = direct.solve(), multigrid.solve()
        difference = numpy.abs(first.voltage_v - second.voltage_v).max()
        self.assertLessEqual(difference, first.bound_v + second.bound_v)

        loads = gridiron.Loads(design)
        source = int(numpy.argmax(loads.amperes[:, 0]))
        loads.set(design.current_sources.name(source), 3 * loads.amperes[source, 0])
        [changed] = direct.solve(loads)
        work = direct.work
        self.assertEqual((work["setups"], work["updates"], work["barriers"], work["vectors"]), (1, 0, 1, 2))

        strap = design.resistors.name(int(numpy.argmax(design.resistors.value > 0)))
        system.apply(gridiron.ScaleResistor(strap, 0.5))
        direct.update(system)
        [widened] = direct.solve(loads)
        work = direct.work
        self.assertEqual((work["setups"], work["updates"], work["vectors"]), (1, 1, 3))

        # Both changes are as if the netlist had been written that way.
        afresh = gridiron.System(design)
        afresh.apply(gridiron.SetResistor(strap, design.resistors.value[design.resistors.find(strap)] / 2))
        [expected] = gridiron.Solver(afresh, engine="superlu").solve(loads)
        self.assertLessEqual(numpy.abs(widened.voltage_v - expected.voltage_v).max(), widened.bound_v + expected.bound_v)
        self.assertGreater(numpy.abs(widened.voltage_v - changed.voltage_v).max(), 0)

        with tempfile.TemporaryDirectory() as folder:
            report = gridiron.summarise(direct, widened, limits=["worst=50%"])
            written = {Path(path).name for path in report.write(folder)}
            self.assertLessEqual({"report.json", "report.html", "nodes.csv", "summary.txt"}, written)
            self.assertIn("cholmod on cpu", (Path(folder) / "summary.txt").read_text())
            packed = {Path(path).name for path in report.write(folder, ["csv", "json"], compress=True)}
            self.assertLessEqual({"report.json", "nodes.csv.zst", "layers.csv.zst"}, packed)
            self.assertFalse((Path(folder) / "nodes.csv").exists())
            self.assertEqual((Path(folder) / "nodes.csv.zst").read_bytes()[:4], b"\x28\xb5\x2f\xfd")

    def test_tables_are_inputs_that_reports_do_not_replace(self):
        deck = EXAMPLES / "two_nets.sp"
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            subprocess.run([TOOL, "ir", deck, "--budget", EXAMPLES / "two_nets_budget.csv", "--out", folder, "--quiet"],
                           check=True)
            table = folder / "budget_loads.csv"
            written = {path: path.read_bytes() for path in folder.iterdir()}
            design = gridiron.read(deck)
            solver = gridiron.Solver(gridiron.System(design), engine="cholmod")
            report = gridiron.summarise(solver, solver.solve(gridiron.Loads.read(design, table))[0])
            with self.assertRaisesRegex(gridiron.InputError, "budget_loads.csv: is read by this run, which would"):
                report.write(folder)
            with self.assertRaisesRegex(gridiron.InputError, "budget_loads.csv: is read by this run, which would"):
                gridiron.analyse(deck, loads=table).write(folder, ["json"])
            self.assertEqual(written, {path: path.read_bytes() for path in folder.iterdir()})
            gridiron.analyse(deck).write(folder, ["json"])
            self.assertFalse(table.exists())

    def test_voltages_are_those_of_the_command_line_bit_for_bit(self):
        for engine in "cholmod", "aggamg":
            with self.subTest(engine), tempfile.TemporaryDirectory() as folder:
                folders = [Path(folder) / "tool", Path(folder) / "python"]
                command = [TOOL, "ir", deck(), "--engine", engine, "--out", folders[0], "--formats", "solution,json"]
                subprocess.run([*command, "--quiet"], check=True)
                report = gridiron.analyse(deck(), engine=engine)
                report.write(folders[1], ["solution"])
                solutions = [(where / "grid.solution").read_bytes() for where in folders]
                self.assertEqual(solutions[0], solutions[1])  # twelve digits of every node
                design, nets = report.design, json.loads((folders[0] / "report.json").read_text())["nets"]
                worst = [node for net in nets for node in net["worst_nodes"]]
                self.assertEqual(len(worst), 20)
                for node in worst:  # all digits
                    self.assertEqual(node["voltage_v"], report.nodes.voltage_v[design.find_node(node["node"])])

    def test_many_vectors_one_by_one(self):
        design = gridiron.read(EXAMPLES / "two_nets.sp")
        solver = gridiron.Solver(gridiron.System(design))
        loads = gridiron.Loads(design, vectors=40)
        loads.amperes *= numpy.linspace(0, 2, 40)
        worst, seen = gridiron.WorstCase(solver.system), []

        def take(vector, answer):
            worst.add(answer)
            seen.append(vector)

        solver.solve(loads, take)
        self.assertEqual(seen, list(range(40)))
        self.assertAlmostEqual(worst.report(solver=solver).nets[0].worst_drop_v, 0.095, places=12)
        self.assertEqual(len(worst.report().to_dict()["vectors"]), 40)

    def test_one_call(self):
        report = gridiron.analyse(EXAMPLES / "two_nets.sp", limits=["worst=2%"])
        self.assertEqual(report.nets[0].name, "VDD")
        self.assertAlmostEqual(report.nets[0].worst_drop_v, 0.0475, places=12)
        self.assertTrue(report.limit_exceeded)
        worst = gridiron.analyse(EXAMPLES / "two_nets.sp", loads=EXAMPLES / "three_loads.csv")
        self.assertAlmostEqual(worst.nets[0].worst_drop_v, 0.07, places=12)

    def test_a_report_is_of_the_netlist_that_was_read(self):
        large = "* " + "comment " * 200000 + "\n"  # such files are mapped
        for padding in "", large:
            with self.subTest(len(padding)), tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "grid.sp"
                path.write_text("* t\n" + padding + "v1 vdd 0 1\nr1 vdd a 2\ni1 a 0 0.1\n.end\n")
                expected = hashlib.sha256(path.read_bytes()).hexdigest()
                report, late = gridiron.analyse(path), gridiron.read(path)
                path.with_suffix(".new").write_text("* another deck\n")
                path.with_suffix(".new").rename(path)
                run = report.to_dict()["run"]
                self.assertEqual(run["files"][0]["sha256"], expected)
                report.write(Path(folder) / "out", ["json"])
                self.assertEqual(json.loads((Path(folder) / "out" / "report.json").read_text())["run"], run)
                system = gridiron.System(late)
                run = gridiron.summarise(system, gridiron.Solver(system).solve()).to_dict()["run"]
                self.assertEqual(run["files"][0]["sha256"], None if padding else expected)

    def test_threads_write_one_report(self):
        report = gridiron.analyse(EXAMPLES / "two_nets.sp")
        before = report.to_dict()
        seen = []
        with tempfile.TemporaryDirectory() as folder:
            def write(name):
                for _ in range(60):
                    report.write(Path(folder) / name, ["json"])

            def look():
                for _ in range(300):
                    seen.append(report.to_dict() == before)

            threads = [threading.Thread(target=write, args=(name,)) for name in "abc"] + [threading.Thread(target=look)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(seen, [True] * 300)
            for name in "abc":
                self.assertEqual(json.loads((Path(folder) / name / "report.json").read_text()), before)


if __name__ == "__main__":
    unittest.main()
