#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long decks in the spellings of dialects take to read, and their twins in plain cards, as a Markdown table.

    benchmarks/dialect_twins.py build/release/gridiron [--cards 1000000] [--rounds 5] [--instructions]

A mesh of resistors, all of whose cards are written alike. Each round runs `gridiron check` on every deck and its twin
once; a figure is the median of the processor time, user and system. With --instructions it is what callgrind counts in
one round, which other work on the machine does not change.
"""
import argparse
import os
import pathlib
import random
import re
import statistics
import subprocess
import tempfile

# What gridiron would start itself again with, which valgrind cannot follow.
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "1000"}
PARAMETERS = ".param a=1 w=2.5 rsh=0.02 t=0.9\n"
FUNCTION = ".func rs(l,ww) {rsh*l/ww}\n"


class Mesh:
    """`edges`: nodes, a number with three decimals as text, and a place for each resistor."""

    def __init__(self, cards):
        draw = random.Random(1)
        width = int((cards / 2) ** 0.5) + 1
        name = lambda x, y: f"VDD:{1000 * x + y + 1}"
        ends = [(x, y, *other) for y in range(width) for x in range(width)
                for other in ((x + 1, y), (x, y + 1)) if max(other) < width][:cards]
        self.edges = [(name(x, y), name(u, v), f"{draw.randrange(100, 9999) / 1000:.3f}", x * 1.5, y * 1.5)
                      for x, y, u, v in ends]


def plain(ohms=lambda k, r: r):
    """`ohms` of the number of a card and of the number on it."""
    return lambda k, a, b, r, x, y: f"r{k} {a} {b} {ohms(k, float(r)):.6g}\n"


def dspf(k, a, b, r, x, y):
    comment = f"*|S ({a} {x:.2f} {y:.2f})\n" if k % 2 == 0 else ""
    return f"{comment}r{k} {a} {b} {r} $l=1.5 $w=0.14 $layer=M{1 + k % 8} $X={x:.2f} $Y={y:.2f}\n"


# What a deck is called, its dialect, the cards at its begin, that of a resistor, and that of its twin.
DECKS = [
    ("`.if` around every card", "auto", PARAMETERS,
     lambda k, a, b, r, x, y: f".if (a == 1)\nr{k} {a} {b} {r}\n.endif\n", plain()),
    ("different expressions", "auto", PARAMETERS,
     lambda k, a, b, r, x, y: f"r{k} {a} {b} {{rsh*{r}/w+{k}*t}}\n",
     plain(lambda k, r: 0.02 * r / 2.5 + k * 0.9)),
    ("calls of a `.func`", "auto", PARAMETERS + FUNCTION,
     lambda k, a, b, r, x, y: f"r{k} {a} {b} {{rs({r},w)}}\n", plain(lambda k, r: 0.02 * r / 2.5)),
    ("`R=1.5`", "auto", "", lambda k, a, b, r, x, y: f"r{k} {a} {b} R={r}\n", plain()),
    ("HSPICE, `R='1.5*w'`", "hspice", PARAMETERS,
     lambda k, a, b, r, x, y: f"r{k} {a} {b} R='{r}*w'\n", plain(lambda k, r: 2.5 * r)),
    ("PSpice, `{1.5*w}`", "pspice", PARAMETERS,
     lambda k, a, b, r, x, y: f"R_R{k} {a} {b} {{{r}*w}}\n", plain(lambda k, r: 2.5 * r)),
    ("LTspice, `1k5`", "ltspice", "", lambda k, a, b, r, x, y: f"R{k} {a} {b} {r.replace('.', 'k')}\n",
     plain(lambda k, r: 1000 * r)),
    ("CDL", "cdl", "*.BIPOLAR\n*.RESI = 2000\n",
     lambda k, a, b, r, x, y: f"RR{k} {a} {b} {r} $[RM{1 + k % 8}] $W=0.14\n", plain()),
    ("DSPF", "dspf", "*|DSPF 1.5\n*|NET VDD 1.2PF\n*|P (VDD X 0 0 0)\n", dspf, plain()),
]


def write(path, mesh, head, card):
    with open(path, "w") as out:
        out.write("* deck\nv1 VDD:1 0 1.8\n" + head)
        out.writelines(card(k, *edge) for k, edge in enumerate(mesh.edges))
        out.write(".end\n")


def cost(gridiron, deck, dialect, instructions):
    """Of one run: seconds, or instructions."""
    command = [gridiron, "check", str(deck), "--dialect", dialect, "--threads", "1"]
    environment = {**os.environ, **ENVIRONMENT}
    if instructions:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={deck}.out", *command]
        log = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stderr
        return int(re.search(r"Collected : (\d+)", log).group(1))
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gridiron")
    parser.add_argument("--cards", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--instructions", action="store_true")
    options = parser.parse_args()
    rounds = 1 if options.instructions else options.rounds
    unit, scale = ("M instructions", 1e-6) if options.instructions else ("ms", 1e3)
    mesh = Mesh(options.cards)
    print(f"| deck | {unit} | its twin | ratio |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        deck, twin = pathlib.Path(folder) / "deck.sp", pathlib.Path(folder) / "twin.sp"
        for name, dialect, head, card, card_of_twin in DECKS:
            write(deck, mesh, head, card)
            write(twin, mesh, "", card_of_twin)
            costs = [(cost(options.gridiron, deck, dialect, options.instructions),
                      cost(options.gridiron, twin, dialect, options.instructions)) for _ in range(rounds)]
            of_deck, of_twin = (scale * statistics.median(column) for column in zip(*costs))
            print(f"| {name} | {of_deck:.0f} | {of_twin:.0f} | {of_deck / of_twin:.2f} |", flush=True)


if __name__ == "__main__":
    main()
