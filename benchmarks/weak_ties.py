#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Iterations and certified bounds on grids that are tied weakly, as a Markdown table.

    benchmarks/weak_ties.py build/release/gridiron [--device cuda]

Meshes of 1 Ohm: one of 120 x 120 nodes with a single pad of 1 Ohm to 10 GOhm, whose loads make it drop by up to 1 V;
and one of 100 x 100 with a domain of 60 x 60 behind six switches.
"""
import argparse
import json
import pathlib
import random
import subprocess
import tempfile

ENGINES = ["cholmod", "aggamg", "gpuhmd", "sgml"]


def mesh(net, n):
    node = lambda x, y: f"{net}_{10 * x}_{10 * y}"
    for x in range(n):
        for y in range(n):
            if x:
                yield f"rx{net}{x}_{y} {node(x - 1, y)} {node(x, y)} 1"
            if y:
                yield f"ry{net}{x}_{y} {node(x, y - 1)} {node(x, y)} 1"


def loads(net, n, count, amperes):
    draw = random.Random(7)
    for k in range(count):
        yield f"i{net}{k} {net}_{10 * draw.randrange(n)}_{10 * draw.randrange(n)} 0 {amperes / count}"


def one_pad(ohms):
    yield f"rp n1_0_0 s {ohms}"
    yield from mesh("n1", 120)
    yield from loads("n1", 120, 400, 1 / max(ohms, 1))


def switched(ohms):
    yield from ("rp1 n1_0_0 s 0.1", "rp2 n1_990_990 s 0.1")
    yield from mesh("n1", 100)
    yield from loads("n1", 100, 200, 0.1)
    yield from mesh("n2", 60)
    yield from loads("n2", 60, 50, 1e-3 / ohms)
    for k in range(0, 60, 10):
        yield f"rs{k} n1_{10 * k}_0 n2_{10 * k}_0 {ohms}"


CASES = [(f"one pad of {ohms:g} Ohm", one_pad(ohms)) for ohms in (1, 1e2, 1e4, 1e6, 1e8, 1e10)] + [
    (f"domain behind switches of {ohms:g} Ohm", switched(ohms)) for ohms in (0.1, 1e7, 1e9)]


def cell(gridiron, deck, engine, device, folder):
    out = folder / "out"
    device = "cpu" if engine == "cholmod" else device
    status = subprocess.run([gridiron, "ir", deck, "--engine", engine, "--device", device, "--out", out,
                             "--formats", "json", "--quiet"], stderr=subprocess.DEVNULL, check=False).returncode
    report = json.loads((out / "report.json").read_text())
    bound = report["certificate"]["max_error_v"]
    missed = "" if status == 0 else f" **exit {status}**"
    return f"{report['solve']['iterations']}, {'none' if bound is None else f'{bound:.1e} V'}{missed}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("gridiron")
    parser.add_argument("--device", default="cpu")
    arguments = parser.parse_args()
    print("| iterations, bound |", " | ".join(ENGINES), "|")
    print("|---|" + "---|" * len(ENGINES))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for title, cards in CASES:
            deck = folder / "deck.sp"
            deck.write_text("\n".join([f"* {title}", "v1 s 0 1", *cards, ".end", ""]))
            cells = [cell(arguments.gridiron, deck, engine, arguments.device, folder) for engine in ENGINES]
            print(f"| {title} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
