#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps what some sixty runs of the tool write, so that the results of two builds can be compared byte by byte.

same_results.py BUILD FOLDER [DATA]

BUILD is a build folder of the preset release; DATA the benchmarks, ../shared/data unless given. Every run gets a folder
of its own below FOLDER with its exit code, both streams and all files; times, memory, dates and paths are taken out of
them, so that `diff -r BEFORE AFTER` of two such folders is empty where nothing has changed.
"""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

build, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
source = Path(__file__).resolve().parents[2]
data = Path(sys.argv[3] if len(sys.argv) > 3 else source / "../shared/data").resolve()
tool = build / "gridiron"
examples = source / "examples"

VOLATILE_KEYS = re.compile(r"timings_s|date|command|path|.*bytes.*|.*seconds.*|.*_s|time_order|total_ratio")
VOLATILE_LINES = re.compile(r"\s*(Time|Peak memory|Rate|Fit) ")
PAGE_DATA = re.compile(r'(?<=id="data">).*?(?=</script>)', re.DOTALL)
# Times and sizes of memory in text: a number, then a unit.
AMOUNT = re.compile(r"[-+]?\d[\d ]*(\.\d+)?(e[-+]?\d+)?\s?(ns|us|µs|ms|s|min|h|kB|MB|GB|TB|B)(?![A-Za-z0-9_])")
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def without_volatile(value):
    if isinstance(value, dict):
        return {k: without_volatile(v) for k, v in value.items() if not VOLATILE_KEYS.fullmatch(k)}
    return [without_volatile(v) for v in value] if isinstance(value, list) else value


def plain(text):
    text = text.replace(str(out), "OUT").replace(str(build), "BUILD").replace(str(source), "SOURCE")
    lines = [DATE.sub("DATE", AMOUNT.sub("#", line)) for line in text.splitlines()]
    return re.sub(r" +", " ", "\n".join(line for line in lines if not VOLATILE_LINES.match(line))) + "\n"


def normalise(path):
    if path.name == "manifest.json" or path.name.startswith("compare."):
        path.unlink()  # checksums, or times only
    elif path.suffix == ".json":
        path.write_text(json.dumps(without_volatile(json.loads(path.read_text())), indent=1))
    elif path.suffix in (".txt", ".html", ".md"):
        text = re.sub(r"data:image/png;base64,[^\"')]*", "PNG", path.read_text(errors="surrogateescape"))
        text = PAGE_DATA.sub(lambda data: json.dumps(without_volatile(json.loads(data[0]))), text)
        path.write_text(plain(text), errors="surrogateescape")


class Runs:
    def __init__(self):
        self.count = 0

    def run(self, name, *command, env=None, threads=2):
        folder = out / name
        folder.mkdir(parents=True)
        done = subprocess.run([str(c) for c in command], cwd=folder, capture_output=True, text=True,
                              errors="surrogateescape", env={**os.environ, "OMP_NUM_THREADS": str(threads), **(env or {})})
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                normalise(path)
        (folder / "stdout").write_text(plain(done.stdout), errors="surrogateescape")
        (folder / "stderr").write_text(plain(done.stderr), errors="surrogateescape")
        (folder / "exit").write_text(f"{done.returncode}\n")
        self.count += 1
        print(f"{name}: exit {done.returncode}", flush=True)

    def tool(self, name, *arguments, **more):
        self.run(name, tool, *arguments, **more)


def main():
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    runs, decks = Runs(), out.parent / "decks"
    decks.mkdir(exist_ok=True)

    def made(name, *options):
        deck = decks / name
        if not deck.exists():
            subprocess.run([str(tool), "generate", *options, str(deck)], check=True)
        return deck

    ibm, openroad = made("ibm.sp", "--nodes", "100000"), made("openroad.sp", "--style", "openroad", "--nodes", "100000")
    small = made("small.sp", "--nodes", "5000")
    pulses = made("pulses.sp", "--nodes", "20000", "--tran")
    weak = made("weak.sp", "--nodes", "20000", "--via-defects", "0.05", "--nets", "2")
    loads = decks / "loads.csv"
    if not loads.exists():
        names = [line.split()[0] for line in open(small) if line[:1] in "iI"]
        rows = (f"{n},{1e-4 * (k % 7)},{2e-4 * (k % 5)},0\n" for k, n in enumerate(names))
        loads.write_text("name,idle,peak,off\n" + "".join(rows))

    shown = ["--no-progress", "--out", "o"]
    for engine in ("cholmod", "superlu", "aggamg", "gpuhmd", "sgml", "psc", "hypre", "auto"):
        for deck in (ibm, openroad):
            runs.tool(f"ir_{deck.stem}_{engine}", "ir", deck, "--engine", engine, "--device", "cpu",
                      "--formats", "text,json,csv,solution", *shown)
    runs.tool("ir_all_formats", "ir", weak, *shown)
    runs.tool("ir_one_thread", "ir", ibm, "--formats", "text,json,csv,solution", *shown, "--threads", "1")
    runs.tool("ir_no_reduce", "ir", small, "--no-reduce", *shown)
    runs.tool("ir_rtol", "ir", small, "--engine", "aggamg", "--rtol", "1e-6", *shown)
    runs.tool("ir_net", "ir", weak, "--net", "VDD", *shown)
    runs.tool("ir_loads", "ir", small, "--loads", loads, *shown)
    runs.tool("ir_loads_iterative", "ir", small, "--loads", loads, "--engine", "gpuhmd", *shown)
    runs.tool("ir_budget", "ir", examples / "two_nets.sp", "--budget", examples / "two_nets_budget.csv", *shown)
    runs.tool("ir_why", "ir", small, "--why", "worst", *shown)
    runs.tool("ir_em", "ir", small, "--em-limit", "M2=1mA", "--limit", "worst=1%", "--limit", "p99=10%", *shown)
    runs.tool("ir_dump", "ir", examples / "two_nets.sp", "--dump-system", "d", *shown)
    runs.tool("ir_floating", "ir", examples / "floating.sp", *shown)
    runs.tool("ir_strict", "ir", examples / "hierarchy.sp", "--strict", *shown)
    runs.tool("ir_missing", "ir", "nowhere.sp", *shown)
    runs.tool("ir_help", "ir", "--help")
    runs.tool("check", "check", weak)
    runs.tool("check_two_nets", "check", examples / "two_nets.sp")
    runs.tool("engines", "engines")
    runs.tool("regularize", "regularize", small, *shown)
    runs.run("compare", "sh", "-c",
             f"{tool} compare {small} --engine cholmod,superlu,aggamg,gpuhmd,sgml,psc --out o >/dev/null")
    runs.tool("diff_before", "ir", ibm, "--formats", "json,csv", *shown)
    runs.run("diff", "sh", "-c", f"{tool} ir {small} --formats json,csv --quiet --no-progress --out a; "
             f"{tool} ir {small} --loads {loads} --formats json,csv --quiet --no-progress --out b; "
             f"{tool} diff a b --limit worst=+1mV --out o")
    for problem in ("poisson2d", "poisson3d", "helmholtz2d", "stokes2d-cavity", "capacitor3d", "flowsquare-p1"):
        runs.tool(f"pde_{problem}", "pde", problem, "--size", "4" if problem == "flowsquare-p1" else "33", "--device", "cpu", "--formats", "text,json,vtk", *shown)
    runs.tool("pde_study", "pde", "poisson2d", "--study", "17,33", "--device", "cpu", "--formats", "text,json", *shown)
    for method in ("trapezoidal", "backward-euler"):
        for engine in ("cholmod", "aggamg"):
            runs.tool(f"tran_{method}_{engine}", "tran", pulses, "--method", method, "--engine", engine, "--device", "cpu",
                      "--stop", "1ns", "--worst-probes", "3", "--formats", "text,json,csv,output,raw", *shown)
    runs.tool("tran_switching", "tran", examples / "switching.sp", *shown)
    runs.tool("tran_limits", "tran", examples / "switching.sp", "--limit", "worst=1%", "--time-tolerance", "1uV", *shown)
    runs.run("tcl", tool, "tcl", examples / "flow.tcl", small, "o", "5%")
    runs.run("python", sys.executable, examples / "heat_map.py", small, "o.png", env={"PYTHONPATH": str(build / "python")})
    runs.run("mpirun", "mpirun", "--quiet", "--oversubscribe", "-n", "2", tool, "ir", ibm, "--engine", "hypre", "--formats",
             "text,json,csv,solution", *shown, threads=1, env={"OMPI_ALLOW_RUN_AS_ROOT": "1",
                                                              "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    for name, deck in (("ibmpg1", "ibm/ibmpg1.spice.bz2"), ("gcd", "openroad/gcd_vss.sp"),
                       ("testcase1", "iccad23/testcase1/netlist.sp.gz"), ("ibmpg2", "ibm/ibmpg2.spice.bz2")):
        if (data / deck).exists():
            runs.tool(f"ir_{name}", "ir", data / deck, "--formats", "text,json,csv,solution,html", *shown)
            runs.tool(f"check_{name}", "check", data / deck)
    if (data / "ibm/ibmpg1t.spice.bz2").exists():
        runs.tool("tran_ibmpg1t", "tran", data / "ibm/ibmpg1t.spice.bz2", "--stop", "1ns", "--formats",
                  "text,json,csv,output", *shown)
    print(f"{runs.count} runs")


main()
