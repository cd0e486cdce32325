# SPDX-License-Identifier: Apache-2.0
"""Names that there are not are errors that tell the nearest one; lists of results go by name."""
import unittest

from common import EXAMPLES

import gridiron

DECK = EXAMPLES / "two_nets.sp"


class Unknown(unittest.TestCase):
    def setUp(self):
        self.design = gridiron.read(DECK)
        self.system = gridiron.System(self.design)
        self.solver = gridiron.Solver(self.system)
        self.report = gridiron.summarise(self.solver, self.solver.solve(), limits=["worst=5%"])

    def raises(self, call, name, nearest, field=None):
        with self.assertRaises(gridiron.UnknownName) as caught:
            call()
        error = caught.exception
        self.assertIsInstance(error, KeyError)
        self.assertIsInstance(error, gridiron.InputError)
        self.assertEqual((error.name, error.nearest, error.field), (name, nearest, field))
        self.assertRegex(str(error), f"{name}.*; the nearest is {nearest}")
        self.assertNotIn("'", str(error).partition(";")[0])  # no repr(), as a KeyError shows

    def test_of_the_netlist(self):
        loads, node, near = gridiron.Loads(self.design), "n1_1000_100", "n1_1000_1000"
        table = EXAMPLES / "two_nets_budget.csv"
        apply = lambda edit: self.system.copy().apply(edit)
        for call in (
            lambda: self.design.find_node(node),
            lambda: self.solver.respond([node]),
            lambda: loads.set_at_node(node, 1),
            lambda: apply(gridiron.AddPad(node, 1, 1)),
        ):
            self.raises(call, node, near)
        self.raises(lambda: self.solver.explain(self.report, [node]), node, near, "nodes")
        self.raises(lambda: self.solver.find_drop_shares(self.report, [node]), node, near, "nodes")
        self.raises(lambda: self.solver.sensitivities(self.report, node), node, near, "node")
        self.raises(lambda: self.solver.bound_over_budget(self.report, table, nodes=[node]), node, near, "nodes")
        simulate = lambda probes: gridiron.simulate(self.design, step_s=1e-12, stop_s=1e-11, probes=probes)
        self.raises(lambda: simulate([node]), node, near, "probes")
        self.raises(lambda: self.design.resistors.find("rp11"), "rp11", "rp1")
        self.raises(lambda: apply(gridiron.SetResistor("rp11", 1)), "rp11", "rp1")
        self.raises(lambda: apply(gridiron.ScaleResistor("rp11", 1)), "rp11", "rp1")
        self.raises(lambda: apply(gridiron.DropPad("v11")), "v11", "v1")
        self.raises(lambda: loads.set("icpu", 1), "icpu", "icpu_v")
        self.raises(lambda: loads.set_instance("icp", 1), "icp_v", "icpu_v")

    def test_asking_is_no_error(self):
        self.assertIn("N1_1000_1000", self.design)
        self.assertNotIn("n1_1000_100", self.design)
        self.assertIn("rp1", self.design.resistors)
        self.assertNotIn("rp11", self.design.resistors)
        self.assertNotIn("c1", self.design.capacitors)
        twice = gridiron.read_text("* t\nv1 vdd 0 1\nr1 vdd a 2\nr1 a b 2\ni1 b 0 0.1\n").resistors
        self.assertIn("r1", twice)
        with self.assertRaisesRegex(gridiron.InputError, "several"):
            twice.find("r1")

    def test_nothing_is_near_where_there_is_nothing(self):
        with self.assertRaises(gridiron.UnknownName) as caught:
            self.design.capacitors.find("c1")
        self.assertIsNone(caught.exception.nearest)
        self.assertEqual(str(caught.exception), "c1: the netlist has no capacitor of that name")


class Lists(unittest.TestCase):
    def setUp(self):
        self.report = gridiron.analyse(DECK)

    def test_by_number_and_by_name(self):
        nets, pads = self.report.nets, self.report.pads
        self.assertEqual(nets["VDD"].name, nets[0].name)
        self.assertEqual(nets["gnd"].worst_drop_v, nets[1].worst_drop_v)
        self.assertEqual([net.name for net in nets], nets.names)
        self.assertEqual((len(nets), nets[-1].name, [net.name for net in nets[:1]]), (2, "GND", ["VDD"]))
        self.assertIn("VDD", nets)
        self.assertNotIn("VDDD", nets)
        self.assertIsNone(nets.get("VDDD"))
        self.assertEqual(pads["v0"].name, "v0")
        self.assertEqual(self.report.design.nets["VDD"].nominal_v, 1.8)
        self.assertEqual(dict(self.report.design.nets), {"VDD": 1.8, "GND": 0})

    def test_rows_keep_the_report_alive(self):
        net = gridiron.analyse(DECK).nets["VDD"]
        self.assertEqual((net.name, net.pads), ("VDD", 1))

    def test_names_that_there_are_not(self):
        for rows, name, near in ((self.report.nets, "VDDD", "VDD"), (self.report.pads, "v", "v0"),
                                 (self.report.design.nets, "GN", "GND")):
            message = f"^(net|pad) {name}: .*nearest is {near[:1]}"
            with self.subTest(name), self.assertRaisesRegex(KeyError, message) as caught:
                rows[name]
            self.assertIsInstance(caught.exception, gridiron.UnknownName)
            self.assertEqual((caught.exception.name, caught.exception.nearest[:1]), (name, near[:1]))

    def test_case_counts_where_it_tells_two_apart(self):
        row = gridiron.SupplyNet
        rows = gridiron.NamedList([row("vdd", 1), row("VDD", 2), row("a", 3), row("a", 4)], "net")
        self.assertEqual((rows["vdd"].nominal_v, rows["VDD"].nominal_v), (1, 2))
        for name in "Vdd", "a":
            with self.assertRaisesRegex(gridiron.InputError, f"^net {name}: there are several"):
                rows[name]


class Fields(unittest.TestCase):
    def test_places_have_parts(self):
        with self.assertRaises(gridiron.InputError) as caught:
            gridiron.read_text("* t\nr1 a b c d\n", "x:y.sp")
        error = caught.exception
        self.assertEqual((error.file, error.line, error.column, error.place), ("x:y.sp", 2, 10, "x:y.sp:2:10"))
        with self.assertRaises(gridiron.InputError) as caught:
            gridiron.read("/none")
        error = caught.exception
        self.assertEqual((error.file, error.line, error.column, error.place), (None, None, None, None))
        error = gridiron.InputError("raised by a user")
        self.assertEqual((error.file, error.line, error.field), (None, None, None))


if __name__ == "__main__":
    unittest.main()
