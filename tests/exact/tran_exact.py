#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulations of random circuits with corners between rows against the same steps in 80 digits.

tran_exact.py BINARY [CIRCUITS=200] [SEED=1]

Circuits of R, C, L and loads of PULSE and PWL, some of which jump, are stepped here with decimal arithmetic: a step ends
at every row and at every corner, which this works out by itself, so that sizes are unequal. What is compared: that
there are as many steps; the voltages of all nodes at all rows, and the worst drop of every node over all steps, within
the bound of the whole run; and exit codes with limits close to the worst drop. Where the bound is called an estimate,
what lies beyond it is counted apart.
"""
import csv
import decimal
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
from fractions import Fraction

D = decimal.Decimal
decimal.getcontext().prec = 80
ENGINES = ["cholmod", "superlu", "aggamg", "auto"]
PARTS = 1000  # corners lie on this fraction of a step, as the ramps of jumps do


def dec(q):
    q = Fraction(q)
    return D(q.numerator) / D(q.denominator)


class Load:
    """A PULSE or PWL; times in units of step / PARTS, amperes as texts."""

    def __init__(self, r, stop):
        amount = lambda: f"{r.randint(0, 40)}e-3"
        if r.random() < 0.5:
            rise, fall = (r.choice([1, 2, 3, 40, 500, 1000, 1700]) for _ in "rf")
            width = r.choice([1, 2, 5, 60, 333, 1000, 2500])
            self.pulse = (amount(), amount(), r.randrange(0, stop), rise, fall, width,
                          max(rise + fall + width + r.choice([1, 13, 777]), r.choice([900, 1001, 2000, 3 * stop])))
        else:
            self.pulse = None
            times = sorted(r.sample(range(0, stop + PARTS), r.randint(1, 6)))
            self.points = [(t, amount()) for t in times]
            if r.random() < 0.3 and times[-1] < stop:
                self.points.append((times[-1], amount()))

    def card(self, time):
        if self.pulse is None:
            return "PWL(" + " ".join(f"{time(t)} {v}" for t, v in self.points) + ")"
        return "PULSE(" + " ".join([*self.pulse[:2], *(time(t) for t in self.pulse[2:])]) + ")"

    def corners(self, stop):
        found = set()
        if self.pulse is None:
            for k, (t, _) in enumerate(self.points):
                found.add(t)
                if k and t == self.points[k - 1][0]:
                    found.add(t + 1)
        else:
            _, _, start, rise, fall, width, period = self.pulse
            while start < stop:
                found.update(t for t in (start, start + rise, start + rise + width, start + rise + width + fall)
                             if t < start + period)
                start += period
        return {t for t in found if 0 < t < stop}

    def at(self, t):
        if self.pulse is not None:
            low, high, start, rise, fall, width, period = self.pulse
            low, high = dec(float(low)), dec(float(high))
            if t <= start:
                return low
            t = (t - start) % period
            if t < rise:
                return low + (high - low) * D(t) / D(rise)
            if t <= rise + width:
                return high
            return low + (high - low) * max(D(0), 1 - D(t - rise - width) / D(fall))
        values = [dec(float(v)) for _, v in self.points]
        times = [p[0] for p in self.points]
        last = max((k for k, at in enumerate(times) if at <= t), default=-1)
        if last < 0:
            return values[0]
        first = times.index(times[last])
        value = values[last]
        if last + 1 < len(times):
            value += (values[last + 1] - value) * D(t - times[last]) / D(times[last + 1] - times[last])
        if first < last and t - times[last] < 1:
            return values[first]
        return value


def factored(rows):
    a, order = [row[:] for row in rows], list(range(len(rows)))
    for k in range(len(a)):
        pivot = max(range(k, len(a)), key=lambda i: abs(a[i][k]))
        if a[pivot][k] == 0:
            raise ZeroDivisionError
        a[k], a[pivot], order[k], order[pivot] = a[pivot], a[k], order[pivot], order[k]
        for i in range(k + 1, len(a)):
            if a[i][k]:
                a[i][k] /= a[k][k]
                for j in range(k + 1, len(a)):
                    a[i][j] -= a[i][k] * a[k][j]
    return a, order


def solved(lu, b):
    a, order = lu
    x = [b[i] for i in order]
    for i in range(len(x)):
        x[i] -= sum(a[i][j] * x[j] for j in range(i))
    for i in reversed(range(len(x))):
        x[i] = (x[i] - sum(a[i][j] * x[j] for j in range(i + 1, len(x)))) / a[i][i]
    return x


class Circuit:
    def __init__(self, r):
        self.step = r.choice([Fraction(1, 10**9), Fraction(1, 10**10), Fraction(1, 10**11), Fraction(2, 10**9)])
        self.rows = r.randint(2, 10)
        self.stop = self.rows * PARTS - r.choice([0, 0, 0, 250, 617])
        self.parts = r.choice([1, 1, 1, 2, 4])
        self.cards, self.loads = [], {}
        nodes = [f"a{k}" for k in range(r.randint(2, 7))]
        ohms = lambda: f"{r.randint(1, 99)}e-{r.randint(0, 2)}"
        self.supply = r.choice(["1", "1.1", "0.75"])
        self.add("v", "p", "0", self.supply)
        if r.random() < 0.5:
            self.add("l", "p", "q", f"{r.randint(1, 99)}e-{r.randint(10, 13)}")
            self.add("r", "q", nodes[0], ohms())
        else:
            self.add("r", "p", nodes[0], ohms())
        for k in range(1, len(nodes)):
            self.add("r", nodes[k], nodes[r.randrange(k)], ohms())
        for _ in range(r.randint(0, 3)):
            self.add("r", *r.sample(nodes, 2), ohms())
        for _ in range(r.choice([0, 1, 2, len(nodes)])):
            a = r.choice(nodes)
            b = "0" if r.random() < 0.7 else r.choice([n for n in nodes if n != a])
            self.add("c", a, b, f"{r.randint(1, 99)}e-{r.randint(10, 15)}")
        if r.random() < 0.3:
            self.add("r", r.choice(nodes), "z", ohms())
            self.add("c", "z", "0", f"{r.randint(1, 99)}e-{r.randint(10, 14)}")
        for _ in range(r.randint(1, len(nodes))):
            name = self.add("i", r.choice(nodes), "0", None)
            self.loads[name] = Load(r, self.stop)
        self.nodes = sorted({n for c in self.cards for n in c[2:4]} - {"0"})

    def add(self, kind, a, b, value):
        name = f"{kind}{sum(c[0] == kind for c in self.cards) + 1}"
        self.cards.append((kind, name, a, b, value))
        return name

    def time(self, units):
        return f"{round(units * self.step * 10**18 / PARTS)}e-18"

    def deck(self):
        lines = ["* random"]
        for _, name, a, b, value in self.cards:
            lines.append(f"{name} {a} {b} {value if value else self.loads[name].card(self.time)}")
        largest = f" 0 {self.time(PARTS // self.parts)}" if self.parts > 1 else ""
        lines += [f".tran {self.time(PARTS)} {self.time(self.stop)}{largest}", ".end", ""]
        return "\n".join(lines)

    def ends(self):
        at = {t for load in self.loads.values() for t in load.corners(self.stop)} | {self.stop}
        at |= set(range(PARTS // self.parts, self.stop, PARTS // self.parts))
        return sorted(at)

    def states(self, two):
        """Voltages by node at time 0 and after every step."""
        index = {n: k for k, n in enumerate(self.nodes)}
        branches = [c for c in self.cards if c[0] in "vl"]
        size = len(index) + len(branches)
        value = {c[1]: dec(float(c[4])) for c in self.cards if c[4]}
        factor = D(2 if two else 1)

        def matrix(h):
            a = [[D(0)] * size for _ in range(size)]
            for kind, name, p, q, _ in self.cards:
                if kind == "r" or (kind == "c" and h):
                    g = 1 / value[name] if kind == "r" else factor * value[name] / h
                    for x, y, s in ((p, p, 1), (q, q, 1), (p, q, -1), (q, p, -1)):
                        if x in index and y in index:
                            a[index[x]][index[y]] += s * g
            for k, (kind, name, p, q, _) in enumerate(branches, len(index)):
                for x, s in ((p, 1), (q, -1)):
                    if x in index:
                        a[index[x]][k] += s
                        a[k][index[x]] += s
                if kind == "l" and h:
                    a[k][k] -= factor * value[name] / h
            return a

        across = lambda x, p, q: (x[index[p]] if p in index else D(0)) - (x[index[q]] if q in index else D(0))

        def drawn(t):
            b = [D(0)] * size
            for kind, name, p, q, _ in self.cards:
                if kind == "i":
                    for x, s in ((p, -1), (q, 1)):
                        if x in index:
                            b[index[x]] += s * self.loads[name].at(t)
            for k, c in enumerate(branches, len(index)):
                if c[0] == "v":
                    b[k] = value[c[1]]
            return b

        x = solved(factored(matrix(None)), drawn(0))
        charging = {c[1]: D(0) for c in self.cards if c[0] == "c"}
        kept, now, states = {}, 0, [(0, x)]
        for end in self.ends():
            h = dec(Fraction(end - now, PARTS) * self.step)
            if h not in kept:
                kept[h] = factored(matrix(h))
            b = drawn(end)
            for kind, name, p, q, _ in self.cards:
                if kind == "c":
                    history = factor * value[name] / h * across(x, p, q) + (charging[name] if two else 0)
                    for n, s in ((p, 1), (q, -1)):
                        if n in index:
                            b[index[n]] += s * history
            for k, (kind, name, p, q, _) in enumerate(branches, len(index)):
                if kind == "l":
                    b[k] = -factor * value[name] / h * x[k] - (across(x, p, q) if two else 0)
            y = solved(kept[h], b)
            for kind, name, p, q, _ in self.cards:
                if kind == "c" and two:
                    charging[name] = 2 * value[name] / h * (across(y, p, q) - across(x, p, q)) - charging[name]
            x, now = y, end
            states.append((end, x))
        return [(t, {n: x[k] for n, k in index.items()}) for t, x in states]


def judge(binary, seed, folder, tally):
    r = random.Random(seed)
    circuit = Circuit(r)
    (folder / "deck.sp").write_text(circuit.deck())
    method, engine = r.choice(["trapezoidal", "trapezoidal", "backward-euler"]), r.choice(ENGINES)
    arguments = [binary, "tran", "deck.sp", "--method", method, "--engine", engine, "--device", "cpu", "--threads", "1",
                 "--no-progress", "--tolerance", r.choice(["10u", "1u", "1n"])]
    for node in circuit.nodes:
        arguments += ["--probe", node]

    def run(*more):
        done = subprocess.run([*arguments, *more], cwd=folder, capture_output=True, text=True, timeout=300)
        return done.returncode, done.stderr

    def bad(what):
        tally["violations"] += 1
        print(f"VIOLATION seed {seed} {engine} {method}: {what}", flush=True)
        print(circuit.deck(), flush=True)

    shutil.rmtree(folder / "o", ignore_errors=True)
    code, errors = run("--out", "o", "--formats", "csv,json")
    if code == 4 or (code == 2 and ("engine" in errors or "coordinates" in errors)):
        tally["passed over"] += 1
        return
    if code != 0:
        return bad(f"exit {code}: {errors[-200:]}")
    report = json.loads((folder / "o/report.json").read_text())
    states = circuit.states(method == "trapezoidal")
    tally["judged"] += 1
    tally["steps"] += len(states) - 1
    tally["unequal"] += report["simulation"]["step_sizes"] > 1
    if report["simulation"]["steps"] != len(states) - 1:
        return bad(f"{report['simulation']['steps']} steps, {len(states) - 1} are due")
    accuracy = report["accuracy"]
    bound = dec(Fraction(accuracy["accumulated_error_v"]))
    # Times are doubles, and an edge of a thousandth of a step magnifies their rounding.
    swing = max(abs(x[n] - states[0][1][n]) for _, x in states for n in circuit.nodes)
    slack = D("2e-15") + D("4e-16") * circuit.rows * PARTS * swing

    def check(got, exact, what):
        digits = D(5).scaleb(got.adjusted() - 12) if got else D(0)
        if abs(got - exact) <= bound + slack + digits:
            return True
        if accuracy["accumulated_is_guaranteed"]:
            bad(f"{what}: {got}, exactly {exact:.17g}, bound {accuracy['accumulated_error_v']:.3g}")
        else:
            tally["beyond estimates"] += 1
        return False

    at_rows = [s for s in states if s[0] % PARTS == 0 or s[0] == circuit.stop]
    rows = list(csv.DictReader(open(folder / "o/waveforms.csv")))
    if len(rows) != len(at_rows):
        return bad(f"{len(rows)} rows, {len(at_rows)} are due")
    for row, (t, x) in zip(rows, at_rows):
        for node in circuit.nodes:
            if not check(D(row[node]), x[node], f"{node} at {t}/{PARTS} of a step"):
                return
    nominal = dec(float(circuit.supply))
    worst = D(-1)
    for row in csv.DictReader(open(folder / "o/nodes.csv")):
        exact = max(nominal - x[row["node"]] for _, x in states) if row["net"] else None
        if exact is None:
            continue
        worst = max(worst, exact)
        if not check(D(row["worst_drop_v"]), exact, f"worst drop of {row['node']}"):
            return
    limit = float(worst) * r.choice([1, 1 - 1e-9, 1 + 1e-9, 0.9, 1.01, 1.5])
    if limit > 0:
        code, errors = run("--quiet", "--limit", f"worst={limit!r}V")
        tally[f"exit {code}"] = tally.get(f"exit {code}", 0) + 1
        if code == 0 and worst > dec(limit) or code not in (0, 1, 4):
            bad(f"exit {code} with a limit of {limit!r} V, the worst drop is {worst:.17g}: {errors[-200:]}")
        if code == 1 and worst + bound + slack < dec(limit):
            bad(f"exit 1 with a limit of {limit!r} V, the worst drop is {worst:.17g}")


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    circuits = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    tally = {"judged": 0, "passed over": 0, "steps": 0, "unequal": 0, "beyond estimates": 0, "violations": 0}
    with tempfile.TemporaryDirectory() as folder:
        for k in range(circuits):
            judge(binary, seed * 1000003 + k, pathlib.Path(folder), tally)
    print(", ".join(f"{what}: {count}" for what, count in tally.items()))
    sys.exit(1 if tally["violations"] else 0)


if __name__ == "__main__":
    main()
