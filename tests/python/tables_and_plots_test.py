# SPDX-License-Identifier: Apache-2.0
"""Tables for pandas and figures by matplotlib, and what is said where these are not installed."""
import importlib.util
import os
import sys
import unittest
from unittest import mock

import numpy
from common import EXAMPLES, deck

import gridiron

RAIL = """* t
v1 vdd$ 0 1
r1 vdd$ n1_0_0 1
r2 n1_0_0 n1_2000_0 1
i1 n1_2000_0 0 pwl(0 0 1n 50m 10n 50m)
c1 n1_2000_0 0 1n
.end
"""
has = lambda module: importlib.util.find_spec(module) is not None


def simulation(**options):
    design = gridiron.read_text(RAIL)
    return design, gridiron.simulate(design, step_s=1e-9, stop_s=1e-8, probes=["n1_2000_0", "vdd$"], **options)


class Absent(unittest.TestCase):
    def test_a_line_says_what_to_install(self):
        report, (_, run) = gridiron.analyse(EXAMPLES / "two_nets.sp"), simulation()
        with mock.patch.dict(sys.modules, {"pandas": None, "matplotlib": None, "matplotlib.pyplot": None}):
            difference = gridiron.diff(report, report)
            for call in report.to_pandas, report.nets.to_pandas, run.to_pandas, difference.to_pandas:
                with self.assertRaisesRegex(ImportError, "^pandas is not installed; run: pip install pandas$"):
                    call()
            for call in report.plot_map, run.plot_map, run.plot_waveforms:
                with self.assertRaisesRegex(ImportError, "^matplotlib is not installed; run: pip install matplotlib$"):
                    call()


class Words(unittest.TestCase):
    def test_american_spelling(self):
        self.assertIs(gridiron.analyze, gridiron.analyse)
        self.assertIs(gridiron.summarize, gridiron.summarise)

    def test_rows_as_dicts_have_the_words_of_the_report(self):
        report = gridiron.analyse(EXAMPLES / "two_nets.sp", limits=["worst=5%"])
        document = report.to_dict()
        for key, rows in ("nets", report.nets), ("limits", report.limits):
            for row, saved in zip(rows, document[key]):
                values = row.to_dict()
                self.assertLessEqual({"name"} & set(saved), set(values))
                for word, value in values.items():
                    self.assertEqual(value, getattr(row, word))
                    if isinstance(saved.get(word), float):
                        self.assertEqual(value, saved[word])
        _, run = simulation(limits=["worst=20%"])
        self.assertIn("Limits: all kept", run.text())
        self.assertEqual(run.to_dict()["schema"], "gridiron.tran/2")
        self.assertEqual(run.nets["vdd$"].worst_drop_v, run.worst_drop_v.max())


@unittest.skipUnless(has("pandas"), "pandas is not installed")
class Tables(unittest.TestCase):
    def test_of_a_report(self):
        report = gridiron.analyse(EXAMPLES / "two_nets.sp", limits=["worst=5%"])
        nodes = report.to_pandas()
        self.assertEqual(len(nodes), 10)
        self.assertEqual(nodes.loc["n1_1000_1000", "net"], "VDD")
        self.assertAlmostEqual(nodes.loc["n1_1000_1000", "drop_v"], 0.0475, places=12)
        self.assertAlmostEqual(nodes.groupby("net").drop_v.max()["GND"], 0.0475, places=12)
        self.assertEqual(report.to_pandas("nets").loc["VDD", "pads"], 1)
        self.assertEqual(list(report.nets.to_pandas().index), ["VDD", "GND"])
        self.assertEqual(set(report.to_pandas("pads").index), {"v0", "v1"})
        self.assertEqual(list(report.to_pandas("limits").net), [limit.net for limit in report.limits])
        self.assertEqual(list(report.to_pandas("instances").name), ["icpu", "iram"])
        self.assertEqual(len(report.to_pandas("hot_spots")), len(report.hot_spots))
        segments = report.to_pandas("segments").set_index("resistor")
        k = report.design.resistors.find("rp1")
        self.assertEqual(segments.loc["rp1", "current_a"], report.segments["current_a"][k])
        self.assertEqual(segments.loc["rp1", "a"], report.design.node_name(report.design.resistors.a[k]))
        with self.assertRaisesRegex(gridiron.UnknownName, "^table node: .*nearest is nodes$"):
            report.to_pandas("node")
        self.assertEqual(gridiron.diff(report, report).to_pandas().change_v["n1_1000_1000"], 0)

    def test_of_a_simulation_and_a_plan(self):
        design, run = simulation()
        waves = run.to_pandas("waveforms")
        numpy.testing.assert_array_equal(waves["n1_2000_0"], run.probes["n1_2000_0"])
        numpy.testing.assert_array_equal(waves.index, run.time_s)
        self.assertEqual(run.to_pandas().worst_drop_v["n1_2000_0"], run.worst_drop_v[design.find_node("n1_2000_0")])
        self.assertEqual(list(run.to_pandas("nets").index), ["vdd$"])
        self.assertEqual(len(run.to_pandas("limits")), 0)
        solver = gridiron.Solver(gridiron.System(gridiron.read(EXAMPLES / "two_nets.sp")))
        plan = solver.plan(limits=["worst=2%"], widen={"M1": 3})
        self.assertEqual(plan.outcome, "found")
        self.assertEqual(list(plan.to_pandas().cost), [edit["cost"] for edit in plan.edits])


@unittest.skipUnless(has("matplotlib"), "matplotlib is not installed")
class Plots(unittest.TestCase):
    def setUp(self):
        os.environ["MPLBACKEND"] = "agg"
        from matplotlib import pyplot

        self.pyplot = pyplot
        self.addCleanup(pyplot.close, "all")

    def test_map(self):
        report = gridiron.analyse(EXAMPLES / "two_nets.sp")
        _, given = self.pyplot.subplots()
        ax = report.plot_map(net="gnd", layer="M1", ax=given)
        self.assertIs(ax, given)
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), ("x / µm", "y / µm"))
        self.assertEqual(ax.get_title(), "GND, layer M1: worst bounce 47.5 mV")
        self.assertEqual(len(ax.collections[0].get_offsets()), 4)
        self.assertAlmostEqual(ax.collections[0].get_array().max(), 47.5)
        self.assertEqual(ax.figure.axes[1].get_ylabel(), "bounce / mV")
        self.assertIsNot(report.plot_map(), given)
        self.assertEqual(report.plot_map().get_title(), "VDD: worst drop 47.5 mV")
        with self.assertRaises(gridiron.UnknownName):
            report.plot_map(net="VDDD")
        with self.assertRaisesRegex(gridiron.UnknownName, "nearest is M1"):
            report.plot_map(layer="M11")
        without = gridiron.analyse(gridiron.read_text("* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 a 0 0.1\n"))
        with self.assertRaisesRegex(gridiron.InputError, "no node of net vdd there has a place"):
            without.plot_map()

    def test_waveforms(self):
        _, run = simulation()
        ax = run.plot_waveforms()
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), ("time / ns", "voltage / V"))
        self.assertEqual([line.get_label() for line in ax.lines], ["n1_2000_0", r"vdd\$"])
        numpy.testing.assert_allclose(ax.lines[0].get_xdata(), 1e9 * run.time_s)
        ax.figure.canvas.draw()  # names are no formulas
        self.assertEqual(len(run.plot_waveforms(["vdd$"]).lines), 1)
        with self.assertRaisesRegex(gridiron.UnknownName, r"^probe vdd: .*nearest is vdd\$"):
            run.plot_waveforms(["vdd"])
        self.assertIn("99.19 mV", run.plot_map().get_title())
        bare = gridiron.simulate(gridiron.read_text(RAIL), step_s=1e-9, stop_s=1e-8)
        with self.assertRaisesRegex(gridiron.InputError, "no waveforms; give probes="):
            bare.plot_waveforms()

    def test_convergence(self):
        answer = gridiron.Solver(gridiron.System(gridiron.read(deck())), engine="aggamg").solve()
        ax = answer.plot_convergence()
        numpy.testing.assert_array_equal(ax.lines[0].get_ydata(), answer.stats["history"])
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel(), ax.get_yscale()), ("iteration", "relative residual", "log"))
        direct = gridiron.Solver(gridiron.System(gridiron.read(EXAMPLES / "two_nets.sp"))).solve()
        with self.assertRaisesRegex(gridiron.InputError, "did not iterate"):
            direct.plot_convergence()


if __name__ == "__main__":
    unittest.main()
