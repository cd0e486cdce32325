#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every engine, and auto, on 40 kinds of networks and a few published decks, as one Markdown table.

    benchmarks/engine_survey.py build/release/gridiron [--device auto] [--data ../shared/data] [--only SUBSTRING] [--repeat N]

Each cell has the time of set-up, solve and certificate, the peak of the process's memory and the certified error of every
voltage, to 10 uV. The last columns compare auto with the fastest engine, and its memory with that of this engine. Engines
run one after the other, with up to --most times the time of the fastest one so far. Needs systems.py beside it and the
tool, nothing else.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile
import time

import systems as s

ENGINES = ["cholmod", "aggamg", "gpuhmd", "sgml", "superlu", "hypre", "cudss"]


def survey(data):
    """The systems; those of `data` only where it is there."""
    generated = lambda style, nodes, *more: ("--style", style, "--nodes", str(nodes), "--seed", "1", *more)
    real = [s.System(f"{name}", path=str(path)) for name, path in [
        ("ibmpg1", data / "ibm/ibmpg1.spice.bz2"), ("ibmpg2", data / "ibm/ibmpg2.spice.bz2"),
        ("OpenROAD gcd", data / "openroad/gcd_vss.sp"), ("ICCAD testcase1", data / "iccad23/testcase1/netlist.sp.gz")] if path.exists()]
    return real + [
        s.System("IBM style, 40 000", generate=generated("ibm", 40_000)),
        s.System("IBM style, 300 000", generate=generated("ibm", 300_000)),
        s.System("OpenROAD style, 40 000", generate=generated("openroad", 40_000)),
        s.System("OpenROAD style, 300 000", generate=generated("openroad", 300_000)),
        s.System("ICCAD style, 40 000", lambda: s.straps(180)),
        s.System("ICCAD style, 150 000", lambda: s.straps(350)),
        s.System("IBM style, one via in 100 of 100 times", generate=generated("ibm", 100_000, "--via-defects", "0.01")),
        s.System("square", lambda: s.mesh2(200)),
        s.System("square, six decades at random", lambda: s.mesh2(200, s.six)),
        s.System("square, eight decades at random", lambda: s.mesh2(200, s.eight)),
        s.System("square, blocks of 1e8", lambda: s.mesh2(200, s.blocks(20, 1e8))),
        s.System("square, fields of 1e8", lambda: s.mesh2(200, s.blocks(1, 1e8))),
        s.System("square, 1e4 in one direction", lambda: s.mesh2(200, along_y=1e4)),
        s.System("cube", lambda: s.mesh3(32)),
        s.System("cube, six decades at random", lambda: s.mesh3(32, s.six)),
        s.System("cube, eight decades at random", lambda: s.mesh3(32, s.eight)),
        s.System("cube, blocks of 1e8", lambda: s.mesh3(32, s.blocks(4, 1e8))),
        s.System("cube, layers of 1e8", lambda: s.mesh3(32, s.layers(1e8))),
        s.System("star", lambda: s.star(60_000)),
        s.System("ten wheels", lambda: s.wheels(10, 5_000)),
        s.System("square with 60 hubs", lambda: s.grid_with_hubs(200, 60, 100)),
        s.System("square with one hub on all", lambda: s.grid_with_hubs(200, 1, 40_000)),
        s.System("100 hubs that share leaves", lambda: s.shared_leaves(100, 20_000, 600)),
        s.System("expander of degree 4", lambda: s.expander(20_000, 4)),
        s.System("expander of degree 8", lambda: s.expander(10_000, 8)),
        s.System("expander of degree 8, six decades", lambda: s.expander(10_000, 8, s.six)),
        s.System("small world", lambda: s.small_world(50_000, 2_000)),
        s.System("chain", lambda: s.chain(100_000)),
        s.System("chain, nothing eliminated", lambda: s.chain(100_000), ("--no-reduce",)),
        s.System("ladder of 4", lambda: s.ladder(20_000, 4)),
        s.System("ladder of 4, weak rungs", lambda: s.ladder(20_000, 4, 1e4)),
        s.System("power-law tree, nothing eliminated", lambda: s.attachment(50_000, 1), ("--no-reduce",)),
        s.System("power-law tree, six decades", lambda: s.attachment(50_000, 1, s.six), ("--no-reduce",)),
        s.System("power law, two couplings", lambda: s.attachment(20_000, 2)),
        s.System("power law, six couplings", lambda: s.attachment(10_000, 6)),
        s.System("one pad of 1 MOhm", lambda: s.one_pad(200, 1e6)),
        s.System("one pad of 1 TOhm", lambda: s.one_pad(200, 1e12)),
        s.System("40 parts tied by 1 GOhm", lambda: s.weak_parts(40, 30, 1e9)),
        s.System("40 parts tied by 1 TOhm", lambda: s.weak_parts(40, 30, 1e12)),
        s.System("600 parts tied by 1 GOhm", lambda: s.weak_parts(600, 8, 1e9)),
    ]


class Bench:
    def __init__(self, arguments, folder):
        self.tool = str(pathlib.Path(arguments.gridiron).resolve())
        self.arguments = arguments
        self.folder = folder

    def deck(self, system):
        if system.path:
            return system.path
        deck = self.folder / "deck.sp"
        if system.generate:
            subprocess.run([self.tool, "generate", *system.generate, str(deck)], check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        else:
            deck.write_text(system.cards())
        return str(deck)

    def run(self, deck, system, engine, seconds):
        """The report, or why there is none."""
        out = self.folder / "out"
        (out / "report.json").unlink(missing_ok=True)
        command = [self.tool, "ir", deck, "--engine", engine, "--device", self.arguments.device, "--out", str(out),
                   "--formats", "json", "--quiet", "--no-progress", *system.options]
        if engine in ("cholmod", "superlu", "hypre"):
            command[command.index("--device") + 1] = "cpu"
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return f"> {seconds:.0f} s"
        if done.returncode in (2, 5):
            return "declined" if done.returncode == 2 else "no memory"
        if done.returncode not in (0, 4) or not (out / "report.json").exists():
            return f"exit {done.returncode}"
        return {**json.loads((out / "report.json").read_text()), "exit": done.returncode}

    def measure(self, deck, system, engine, seconds):
        """A Row, or why there is none."""
        best = None
        for _ in range(self.arguments.repeat):
            report = self.run(deck, system, engine, seconds)
            if isinstance(report, str):
                return report
            row = Row(report)
            if best is None or row.seconds < best.seconds:
                best = row
            if row.seconds > 10:
                break
        return best


class Row:
    def __init__(self, report):
        times = report["timings_s"]
        self.engine = report["engine"]["name"]
        self.seconds = sum(times[step] for step in ("setup", "solve", "certify"))
        self.bytes = report["peak_memory_bytes"]
        self.error = report["certificate"]["max_error_v"]
        self.unknowns = report["reduced"]["unknowns"]
        self.has_missed = report["exit"] == 4

    def __str__(self):
        error = "none" if self.error is None else f"{self.error:.0e} V"
        text = f"{shown(self.seconds)}, {self.bytes / 1e6:.0f} MB, {error}"
        return f"~~{text}~~" if self.has_missed else text


def shown(seconds):
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1e3 * seconds:.1f} ms"


def is_good(row):
    return isinstance(row, Row) and not row.has_missed


def measured(bench, system):
    deck = bench.deck(system)
    rows, limit = {}, bench.arguments.limit
    for engine in [*ENGINES, "auto"]:
        rows[engine] = bench.measure(deck, system, engine, limit)
        good = [row.seconds for row in rows.values() if is_good(row)]
        if good:
            limit = min(limit, max(10, bench.arguments.most * min(good)))
    return rows


def line(system, rows, totals):
    cells = [system.name, next((f"{row.unknowns}" for row in rows.values() if isinstance(row, Row)), "")]
    cells += [str(rows[engine]) for engine in ENGINES]
    auto = rows["auto"]
    good = {engine: row for engine, row in rows.items() if is_good(row) and engine != "auto"}
    cells.append(f"{auto} ({auto.engine})" if isinstance(auto, Row) else f"{auto}")
    if not good or not is_good(auto):
        return [*cells, "", "", ""]
    best = min(good, key=lambda engine: good[engine].seconds)
    totals[0] += auto.seconds
    totals[1] += min(good[best].seconds, auto.seconds)
    return [*cells, best, f"{auto.seconds / good[best].seconds:.2f}", f"{auto.bytes / good[best].bytes:.2f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("gridiron")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--data", default="../shared/data", type=pathlib.Path, help="folder of published decks, if any")
    parser.add_argument("--only", default="", help="systems with this in their names")
    parser.add_argument("--repeat", default=3, type=int, help="runs, of which the fastest counts")
    parser.add_argument("--most", default=20, type=float, help="times the fastest engine's time")
    parser.add_argument("--limit", default=60, type=float, help="seconds")
    arguments = parser.parse_args()
    head = ["system", "unknowns", *ENGINES, "auto", "best", "auto / best", "memory / best's"]
    print("|", " | ".join(head), "|")
    print("|" + "---|" * len(head), flush=True)
    totals, begin = [0.0, 0.0], time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(arguments, pathlib.Path(name))
        for system in survey(arguments.data):
            if arguments.only in system.name:
                print("|", " | ".join(line(system, measured(bench, system), totals)), "|", flush=True)
    if totals[1] > 0:
        print(f"\nAll systems: auto {shown(totals[0])}, the fastest engine of each {shown(totals[1])}: "
              f"{totals[0] / totals[1]:.2f} times. Measured in {time.monotonic() - begin:.0f} s.")


if __name__ == "__main__":
    main()
