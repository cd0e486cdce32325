# SPDX-License-Identifier: Apache-2.0
"""The stress of metal: arrays over nodes and trees, against the formula."""
import pathlib
import tempfile
import unittest

import numpy

import gridiron

DECK = """* dbu: 1000
V1 n1_m1_0_0 0 1
R1 n1_m1_0_0 n1_m1_100000_0 1
R2 n1_m1_100000_0 n1_m2_100000_0 1
I1 n1_m1_100000_0 0 10m
.end
"""
PA_PER_VOLT = 1.602176634e-19 / 1.182e-29


class Stress(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "deck.sp").write_text(DECK)
        (self.folder / "layers.csv").write_text("layer,width_um,thickness_um\nm1,1,0.5\n")
        self.report = gridiron.analyse(self.folder / "deck.sp")

    def test_follows_voltages(self):
        found = self.report.find_stress(layers=self.folder / "layers.csv")
        volts, of_tree = self.report.nodes.voltage_v, found["tree"] == 0
        self.assertEqual((found["trees"], found["mortal"], of_tree.sum()), (1, 1, 2))
        expected = PA_PER_VOLT * (volts[of_tree].mean() - volts[of_tree])
        numpy.testing.assert_allclose(found["stress_pa"][of_tree], expected, rtol=1e-9)
        self.assertTrue(numpy.isnan(found["stress_pa"][~of_tree]).all())
        self.assertEqual(found["tree_verdict"], ["mortal"])
        self.assertEqual(found["worst"][0]["stress_pa"], found["tree_stress_pa"][0])
        self.assertIsNone(found["lifetime"])
        self.assertEqual(self.report.to_dict()["stress"]["mortal"], 1)

    def test_follows_time(self):
        layers = self.folder / "layers.csv"
        found = self.report.find_stress(layers=layers, lifetime_s=1e13, samples=100, sigma=0.3)
        self.assertEqual(found["lifetime"]["nucleating"], 1)
        self.assertLess(found["tree_error_s"][0], 0.05 * found["tree_time_s"][0])
        self.assertEqual(len(found["lifetime"]["samples"]["percentiles"]), 4)
        before = self.report.find_stress(layers=layers, lifetime_s=0.5 * found["tree_time_s"][0])
        self.assertEqual(before["tree_time_s"][0], numpy.inf)
        with self.assertRaisesRegex(gridiron.InputError, "samples"):
            self.report.find_stress(layers=layers, samples=10)

    def test_judges_limits(self):
        arguments = {"layers": self.folder / "layers.csv", "lifetime_s": 1e13}
        found = self.report.find_stress(limits=["stress=80%", "lifetime=1e13"], **arguments)
        self.assertTrue(found["limit"]["exceeded"])
        (limit,) = found["lifetime_limits"]
        self.assertEqual((limit["of"], limit["exceeded"], limit["limit_s"]), ("first_void", True, 1e13))
        self.assertTrue(self.report.limit_exceeded)
        (limit,) = self.report.find_stress(limits=["lifetime=1"], **arguments)["lifetime_limits"]
        self.assertEqual((limit["exceeded"], limit["undecided"]), (False, False))
        for bad in ("lifetime=2e13", "lifetime@1%=1", "worst=5%"):
            with self.assertRaises(gridiron.InputError):
                self.report.find_stress(limits=[bad], **arguments)

    def test_lets_segments_fail(self):
        solver = gridiron.Solver(gridiron.System(self.report.design))
        arguments = {"lifetime_s": 1e14, "layers": self.folder / "layers.csv"}
        found = solver.find_cascade(self.report, 3, 0.1, **arguments)
        self.assertEqual((found["end"], found["stages"][0]["verdict"]), ("cut_off", "cut off"))
        self.assertEqual(found["failure_s"], found["stages"][0]["time_s"])
        for name in ("after_ohm", "worst_node", "worst_drop_v", "bound_v"):
            self.assertIsNone(found["stages"][0][name], name)
        found = solver.find_cascade(self.report, 3, 0.1, liner_ohm_per_um=30, **arguments)
        self.assertAlmostEqual(found["stages"][0]["worst_drop_v"], 0.01 * (1 - 0.1 / 100 + 3), 12)
        self.assertEqual(found["stages"][0]["verdict"], "no limit")
        self.assertEqual((found["has_limit"], found["unjudged_trees"]), (False, 0))
        self.assertEqual(self.report.to_dict()["stress"]["cascade"]["stages"][0]["segment"], "R1")
        found = solver.find_cascade(self.report, 3, 0.1, liner_ohm_per_um=30, limits=["20mV"], **arguments)
        self.assertEqual((found["end"], found["lifetime_limits"]), ("limit", []))
        limits = ["20mV", "lifetime=1e13"]
        found = solver.find_cascade(self.report, 3, 0.1, liner_ohm_per_um=30, limits=limits, **arguments)
        (limit,) = found["lifetime_limits"]
        self.assertEqual((limit["of"], limit["limit_s"]), ("ir_drop_failure", 1e13))
        usual = {"stages": 1, "void_um": 0.1, "lifetime_s": 1e14}
        for name, values in {
            "stages": (0, -1, 10**7), "void_um": (0, -1, 1e-5, numpy.nan, numpy.inf),
            "lifetime_s": (0, -1, numpy.nan, 1e300), "liner_ohm_per_um": (0, -1, numpy.nan),
        }.items():
            for value in values:
                with self.assertRaisesRegex(gridiron.InputError, f"^{name}=.*: ") as raised:
                    solver.find_cascade(self.report, **{**usual, name: value})
                self.assertEqual(raised.exception.field, name)

    def test_ranges_are_those_of_the_options(self):
        usual = {"lifetime_s": 1e13, "samples": 10, "sigma": 0.3}
        for name, values in {
            "lifetime_s": (-1, numpy.nan, numpy.inf, 1e300), "samples": (-1, 10**10),
            "sigma": (-1, 11, numpy.inf, numpy.nan), "seed": (-1, 10**10),
        }.items():
            for value in values:
                with self.assertRaisesRegex(gridiron.InputError, f"^{name}=") as raised:
                    self.report.find_stress(**{**usual, name: value})
                self.assertEqual(raised.exception.field, name)
        with self.assertRaisesRegex(gridiron.InputError, "^sigma=: give both samples= and sigma=$"):
            self.report.find_stress(lifetime_s=1e13, sigma=0.3)
        with self.assertRaisesRegex(gridiron.InputError, "lifetime: there is no lifetime_s= that it is for") as raised:
            self.report.find_stress(limits=["lifetime=10y"])
        self.assertEqual(raised.exception.field, "limits")

    def test_ranges_of_rules_are_those_of_the_options(self):
        rules = self.folder / "rules.csv"
        rules.write_text("layer,kind,a_per_um\nm1,average,1\n")
        for name, values in {
            "temperature_c": (-273.15, 1e300, numpy.nan), "rule_temperature_c": (-300, 1e300),
            "ea_ev": (0, -1, numpy.nan, 1e300), "n": (0, -2, numpy.inf), "frequency_hz": (0, numpy.nan, 1e300),
            "recovery": (-0.1, 1.1, numpy.nan),
        }.items():
            for value in values:
                with self.assertRaisesRegex(gridiron.InputError, f"^{name}=.*: expected") as raised:
                    gridiron.EmRules(rules, **{"temperature_c": 105, name: value})
                self.assertEqual(raised.exception.field, name)

    def test_findings_of_reports_name_arguments(self):
        report = gridiron.analyse(self.folder / "deck.sp")
        report.find_stress(lifetime_s=1e13, limits=["lifetime=1e12"])
        report.write(self.folder / "out", formats=["text", "json", "html"])
        for name in ("summary.txt", "report.json", "report.html"):
            text = (self.folder / "out" / name).read_text()
            self.assertIn("give rows in layers=", text, name)
            for mark in ("\x02", "\\u0002"):
                self.assertNotIn(mark, text, name)

    def test_limits_tell_of_islands_that_are_left_out(self):
        island = "R3 n2_m1_0_9000 n2_m1_20000_9000 1\nI3 n2_m1_20000_9000 0 1m\n.end\n"
        (self.folder / "deck.sp").write_text(DECK.replace(".end\n", island))
        report = gridiron.analyse(self.folder / "deck.sp", ignore_opens=True)
        solver = gridiron.Solver(gridiron.System(report.design))
        told = lambda: [f["message"] for f in report.findings if f["code"] == "limit-left-out"]
        usual = {"layers": self.folder / "layers.csv", "lifetime_s": 1e13}
        for limit in ("stress=80%", "lifetime=1e12"):
            report.find_stress(limits=[limit], **usual)
            (message,) = told()
            self.assertRegex(message, "^limits on stress and lifetimes are not judged in 1 island, of net n2, .* by net=$")
            report.find_stress(**usual)
            self.assertEqual(told(), [])
        for limits, subjects in {("90%",): ["limits of a cascade"], ("n1:90%",): [],
                                 ("n1:90%", "lifetime=1"): ["limits on stress and lifetimes"],
                                 ("90%", "lifetime=1"): ["limits on stress and lifetimes", "limits of a cascade"]}.items():
            solver.find_cascade(report, 3, 0.1, limits=limits, **usual)
            self.assertEqual([message.split(" are not judged")[0] for message in told()], subjects)
        report.find_stress(**usual)
        self.assertEqual(told(), [])

    def test_limits_tell_of_nets_that_are_left_out(self):
        other = "V2 n2_m1_0_9000 0 1\nR3 n2_m1_0_9000 n2_m1_20000_9000 1\nI3 n2_m1_20000_9000 0 1m\n.end\n"
        (self.folder / "deck.sp").write_text(DECK.replace(".end\n", other))
        report = gridiron.analyse(self.folder / "deck.sp", net="n1")
        report.find_stress(layers=self.folder / "layers.csv", limits=["stress=80%"])
        self.assertEqual([f["message"] for f in report.findings if f["code"] == "net-not-judged"],
                         ["limits on stress and lifetimes do not judge n2, which net= leaves out; leave net= out"])

    def test_tells_what_is_not_known(self):
        found = self.report.find_stress()
        self.assertEqual((found["unknown"], found["undecided"]), (1, 1))
        codes = [finding["code"] for finding in self.report.findings]
        self.assertEqual(codes.count("stress-section-unknown"), 1)
        self.report.find_stress(layers=self.folder / "layers.csv")
        self.assertNotIn("stress-section-unknown", [finding["code"] for finding in self.report.findings])


if __name__ == "__main__":
    unittest.main()
