# SPDX-License-Identifier: Apache-2.0
"""Engines on matrices of scipy.sparse."""
import os
import unittest
from fractions import Fraction

import numpy
import scipy.sparse
from common import deck

import gridiron


def poisson(n):
    line = scipy.sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(n, n))
    return scipy.sparse.kron(line, scipy.sparse.eye(n)) + scipy.sparse.kron(scipy.sparse.eye(n), line)


def exact_solution(matrix, b):
    """By Gauss's elimination in rational numbers; None if the matrix is singular."""
    rows = [[Fraction(v) for v in (*row, right)] for row, right in zip(matrix, b)]
    n = len(rows)
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [v / rows[k][k] for v in rows[k]]
        for i in range(n):
            if i != k and rows[i][k]:
                rows[i] = [v - rows[i][k] * w for v, w in zip(rows[i], rows[k])]
    return numpy.array([float(row[n]) for row in rows])


class Engines(unittest.TestCase):
    def test_every_general_engine_solves(self):
        matrix = poisson(60)
        exact = numpy.random.default_rng(1).normal(size=(3600, 3))
        for name in "auto", "cholmod", "superlu", "aggamg":
            with self.subTest(name):
                engine = gridiron.Engine(name)
                engine.setup(matrix.tocoo())
                x = engine.solve(matrix @ exact, rtol=1e-11)
                self.assertEqual(x.shape, exact.shape)
                self.assertLess(numpy.abs(x - exact).max(), 1e-7)
                self.assertTrue(all(column["converged"] for column in engine.stats))
                self.assertEqual(engine.solve(matrix @ exact[:, 0]).shape, (3600,))
                engine.update(2 * matrix)
                self.assertLess(numpy.abs(2 * engine.solve(matrix @ exact, rtol=1e-11) - exact).max(), 1e-7)

    def test_unsymmetric(self):
        matrix = poisson(20).tocsr() + scipy.sparse.diags([0.3], [1], shape=(400, 400))
        engine = gridiron.Engine("superlu")
        with self.assertRaisesRegex(gridiron.InputError, "not symmetric"):
            engine.setup(matrix)
        engine.setup(matrix, symmetric_positive_definite=False)
        b = numpy.ones(400)
        self.assertLess(numpy.abs(matrix @ engine.solve(b) - b).max(), 1e-10)

    def test_superlu_answers_right_or_refuses(self):
        random = numpy.random.default_rng(47)
        count = int(os.environ.get("GRIDIRON_RANDOM_MATRICES", "100"))
        answered = refused = 0
        for round_ in range(count):
            n = int(random.integers(1, 13))
            matrix = scipy.sparse.random(n, n, min(1.0, 2.5 / n), random_state=random).tocsr()
            matrix.data = random.integers(1, 5, matrix.nnz) * random.choice([-1.0, 1.0], matrix.nnz)
            if round_ % 2:
                matrix = (matrix + matrix.T).tocsr()
            b = random.integers(-9, 10, n).astype(float)
            exact = exact_solution(matrix.toarray(), b)
            engine = gridiron.Engine("superlu")
            with self.subTest(round_):
                try:
                    engine.setup(matrix, symmetric_positive_definite=bool(round_ % 2))
                    x = engine.solve(b, rtol=1e-10)
                except gridiron.SolverError:
                    self.assertIsNone(exact)
                    refused += 1
                    continue
                self.assertIsNotNone(exact)
                self.assertTrue(engine.stats[0]["converged"])
                self.assertLess(numpy.abs(x - exact).max(), 1e-9 * max(1, numpy.abs(exact).max()))
                answered += 1
        self.assertGreater(answered, count // 8)
        self.assertGreater(refused, count // 8)

    def test_guess_settings_and_description(self):
        matrix, exact = poisson(40), numpy.linspace(0, 1, 1600)
        engine = gridiron.Engine("aggamg", settings={"precision": "double", "coarse_size": 50}, threads=1)
        engine.setup(matrix)
        engine.solve(matrix @ exact, exact)
        self.assertEqual(engine.stats[0]["iterations"], 0)
        self.assertEqual(engine.description["parameters"]["coarse_size"], "50")
        self.assertEqual(engine.description["levels"][0]["unknowns"], 1600)

    def test_a_system_brings_its_geometry(self):
        design = gridiron.read(deck())
        system = gridiron.System(design)
        engine = gridiron.Engine("gpuhmd")
        with self.assertRaises(gridiron.InputError):
            engine.setup(system.matrix())
        engine.setup(system)
        b = system.right_hand_side(gridiron.Loads(design))
        x = engine.solve(b, rtol=1e-10)
        self.assertLess(numpy.linalg.norm(system.matrix() @ x - b), 2e-10 * numpy.linalg.norm(b))

    def test_refusals(self):
        engine = gridiron.Engine("cholmod")
        with self.assertRaisesRegex(gridiron.InputError, r"call setup\(\) first"):
            engine.solve(numpy.ones(3))
        for matrix, why in (
            (scipy.sparse.csr_matrix((2, 3)), "2 x 3"),
            (scipy.sparse.diags([1.0, numpy.nan]), "not finite"),
            (numpy.eye(2), "scipy.sparse"),
        ):
            with self.subTest(why), self.assertRaisesRegex(gridiron.InputError, why):
                engine.setup(matrix)
        engine.setup(poisson(3))
        for b in numpy.ones(8), numpy.ones((3, 3, 3)), "abc":
            with self.assertRaises(gridiron.InputError):
                engine.solve(b)
        with self.assertRaisesRegex(gridiron.InputError, 'no engine is called "nope"'):
            gridiron.Engine("nope")
        with self.assertRaisesRegex(gridiron.InputError, "no parameter"):
            gridiron.Engine("cholmod", settings={"x": 1})

    def test_list(self):
        names = [engine["name"] for engine in gridiron.engines()]
        self.assertIn("aggamg", names)
        for engine in gridiron.engines():
            self.assertTrue(set(engine["devices"]) <= {"cpu", "cuda"} and engine["devices"])
            self.assertTrue(all(set(p) == {"name", "value", "unit", "meaning"} for p in engine["parameters"]))


if __name__ == "__main__":
    unittest.main()
