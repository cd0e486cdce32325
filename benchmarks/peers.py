#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Engines and their peers on the same matrices, as a Markdown table of milliseconds.

    benchmarks/peers.py cpu build/release/benchmarks/tables
    benchmarks/peers.py cuda build/cuda/benchmarks/tables --ibmpg2 ../shared/data/ibm/ibmpg2.spice.bz2
    benchmarks/peers.py cuda LOG…

Runs the bench_engine_table of a folder, which takes medians of three, --rounds times in turns, or reads what it printed
elsewhere; the least of all rounds counts. So do peers. On a CPU these are cholmod with AMD and, on power grids, those
of PyPI that the Python running this has (peer_solve.py: MKL's Pardiso, apxchol, PyAMG), on systems dumped by the
build's gridiron. On a GPU it is cuDSS with its own ordering, and those of peers-h200.csv, with the day on which they
were measured: AmgX 2.5.0 (PCG with classical AMG, the best of five configurations) and AMGCL (smoothed aggregation), in
fp64, on an H200, from and to host memory; compare these on that card only.
"""
import argparse
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

ON_GPU = ["ibm:1000000", "openroad:1000000", "ibm:10000000", "poisson2d:1000", "porous3d:220", "poisson2d:3163",
          "porous3d:508"]
ON_CPU = ["ibm:1000000", "openroad:1000000", "poisson2d:1000"]
AMD, CUDSS = "cholmod, AMD", "cuDSS"
SETTINGS = {AMD: ("cholmod", "ordering=amd"), CUDSS: ("cudss", "ordering=library")}
OF_PYPI = ["pardiso", "apxchol", "pyamg"]


def is_grid(case):
    return ":" not in case or case.startswith(("ibm:", "openroad:"))


def output_of(programs, device, engine, case):
    """What bench_engine_table prints. Power grids have voltages as unknowns: the right-hand side of other programs."""
    name, *settings = SETTINGS.get(engine, (engine,))
    settings += ["unknowns=voltages"] if is_grid(case) else []
    command = [programs / "bench_engine_table", name, device, *settings, case]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def dump(programs, case, folder):
    """The system of a power grid in Matrix Market files."""
    gridiron = programs.parents[1] / "gridiron"
    deck = case
    if ":" in case:
        style, nodes = case.split(":")
        deck = folder / "deck.sp"
        subprocess.run([gridiron, "generate", "--style", style, "--nodes", nodes, deck], check=True)
    subprocess.run([gridiron, "ir", deck, "--dump-system", folder], stdout=subprocess.DEVNULL, check=True)


def measured_by(peer, folder):
    """(setup, solve, iterations) of a peer of PyPI; nothing if it is missing or fails."""
    command = [sys.executable, pathlib.Path(__file__).with_name("peer_solve.py"), peer, folder]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        print(run.stderr.strip(), file=sys.stderr)
        return None
    setup, solve, iterations = run.stdout.split()
    return float(setup), float(solve), int(iterations)


def shown(milliseconds):
    return f"{milliseconds:.0f}" if milliseconds >= 100 else f"{milliseconds:.3g}"


class Table:
    """Setup, solve (ms) and iterations by case and solver; the fastest of those that come."""

    def __init__(self):
        self.rows = {}

    def take(self, case, solver, row):
        best = self.rows.setdefault(case, {}).get(solver)
        if not best or sum(row[:2]) < sum(best[:2]):
            self.rows[case][solver] = row

    def take_output(self, text, solver=None):
        for line in text.splitlines():
            if printed_by := re.match(r"(\w+) on \w+, to ", line):
                engine = solver or {"cudss": CUDSS}.get(printed_by[1], printed_by[1])
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if len(cells) == 9 and cells[1].isdigit():
                name = "ibmpg2" if "ibmpg2" in cells[0] else cells[0]
                self.take(name, engine, (float(cells[2]), float(cells[4]), int(cells[5])))

    def show(self, solvers, against):
        ratios = [solver for solver in solvers if solver in ("aggamg", "gpuhmd")]
        print("| case |", " | ".join([*solvers, *(f"{solver} / {against}" for solver in ratios)]), "|")
        print("|" + "---|" * (1 + len(solvers) + len(ratios)))
        for case, rows in self.rows.items():
            cells = []
            for row in map(rows.get, solvers):
                cells.append(f"{shown(row[0])} + {shown(row[1])}" + (f" ({row[2]})" if row[2] else "") if row else "")
            for row, base in ((rows.get(solver), rows.get(against)) for solver in ratios):
                cells.append(f"{sum(row[:2]) / sum(base[:2]):.2f}" if row and base else "")
            print(f"| {case} |", " | ".join(cells), "|")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("device", choices=["cpu", "cuda"])
    arguments.add_argument("sources", nargs="+", type=pathlib.Path, help="folder of bench_engine_table, or its output")
    arguments.add_argument("--ibmpg2", help="the deck; without it the case is left out")
    arguments.add_argument("--cases", nargs="*", help="instead of those of the device")
    arguments.add_argument("--rounds", type=int, default=2)
    given = arguments.parse_args()
    on_gpu = given.device == "cuda"
    cases = given.cases or (ON_GPU if on_gpu else ON_CPU)
    cases = [given.ibmpg2, *cases] if given.ibmpg2 else cases
    peers = [CUDSS] if on_gpu else [*OF_PYPI, AMD, "cholmod"]
    engines = ["aggamg", "gpuhmd"]

    table = Table()
    for source in given.sources:
        if source.is_dir():
            measure(table, source, given.device, cases, [*peers, *engines], given.rounds)
        else:
            table.take_output(source.read_text())
    older = older_peers(table) if on_gpu else []
    columns = [*older, *peers, *engines]
    present = [solver for solver in columns if any(solver in rows for rows in table.rows.values())]
    table.show(present, older[0] if older else AMD)


def measure(table, programs, device, cases, solvers, rounds):
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            systems = pathlib.Path(folder)
            if is_grid(case) and set(OF_PYPI) & set(solvers):
                dump(programs, case, systems)
            for _ in range(rounds):
                for solver in solvers:
                    if solver in OF_PYPI:
                        row = measured_by(solver, systems) if is_grid(case) else None
                        if row:
                            table.take("ibmpg2" if "ibmpg2" in case else case, solver, row)
                    elif solver != "gpuhmd" or is_grid(case):
                        table.take_output(output_of(programs, device, solver, case), solver)


def older_peers(table):
    """Takes the rows of peers-h200.csv for the cases of the table; returns their solvers, each with its day."""
    solvers = []
    with open(pathlib.Path(__file__).with_name("peers-h200.csv"), newline="") as peers:
        for line in csv.DictReader(peers):
            solver = f"{line['peer']} ({line['date']})"
            if line["case"] in table.rows:
                row = float(line["setup_ms"]), float(line["solve_ms"]), int(line["iterations"] or 0)
                table.take(line["case"], solver, row)
            if solver not in solvers:
                solvers.append(solver)
    return solvers


if __name__ == "__main__":
    main()
