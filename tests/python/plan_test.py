# SPDX-License-Identifier: Apache-2.0
"""Plans: what they say holds when they are applied; outcomes, errors, an end by stop()."""
import contextlib
import csv
import io
import os
import re
import tempfile
import threading
import unittest
from pathlib import Path

import gridiron
from common import deck

ROOT = Path(__file__).resolve().parents[2]
GCD = Path(os.environ.get("GRIDIRON_DATA_DIR", ROOT.parent / "shared" / "data")) / "layout" / "nangate45"
PAGE = Path(__file__).parents[2] / "docs" / "python.md"
STRAPS = """* straps of two layers
* dbu: 1000
v1 p 0 1
rp p n1_M6_0_0 0.1
r1 n1_M6_0_0 n1_M6_0_10000 0.5
r2 n1_M6_0_10000 n1_M6_0_20000 0.5
rv n1_M6_0_10000 n1_M5_0_10000 0.1
r3 n1_M5_0_10000 n1_M5_30000_10000 1
i1 n1_M5_30000_10000 0 0.1
i2 n1_M6_0_20000 0 0.05
.end
"""


def solver_of(text=STRAPS):
    return gridiron.Solver(gridiron.System(gridiron.read_text(text, "chip.sp")))


def worst(solver):
    return gridiron.summarise(solver, solver.solve()).nets[0].worst_drop_v


class PlansOfLayouts(unittest.TestCase):
    def test_widened_straps_keep_the_spacing_of_their_layer(self):
        if not (GCD / "gcd.def.gz").exists():
            self.skipTest(f"{GCD} is not there")
        design = gridiron.read_layout(GCD / "gcd.def.gz", lef=[GCD / "Nangate45.lef.gz"],
                                      power=GCD / "gcd_power.csv", nominal={"VDD": 1.1})
        plan = gridiron.Solver(gridiron.System(design)).plan(limits=["VDD:worst=400uV"], widen={"metal1": 3})
        self.assertIn("SPACING of metal1 to pins of signals caps 34 straps: at most 1.471 times as wide", plan.text())
        self.assertEqual(plan.to_dict()["capped"][0]["stay"], 25)

    def test_two_plans_reach_no_further_than_one(self):
        if not (GCD / "gcd.def.gz").exists():
            self.skipTest(f"{GCD} is not there")
        design = gridiron.read_layout(GCD / "gcd.def.gz", lef=[GCD / "Nangate45.lef.gz"],
                                      power=GCD / "gcd_power.csv", nominal={"VDD": 1.1})
        for widen in {"metal1": 3}, {"metal4": 1.5}:  # capped by SPACING, and by nothing else
            solver = gridiron.Solver(gridiron.System(design))
            most = solver.plan(limits=["VDD:worst=1uV"], widen=widen).limits[0]["after"]
            first = solver.plan(limits=[f"VDD:worst={0.3 * worst(solver) + 0.7 * most}V"], widen=widen)
            self.assertEqual(first.outcome, "found")
            solver.apply(first)
            second = solver.plan(limits=["VDD:worst=1uV"], widen=widen)
            self.assertAlmostEqual(second.limits[0]["after"], most, delta=1e-9)


class Plans(unittest.TestCase):
    def test_what_it_says_holds_when_it_is_applied(self):
        solver = solver_of()
        before = worst(solver)
        plan = solver.plan(limits=["worst=12%"], widen={"M5": 3, "M6": 3}, add_pads=1, pad_layer="M5",
                           pad_resistance_ohm=0.5, cost_pad=0.1)
        self.assertEqual((plan.outcome, plan.is_interrupted), ("found", False))
        self.assertEqual(worst(solver), before)
        [limit] = plan.limits
        self.assertTrue(limit["is_kept_after"])
        self.assertEqual((limit["net"], limit["layer"], limit["unit"], limit["limit"]), ("n1", "", "V", 0.12))
        [drops] = plan.worst_drops
        self.assertAlmostEqual(drops["before_v"], before, delta=drops["before_bound_v"] + 1e-12)
        self.assertLessEqual(drops["after_v"] + drops["after_bound_v"], 0.12)
        self.assertAlmostEqual(sum(edit["cost"] for edit in plan.edits), plan.cost)
        system = solver.system
        system.apply(plan)
        solver.apply(plan)
        self.assertAlmostEqual(worst(solver), drops["after_v"], delta=1e-9)
        self.assertAlmostEqual(worst(gridiron.Solver(system)), drops["after_v"], delta=1e-9)
        with self.assertRaisesRegex(gridiron.InputError, "not the one that this plan was made for"):
            solver.apply(plan)
        with self.assertRaisesRegex(gridiron.InputError, "of another design"):
            solver_of().system.apply(plan)

    def test_a_further_plan_counts_on_from_the_one_before(self):
        solver = solver_of(STRAPS.replace("30000_10000 1\n", "30000_10000 1 $w=2\n"))
        means = dict(widen={"M5": 3}, add_pads=1, pad_layer="M5", pad_resistance_ohm=0.5)
        solver.apply(solver.plan(limits=["worst=17%"], widen={"M5": 3}))
        further = solver.plan(limits=["worst=15%"], widen={"M5": 3})
        [edit] = further.edits
        self.assertAlmostEqual(edit["from"], 2 / 0.7, delta=1e-4)
        self.assertAlmostEqual(edit["to"], 4, delta=1e-4)
        self.assertAlmostEqual(edit["cost"], 30 * (4 - 2 / 0.7), delta=1e-2)
        solver.apply(further)
        with tempfile.TemporaryDirectory() as folder:
            for limit, pads in ("9%", 1), ("6%", 2):
                plan = solver.plan(limits=[f"worst={limit}"], **means)
                self.assertEqual(plan.outcome, "found")
                solver.apply(plan)
                plan.write(folder)
                deck = Path(folder, "chip.fixed.sp").read_text()
                self.assertEqual(deck.count("Vplan_pad_"), pads)
                self.assertAlmostEqual(gridiron.analyse(f"{folder}/chip.fixed.sp").nets[0].worst_drop_v, worst(solver),
                                       delta=1e-12)
                self.assertEqual(Path(folder, "plan.tcl").read_text().count("add_source"), pads)
            system = solver.system
            system.apply(gridiron.AddPad("n1_M6_0_0", 1, 0.1, "an other one"), gridiron.DropPad("v1"))
            changed = gridiron.Solver(system).plan(limits=["worst=50%"], widen={"M5": 3})
            with self.assertRaisesRegex(gridiron.InputError, "source v1 was dropped before the plan was made"):
                changed.write(folder)
            changed.write(folder, formats=["tcl"])
            self.assertIn("drop_source v1\n", Path(folder, "plan.tcl").read_text())

    def test_edits_are_the_lines_of_plan_csv(self):
        solver = solver_of()
        plan = solver.plan(limits=["worst=15%"], widen={"M5": 3, "M6": 3})
        self.assertIn("a plan that keeps all limits; ", repr(plan))
        self.assertRegex(repr(plan), r"net n1: worst drop 2.* -> .*limit 150.0 mV>$")
        self.assertEqual(plan.text(), str(plan))
        with tempfile.TemporaryDirectory() as folder:
            paths = plan.write(folder)
            self.assertIn("chip.fixed.sp", {path.name for path in paths})
            with open(f"{folder}/plan.csv", encoding="utf-8") as file:
                lines = list(csv.DictReader(file))
            changed = gridiron.analyse(f"{folder}/chip.fixed.sp", limits=["worst=15%"])
        self.assertFalse(changed.limit_exceeded)
        self.assertEqual(len(lines), len(plan.edits))
        for line, edit in zip(lines, plan.edits):
            resistors = edit.pop("resistors")
            self.assertEqual(list(line), list(edit))
            self.assertEqual(line["name"], solver.system.design.resistors.name(resistors[0]))
            for key, text in line.items():
                if isinstance(edit[key], str):
                    self.assertEqual(text, edit[key])
                else:
                    self.assertAlmostEqual(float(text), edit[key], delta=1e-6 * abs(edit[key]))
        self.assertEqual(plan.to_dict()["edits"][0]["cost"], plan.edits[0]["cost"])
        self.assertGreater(plan.uniform_cost, plan.cost)

    def test_gains_of_currents_are_no_volts(self):
        plan = solver_of().plan(em_limits=["M6=140mA"], widen={"M6": 3}, add_pads=1, pad_layer="M5",
                                pad_resistance_ohm=0.5)
        self.assertEqual(plan.outcome, "found")
        self.assertEqual(plan.limits[0]["unit"], "A")
        edit = plan.edits[0]
        self.assertEqual(edit["gain_unit"], "A")
        self.assertGreater(edit["gain_alone"], 0.01)
        self.assertNotEqual(edit["gain_alone_v"], edit["gain_alone_v"])  # NaN

    def test_four_outcomes(self):
        solver = solver_of()
        kept = solver.plan(limits=["worst=900mV"], widen={"M5": 2})
        self.assertEqual((kept.outcome, kept.edits, kept.cost), ("kept_today", [], None))
        solver.apply(kept)
        proved = solver.plan(limits=["worst=10mV"], widen={"M5": 3})
        self.assertEqual(proved.outcome, "impossible")
        self.assertGreater(proved.to_dict()["proof"]["least_drop_v"], 0.01)
        none = solver.plan(limits=["p50=1mV"], widen={"M5": 1.1})
        self.assertEqual(none.outcome, "none_found")
        for plan in proved, none:
            with self.assertRaisesRegex(gridiron.InputError, "no plan that could be applied"):
                solver.apply(plan)

    def test_errors_name_the_argument(self):
        solver = solver_of()
        for message, field, arguments in [
            ("no limit is to be met", None, dict(widen={"M5": 2})),
            ("nothing may be changed: give widen=", None, dict()),
            ("^widen=M5=0.5: .*above 1", "widen", dict(widen={"M5": 0.5})),
            ("^widen=M9: the netlist has no such layer", "widen", dict(widen={"M9": 2})),
            ("^grid_um=-1: ", "grid_um", dict(widen={"M5": 2}, grid_um=-1)),
            ("^grid_um=.*is not known", "grid_um", dict(widen={"M5": 2}, grid_um=0.1)),
            ("^add_pads=2: .*pad_layer=", "add_pads", dict(add_pads=2)),
            ("^add_pads=2: .*pad_resistance_ohm=", "add_pads", dict(add_pads=2, pad_layer="M5")),
            ("^cost_pad=-1: ", "cost_pad", dict(widen={"M5": 2}, cost_pad=-1)),
            ("^add_straps=M5:1:2:3: .*by gridiron fix --add-straps", "add_straps", dict(add_straps=["M5:1:2:3"])),
            ("^limits=em=100%: .*em_limits=", "limits", dict(widen={"M5": 2}, limits=["em=100%"])),
        ]:
            if "no limit" not in message:
                arguments.setdefault("limits", ["worst=5%"])
            with self.subTest(message), self.assertRaisesRegex(gridiron.InputError, message) as caught:
                solver.plan(**arguments)
            self.assertEqual(caught.exception.field, field)

    def test_stop_ends_the_search_with_what_is_found(self):
        solver = gridiron.Solver(gridiron.System(gridiron.read(deck())))
        report = gridiron.summarise(solver, solver.solve())
        limits = [f"{net.name}:worst={0.6 * net.worst_drop_v}V" for net in report.nets]
        layers = {layer: 3 for layer in report.layer_names}
        for delay in 0, 0.5, 1, 2, 4:
            timer = threading.Timer(delay, solver.stop)
            timer.start()
            try:
                plan = solver.plan(limits=limits, widen=layers)
            except gridiron.Stopped:
                continue
            finally:
                timer.cancel()
            if plan.outcome == "found":
                self.assertTrue(all(limit["is_kept_after"] for limit in plan.limits))
                if plan.is_interrupted:
                    self.assertIn("until the search was interrupted", repr(plan))
        self.assertAlmostEqual(worst(solver), report.nets[0].worst_drop_v, delta=1e-5)

    def test_the_example_of_the_page_runs(self):
        text = PAGE.read_text(encoding="utf-8")
        code = re.search(r"^## Plans$.*?```python\n(.*?)```", text, re.DOTALL | re.MULTILINE)[1]
        out, here = io.StringIO(), os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "chip.sp").write_text(STRAPS)
            try:
                os.chdir(folder)
                with contextlib.redirect_stdout(out):
                    exec(code, {"gridiron": gridiron, "solver": solver_of()})
            finally:
                os.chdir(here)
            self.assertTrue(Path(folder, "plan", "plan.csv").exists())
        self.assertIn("a plan that keeps all limits", out.getvalue())
        self.assertIn("add_pad M6", out.getvalue())


if __name__ == "__main__":
    unittest.main()
