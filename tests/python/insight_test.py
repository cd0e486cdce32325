# SPDX-License-Identifier: Apache-2.0
"""Currents, hot spots, and why a node drops."""
import pathlib
import tempfile
import unittest

import numpy
from common import EXAMPLES, deck

import gridiron


class Insight(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.design = gridiron.read(deck())
        cls.system = gridiron.System(cls.design)
        cls.solver = gridiron.Solver(cls.system, engine="cholmod")
        cls.answer = cls.solver.solve()
        cls.report = gridiron.summarise(cls.solver, cls.answer)

    def test_currents_are_ohms_law_and_power_balances(self):
        resistors, volts = self.design.resistors, self.answer.voltage_v
        current = self.report.segments["current_a"]
        has = ~numpy.isnan(current)
        self.assertGreater(has.sum(), 10000)
        expected = (volts[resistors.a] - volts[resistors.b])[has] / resistors.value[has]
        numpy.testing.assert_allclose(current[has], expected, rtol=1e-12, atol=1e-15)
        power = self.report.power
        self.assertAlmostEqual(power["sources_w"], power["loads_w"] + power["dissipated_w"], delta=1e-6 * power["sources_w"])
        largest = max(row["largest_current_a"] for row in self.report.segment_layers)
        self.assertEqual(largest, numpy.abs(current[has]).max())

    def test_limits_on_currents(self):
        report = gridiron.analyse(EXAMPLES / "two_nets.sp", em_limits=["M1=35mA"])
        self.assertTrue(report.limit_exceeded)
        [vdd, gnd] = report.em_limits
        self.assertTrue(vdd["exceeded"] and gnd["exceeded"])
        self.assertEqual((vdd["failed"], vdd["segments"]), (1, 4))
        self.assertAlmostEqual(vdd["value_a"], 0.04, places=12)  # r1: 20 mA of iram, and 20 of the 50 mA of icpu
        self.assertIn("exceeds 35 mA", vdd["text"])

    def test_rules_of_electromigration(self):
        with tempfile.TemporaryDirectory() as folder:
            rules, layers = pathlib.Path(folder) / "rules.csv", pathlib.Path(folder) / "layers.csv"
            rules.write_text("layer,kind,a_per_um\nM1,average,0.035\n")
            layers.write_text("layer,width_um,thickness_um\nM1,1,\n")
            em_rules = gridiron.EmRules(rules, layers=layers)
        report = gridiron.analyse(EXAMPLES / "two_nets.sp", em_rules=em_rules, limits=["em=100%"])
        self.assertTrue(report.limit_exceeded)
        self.assertTrue(report.em["limit"]["exceeded"])
        self.assertEqual(report.em["violated"], 2)
        columns = report.em_segments
        self.assertAlmostEqual(columns["ratio"][0], 0.04 / 0.035, places=9)
        self.assertEqual(columns["rule"][0], "M1 average a_per_um")
        self.assertEqual(columns["verdict"][0], "violated")
        current = numpy.abs(report.segments["current_a"][columns["resistor"]])
        numpy.testing.assert_allclose(columns["value"], current / columns["width_um"])
        with self.assertRaisesRegex(gridiron.InputError, "em_rules"):
            gridiron.analyse(EXAMPLES / "two_nets.sp", limits=["em=100%"])

    def test_hot_spots_are_where_the_drop_is_largest(self):
        spots = self.report.hot_spots
        self.assertGreater(len(spots), 2)
        self.assertEqual(spots[0]["drop_v"], self.report.nodes.drop_v.max())
        self.assertEqual([spot["drop_v"] for spot in spots], sorted((spot["drop_v"] for spot in spots), reverse=True))

    def test_responses_are_rows_of_the_inverse(self):
        names = [self.design.node_name(net.worst_node) for net in self.report.nets]
        first, second = self.solver.respond(names)
        self.assertEqual(first.effective_resistance_ohm, first.ohm[first.node])
        self.assertGreater(first.effective_resistance_ohm, 0)
        self.assertEqual(first.effective_ohm, first.effective_resistance_ohm)
        loads = gridiron.Loads(self.design)
        loads.amperes[:] = 0
        zero = self.solver.solve(loads)[0].voltage_v
        a, b = self.design.current_sources.a[0], self.design.current_sources.b[0]
        loads.amperes[0, 0] = 1e-3
        change = self.solver.solve(loads)[0].voltage_v - zero
        for response in first, second:
            expected = 1e-3 * (response.ohm[b] - response.ohm[a])
            self.assertAlmostEqual(change[response.node], expected, delta=1e-9)

    def test_sensitivities_are_finite_differences(self):
        sensitivity = self.solver.sensitivities(self.report)
        worst = max(self.report.nets, key=lambda net: net.worst_drop_v)
        largest = int(numpy.abs(sensitivity).argmax())
        for resistor in [largest, *numpy.random.default_rng(1).integers(0, len(sensitivity), 5)]:
            drops = []
            for factor in 1 + 1e-4, 1 - 1e-4:
                system = self.system.copy()
                if self.design.resistors.value[resistor] == 0:
                    continue
                system.apply(gridiron.SetResistor(self.design.resistors.name(resistor), self.design.resistors.value[resistor] / factor))
                solver = gridiron.Solver(system, engine="cholmod")
                drops.append(gridiron.summarise(system, solver.solve()).nodes.drop_v[worst.worst_node])
            if drops:
                difference = (drops[0] - drops[1]) / (numpy.log(1 + 1e-4) - numpy.log(1 - 1e-4))
                self.assertAlmostEqual(sensitivity[resistor], difference, delta=1e-6 * abs(sensitivity[largest]))

    def test_explanation(self):
        work = self.solver.work
        [why] = self.solver.explain(self.report, most=5)
        self.assertEqual(why["node"], self.report.hot_spots[0]["node"])
        self.assertEqual(len(why["segments"]), 5)
        self.assertAlmostEqual(sum(step["drop_v"] for step in why["path"]["steps"]), why["drop_v"], delta=1e-9)
        self.assertGreater(why["gain_v"], 0)
        self.assertEqual(why["widening"]["gain_v"], why["gain_v"])
        self.assertEqual(why["widening"]["by"], why["widened_by"])
        self.assertEqual(why["effective_resistance_ohm"], why["effective_ohm"])
        self.assertEqual(why["path"]["resistance_ohm"], why["path"]["ohm"])
        self.assertIsInstance(why["other_loads"], int)
        self.assertAlmostEqual(why["predicted_gain_v"], why["gain_v"], delta=0.3 * why["gain_v"])
        self.assertEqual(self.solver.work["setups"], work["setups"])  # only updates, there and back
        after = self.solver.solve()
        self.assertLessEqual(numpy.abs(after.voltage_v - self.answer.voltage_v).max(), after.bound_v + self.answer.bound_v)
        with self.assertRaises(gridiron.InputError):
            self.solver.explain(self.report, ["no such node"])

    def test_drop_shares_add_up(self):
        [of] = self.solver.find_drop_shares(self.report)
        self.assertEqual(of["node"], self.report.hot_spots[0]["node"])
        self.assertAlmostEqual(sum(share["drop_v"] for share in of["shares"]), of["drop_v"],
                               delta=of["bound_v"] + sum(share["bound_v"] for share in of["shares"]))
        self.assertEqual({share["part"] for share in of["shares"] if share["layer"]} - {"layer", "vias", "unlayered"}, set())
        solver = gridiron.Solver(gridiron.System(gridiron.read(EXAMPLES / "two_nets.sp")))
        [small] = solver.find_drop_shares(gridiron.summarise(solver, solver.solve()))
        self.assertEqual([share["part"] for share in small["shares"]], ["layer", "pads"])
        self.assertEqual(small["shares"][0]["layer"], "M1")

    def test_a_pad_gains_what_is_said(self):
        design = gridiron.read(EXAMPLES / "two_nets.sp")
        system = gridiron.System(design)
        solver = gridiron.Solver(system)
        report = gridiron.summarise(solver, solver.solve(), limits=["VDD:40mV"])
        [of] = solver.find_pad_gains(report, pad_gains=2, pad_layer="M1", pad_resistance_ohm=0.5)
        self.assertEqual((of["net"], of["median_of"], of["is_best"]), (0, 0, True))
        for place in of["places"]:
            with_pad = system.copy()
            with_pad.apply(gridiron.AddPad(design.node_name(place["node"]), report.nets[0].nominal_v, 0.5))
            again = gridiron.Solver(with_pad)
            after = gridiron.summarise(again, again.solve())
            self.assertAlmostEqual(after.nets[0].worst_drop_v, place["worst_drop_v"],
                                   delta=place["bound_v"] + after.bound_v)
            self.assertEqual(after.nets[0].worst_node, place["worst_node"])
        with self.assertRaisesRegex(gridiron.InputError, "M7: the netlist has no such layer"):
            solver.find_pad_gains(report, pad_layer="M7")
        with self.assertRaisesRegex(gridiron.InputError, "^pad_resistance_ohm=.*not negative"):
            solver.find_pad_gains(report, pad_resistance_ohm=-1)

    def test_a_report_of_another_design_is_refused(self):
        other = gridiron.analyse(EXAMPLES / "two_nets.sp")
        small = gridiron.Solver(gridiron.System(gridiron.read(EXAMPLES / "two_nets.sp")))
        for solver, report in (self.solver, other), (small, self.report):
            for call in solver.explain, solver.sensitivities, solver.find_drop_shares, solver.find_pad_gains:
                with self.assertRaisesRegex(gridiron.InputError, "of another design than the solver"):
                    call(report)
        with self.assertRaisesRegex(gridiron.InputError, "node 0 has no drop"):
            self.solver.sensitivities(self.report, "0")

    def test_diff_shows_the_gain_of_a_wider_strap(self):
        self.assertTrue(gridiron.diff(self.report, self.report).is_empty)
        other = gridiron.Solver(self.system, engine="superlu")
        self.assertTrue(gridiron.diff(self.report, gridiron.summarise(other, other.solve())).is_empty)
        resistors = self.design.resistors
        across = numpy.abs(self.answer.voltage_v[resistors.a] - self.answer.voltage_v[resistors.b])
        system = self.system.copy()
        system.apply(gridiron.ScaleResistor(resistors.name(int(across.argmax())), 0.5))
        wider = gridiron.summarise(system, gridiron.Solver(system, engine="cholmod").solve())
        with tempfile.TemporaryDirectory() as folder:
            self.report.write(folder, ["csv", "json"])
            difference = gridiron.diff(folder, wider, limits=["node=+1nV"])
            self.assertIn("diff.json", {path.name for path in difference.write(f"{folder}/diff")})
        self.assertFalse(difference.is_empty)
        expected = wider.nodes.drop_v - self.report.nodes.drop_v
        rows = [self.design.find_node(name) for name in difference.names]
        self.assertEqual(len(rows), self.design.node_count - 1)
        numpy.testing.assert_allclose(difference.change_v, expected[rows], rtol=0, atol=1e-11)  # nodes.csv: 12 digits
        self.assertEqual(difference.limit_exceeded, bool(expected.max() > 1e-9))


if __name__ == "__main__":
    unittest.main()
