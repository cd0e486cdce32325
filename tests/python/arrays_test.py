# SPDX-License-Identifier: Apache-2.0
"""Arrays are views of the library's memory, and keep it alive."""
import gc
import unittest

import numpy
from common import EXAMPLES, deck

import gridiron


class Arrays(unittest.TestCase):
    def test_views_keep_their_owner_alive(self):
        design = gridiron.read(deck())
        solver = gridiron.Solver(gridiron.System(design))
        answer = solver.solve()
        report = gridiron.summarise(solver, answer)
        views = [answer.voltage_v, report.nodes.drop_v, report.nodes.x_um, design.resistors.value, design.layer]
        instances = report.instances
        copies = [view.copy() for view in views]
        combined = instances["combined_v"].copy()
        del design, solver, answer, report
        gc.collect()
        _ = [gridiron.read(deck()).x_um.copy() for _ in range(3)]  # would take over memory that was set free
        for view, copy in zip(views, copies):
            numpy.testing.assert_array_equal(view, copy)
        numpy.testing.assert_array_equal(instances["combined_v"], combined)

    def test_nothing_is_copied_and_nothing_can_be_spoilt(self):
        design = gridiron.read(EXAMPLES / "two_nets.sp")
        solver = gridiron.Solver(gridiron.System(design))
        answer = solver.solve()
        nodes = gridiron.summarise(solver, answer).nodes
        for first, second in (
            (answer.voltage_v, answer.voltage_v),
            (nodes.drop_v, nodes.drop_v),
            (design.x_um, design.x_um),
            (design.x_um, nodes.x_um),
        ):
            self.assertTrue(numpy.shares_memory(first, second))
            self.assertFalse(first.flags.writeable)

    def test_loads_are_written_through_their_array(self):
        design = gridiron.read(EXAMPLES / "two_nets.sp")
        loads = gridiron.Loads(design, vectors=3)
        self.assertEqual(loads.amperes.shape, (4, 3))
        loads.amperes *= [1, 2, 3]
        loads.set("iram_v", 7e-3, vector=1)
        self.assertEqual(loads.amperes[2].tolist(), [20e-3, 7e-3, 60e-3])
        array = numpy.arange(8.0).reshape(4, 2)  # rows are contiguous here, columns in the library
        numpy.testing.assert_array_equal(gridiron.Loads(design, array).amperes, array)
        self.assertEqual(gridiron.Loads(design, array[:, 1]).vectors, 1)
        some = gridiron.Loads(design, [[1, 2]], names=["icpu_g"]).amperes
        numpy.testing.assert_array_equal(some, [[0.05, 0.05], [1, 2], [0.02, 0.02], [0.02, 0.02]])
        self.assertEqual(gridiron.Loads(design, vectors=0).amperes.shape, (4, 0))

    def test_tables_of_nodes(self):
        design = gridiron.read(EXAMPLES / "two_nets.sp")
        report = gridiron.analyse(EXAMPLES / "two_nets.sp")
        n = design.find_node("n1_1000_1000")
        self.assertEqual((design.x_um[n], design.y_um[n], design.layer_names[design.layer[n]]), (1, 1, "M1"))
        self.assertAlmostEqual(report.nodes.drop_v[n], 0.0475, places=12)
        self.assertEqual(report.nets[report.nodes.net[n]].name, "VDD")
        self.assertEqual(report.nodes.state[n], gridiron.NodeState.SOLVED)
        self.assertEqual(report.nodes.state[0], gridiron.NodeState.GROUND)
        self.assertEqual(len(report.nodes), design.node_count)
        self.assertEqual([pad.name for pad in report.pads], ["v0", "v1"] if report.pads[0].name == "v0" else ["v1", "v0"])
        self.assertAlmostEqual(sum(pad.current_a for pad in report.pads), 0, places=12)
        self.assertEqual(report.instances["name"], ["icpu", "iram"])

    def test_matrix_and_back(self):
        design = gridiron.read(deck())
        system = gridiron.System(design)
        loads = gridiron.Loads(design, vectors=2)
        loads.amperes[:, 1] *= 0.5
        matrix, b = system.matrix(), system.right_hand_side(loads)
        self.assertEqual((abs(matrix - matrix.T)).nnz, 0)
        self.assertFalse(matrix.data.flags.writeable)
        import scipy.sparse.linalg

        x = scipy.sparse.linalg.spsolve(matrix.tocsc(), b)
        voltage = system.voltages(x, loads)
        answers = gridiron.Solver(system, engine="cholmod").solve(loads)
        for k in range(2):
            self.assertLess(numpy.abs(voltage[:, k] - answers[k].voltage_v).max(), 1e-9)


if __name__ == "__main__":
    unittest.main()
