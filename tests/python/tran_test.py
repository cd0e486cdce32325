# SPDX-License-Identifier: Apache-2.0
"""Dynamic IR drop from Python: arrays, waveforms with scenarios, reports, errors."""
import tempfile
import unittest
from pathlib import Path

import numpy as np

import gridiron
from common import EXAMPLES

DECK = "* t\nv1 p 0 1\nr1 p a 1\nc1 a 0 10p\ni1 a 0 pulse(0.1 0.3 2n 1n 1n 3n 20n)\n.tran 0.5n 10n\n.print tran v(a)\n.end\n"


class Simulations(unittest.TestCase):
    def test_columns_and_probes(self):
        design = gridiron.read_text(DECK)
        run = gridiron.simulate(design, limits=["worst=25%"], window_s=5e-9)
        a = design.find_node("a")
        self.assertEqual(run.time_s.size, 21)
        self.assertEqual(run.probes["a"].shape, (21,))
        self.assertAlmostEqual(run.worst_drop_v[a], 1 - run.probes["a"].min(), 12)
        self.assertAlmostEqual(run.worst_drop_v[a], 0.3, 3)
        self.assertAlmostEqual(run.worst_time_s[a], run.time_s[run.probes["a"].argmin()])
        self.assertEqual(run.overshoot_v[a], 0)
        self.assertLess(run.average_drop_v[a], run.rms_drop_v[a])
        self.assertTrue(run.limit_exceeded)
        document = run.to_dict()
        self.assertEqual(document["schema"], "gridiron.tran/2")
        self.assertEqual(len(document["windows"]), 2)
        self.assertIn("Limits: EXCEEDED", run.text())
        with self.assertRaises(ValueError):
            run.time_s[0] = 1

    def test_why_at_the_worst_moment(self):
        run = gridiron.simulate(gridiron.read_text(DECK), why=["worst"])
        [why] = run.to_dict()["where"]["explanations"]
        self.assertEqual(why["node"], "a")
        parts = [load["drop_v"] for load in why["loads"]] + [why[part] for part in (
            "capacitors_v", "inductors_v", "unequal_sources_v")] + [why["other_loads"]["drop_v"]]
        self.assertAlmostEqual(sum(parts), why["drop_v"], 9)
        self.assertEqual(run.certificate["kind"], "certified")
        for name, value in run.to_dict()["certificate"].items():
            self.assertEqual(run.certificate[name], value, name)
        with self.assertRaisesRegex(gridiron.InputError, "^why=b: "):
            gridiron.simulate(gridiron.read_text(DECK), why=["b"])

    def test_one_net(self):
        deck = ("* t\nvvdd p 0 1\nr1 p a 1\ni1 a 0 pulse(0.1 0.3 2n 1n 1n 3n 20n)\nvvcc q 0 2\nr2 q b 1\n"
                "i2 b 0 0.1\n.tran 0.5n 10n\n.end\n")
        design = gridiron.read_text(deck)
        run = gridiron.simulate(design, net="q", limits=["35%"])
        self.assertEqual([net["name"] for net in run.to_dict()["nets"]], ["q"])
        self.assertEqual(run.to_dict()["unjudged"]["nets"], ["p"])
        (told,) = [finding["message"] for finding in run.to_dict()["findings"] if finding["code"] == "net-not-judged"]
        self.assertRegex(told, "which net= leaves out; .* or leave net= out$")
        self.assertEqual(run.worst_drop_v[design.find_node("a")], 0)
        with self.assertRaisesRegex(gridiron.InputError, "leaves this net out"):
            gridiron.simulate(design, net="q", limits=["p:35%"])

    def test_instances_at_their_worst_moment(self):
        deck = ("* t\nvvdd p 0 1\nrp p a 1\nrg g 0 1\nca a g 1f\niu1_v a 0 pwl(0 0 2n 0 3n 0.1 4n 0)\n"
                "iu1_g 0 g pwl(0 0 2n 0 3n 0.1 4n 0)\n.tran 0.5n 10n\n.end\n")
        run = gridiron.simulate(gridiron.read_text(deck), limits=["worst@..2ns=5%", "p:worst@2ns..=5%"])
        instances = run.instances
        self.assertEqual(len(instances["name"]), 1)
        self.assertAlmostEqual(instances["combined_v"][0], 0.2, 3)
        self.assertAlmostEqual(instances["time_s"][0], 3e-9, 11)
        self.assertEqual([limit.exceeded for limit in run.limits if limit.net == "p"], [False, True])
        self.assertEqual(run.limits[-1].quantity, "worst@2ns..")
        with self.assertRaises(gridiron.InputError):
            gridiron.simulate(gridiron.read_text(deck), limits=["worst@12ns..=5%"])

    def test_scenarios_from_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "w.npz"
            time = np.linspace(0, 4e-9, 5)
            np.savez(path, time=time, templates=[[0, 0.1, 0.2, 0.1, 0]], source=["i1"], template=[0], scale=[[1, 2]])
            run = gridiron.simulate(gridiron.read_text(DECK), waveforms=path, max_step_s=5e-11, segments=True)
            self.assertEqual(run.probes["a"].shape, (21, 2))
            np.testing.assert_allclose(1 - run.probes["a"][:9, 1], 2 * (1 - run.probes["a"][:9, 0]), rtol=1e-6)
            self.assertEqual(run.worst_scenario.max(), 1)
            run.write(Path(folder) / "out", formats=["csv", "html"])
            self.assertTrue((Path(folder) / "out" / "scenarios.csv").exists())
            self.assertTrue((Path(folder) / "out" / "report.html").exists())
            self.assertFalse((Path(folder) / "out" / "report.json").exists())
            run.write(Path(folder) / "out", formats=["csv"], compress=True)
            self.assertEqual({file.suffix for file in (Path(folder) / "out").iterdir()}, {".zst", ".json"})

    def test_the_design_stays_as_it_is(self):
        design = gridiron.read(EXAMPLES / "switching.sp")
        before = design.current_sources.value.copy()
        run = gridiron.simulate(design, stop_s=1e-9)
        del design
        self.assertEqual(run.to_dict()["simulation"]["steps"], 100)
        again = gridiron.read(EXAMPLES / "switching.sp")
        np.testing.assert_array_equal(before, again.current_sources.value)

    def test_errors(self):
        design = gridiron.read_text(DECK)
        for arguments in ({"method": "euler"}, {"probes": ["nowhere"]}, {"step_s": -1.0}, {"limits": ["peak=1%"]}):
            with self.assertRaises(gridiron.InputError, msg=arguments):
                gridiron.simulate(design, **arguments)
        with self.assertRaisesRegex(gridiron.InputError, "give step_s="):
            gridiron.simulate(gridiron.read_text(DECK.replace(".tran", "*")))
        with self.assertRaises(gridiron.InputError) as raised:
            gridiron.simulate(design, start_s=1.0)
        self.assertEqual(raised.exception.field, "start_s")


if __name__ == "__main__":
    unittest.main()
