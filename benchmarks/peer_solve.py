#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A solver of PyPI on a system that `gridiron ir DECK --dump-system FOLDER` wrote:

    OMP_NUM_THREADS=2 benchmarks/peer_solve.py pardiso|apxchol|pyamg FOLDER

Prints the medians of three, after a warm-up run, of the milliseconds of setup and solve, and the iterations to a
relative residual of 1e-8; voltages are the unknowns. Needs `pip install pypardiso apxchol pyamg scipy`; what is missing
is exit code 3. pypardiso is MKL's Pardiso (Cholesky, its default ordering), apxchol its approximate Cholesky
factorization, pyamg conjugate gradients with smoothed aggregation, which uses one thread.
"""
import pathlib
import statistics
import sys
import time

RELATIVE_RESIDUAL = 1e-8


def pardiso(matrix):
    import pypardiso
    import scipy.sparse
    upper = scipy.sparse.csr_matrix(scipy.sparse.triu(matrix))
    solver = pypardiso.PyPardisoSolver(mtype=2)
    solver.factorize(upper)

    def solve(b):
        x = solver.solve(upper, b)
        return x, 0
    return solve, solver.free_memory


def apxchol(matrix):
    import apxchol as library
    solver = library.factorize(matrix, keep_factor=False)

    def solve(b):
        result = solver.solve(b, rtol=RELATIVE_RESIDUAL)
        return result.x, result.iters
    return solve, lambda: None


def pyamg(matrix):
    import pyamg as library
    solver = library.smoothed_aggregation_solver(matrix, symmetry="symmetric")

    def solve(b):
        residuals = []
        x = solver.solve(b, tol=RELATIVE_RESIDUAL, accel="cg", maxiter=500, residuals=residuals)
        return x, len(residuals) - 1
    return solve, lambda: None


PEERS = {"pardiso": pardiso, "apxchol": apxchol, "pyamg": pyamg}


def system_of(folder):
    import numpy
    import scipy.io
    import scipy.sparse
    matrix = scipy.sparse.csr_matrix(scipy.io.mmread(folder / "matrix.mtx"))
    drops, reference = (numpy.ravel(scipy.io.mmread(folder / name)) for name in ("rhs.mtx", "reference.mtx"))
    return matrix, drops + matrix @ reference


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in PEERS:
        sys.exit(__doc__)
    try:
        matrix, b = system_of(pathlib.Path(sys.argv[2]))
        setups, solves = [], []
        for is_timed in (False, True, True, True):
            start = time.perf_counter()
            solve, release = PEERS[sys.argv[1]](matrix)
            is_set_up = time.perf_counter()
            x, iterations = solve(b)
            end = time.perf_counter()
            release()
            if is_timed:
                setups.append(1e3 * (is_set_up - start))
                solves.append(1e3 * (end - is_set_up))
    except ImportError as missing:
        print(f"{sys.argv[1]}: {missing}", file=sys.stderr)
        sys.exit(3)
    residual = b - matrix @ x
    if not residual @ residual <= (2 * RELATIVE_RESIDUAL) ** 2 * (b @ b):
        sys.exit(f"{sys.argv[1]} misses the residual")
    print(f"{statistics.median(setups):.3f} {statistics.median(solves):.3f} {iterations}")


if __name__ == "__main__":
    main()
