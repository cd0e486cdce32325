# SPDX-License-Identifier: Apache-2.0
"""The worst case over budgets, against a linear programme where scipy is installed."""
import pathlib
import tempfile
import unittest

import numpy
from common import EXAMPLES

import gridiron

try:
    from scipy.optimize import linprog
except ImportError:
    linprog = None


class Budget(unittest.TestCase):
    def setUp(self):
        self.design = gridiron.read(EXAMPLES / "two_nets.sp")
        self.solver = gridiron.Solver(gridiron.System(self.design), engine="cholmod")
        self.report = gridiron.summarise(self.solver, self.solver.solve())

    def test_loads_reproduce_the_worst_case(self):
        found = self.solver.bound_over_budget(self.report, EXAMPLES / "two_nets_budget.csv", nodes=["n1_0_0"])
        [vdd, gnd] = found["nets"]
        self.assertTrue(vdd["is_certain"] and gnd["is_certain"])
        worst = vdd["worst"][0]
        self.assertAlmostEqual(worst["drop_v"], 0.06625, places=12)
        self.assertEqual(worst["full_blocks"], [0])
        loads = gridiron.Loads(self.design)
        loads.amperes[:, 0] = vdd["load_a"]
        volts = self.solver.solve(loads)[0].voltage_v
        self.assertAlmostEqual(1.8 - volts[worst["node"]], worst["drop_v"], places=12)
        self.assertEqual(len(found["nodes"]), 1)
        with self.assertRaisesRegex(gridiron.InputError, "no node"):
            self.solver.bound_over_budget(self.report, EXAMPLES / "two_nets_budget.csv", nodes=["none"])

    @unittest.skipIf(linprog is None, "scipy is not installed")
    def test_equals_a_linear_programme(self):
        random = numpy.random.default_rng(16)
        n = 12
        for _ in range(50):
            deck = ["* random", "v1 p 0 1", "rp p n0 0.5"]
            deck += [f"r{k} n{random.integers(k)} n{k} {random.uniform(0.5, 3)}" for k in range(1, n)]
            deck += [f"rx{k} n{random.integers(n)} n{(k * 5 + 1) % n} {random.uniform(0.5, 3)}" for k in range(4)]
            deck += [f"i{k} n{k} 0 1m" for k in range(n)] + [".end", ""]
            most, least = random.uniform(1e-3, 5e-3, n), random.uniform(0, 1e-3, n)
            sums = [(range(n), 0.7), (range(6), 0.6), (range(2), 0.8), (range(6, 9), 0.5)]
            rules, a, b = [f"each,i{k},{most[k]:.17g},{least[k]:.17g}" for k in range(n)], [], []
            for members, share in sums:
                members = list(members)
                limit = least[members].sum() + share * (most - least)[members].sum()
                rules.append(f"sum,{' '.join(f'i{k}' for k in members)},{limit:.17g}")
                a.append(numpy.isin(numpy.arange(n), members).astype(float))
                b.append(limit)
            with tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                (folder / "d.sp").write_text("\n".join(deck))
                (folder / "b.csv").write_text("\n".join(rules) + "\n")
                design = gridiron.read(folder / "d.sp")
                solver = gridiron.Solver(gridiron.System(design), engine="cholmod")
                report = gridiron.summarise(solver, solver.solve())
                names = [f"n{k}" for k in range(n)]
                found = solver.bound_over_budget(report, folder / "b.csv", nodes=names)
                nodes = [design.find_node(name) for name in names]
                best = []
                for name in names:
                    [response] = solver.respond([name])
                    best.append(-linprog(-response.ohm[nodes], a, b, bounds=list(zip(least, most))).fun)
                drops = [node["drop_v"] for node in found["nodes"]]
                numpy.testing.assert_allclose(drops, best, rtol=1e-9)
                self.assertAlmostEqual(found["nets"][0]["worst"][0]["drop_v"], max(best), places=10)


if __name__ == "__main__":
    unittest.main()
