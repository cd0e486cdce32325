# SPDX-License-Identifier: Apache-2.0
"""run_examples.py BUILD [PAGE...]: runs the commands of README.md and docs, and compares what is printed.

In a page's `console` blocks a line after `$ ` is a command for bash, and those below are what it prints, on standard
output and error; a line `...` stands for any lines, also none. Commands of a page run one after the other in a folder
of their own that has examples/ beside the build. Numbers may differ by TOLERANCE. Not compared are what is measured
(times, memory, rates, threads), iterations, and what rounding leaves (residuals, figures from aV to nV), which differ
between processors; nor is how `ls` lays out names. A command without expected lines must end with 0, as must each line
of a page's `sh` blocks, where `# ` begins a comment; these print what they will.

The tcl and python blocks of README.md are run, too, the latter where the module is built; a comment behind print() is
what it prints.

NOT_RUN names the commands that are not run, with the reason; one that is in no page is a finding, as is a command that
is neither run nor named.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOLERANCE = 2e-3
NOT_RUN = {
    "./dev ": "sets up the machine, and builds",
    "cmake --install": "writes into the reader's home",
    "export PATH": "of the reader's shell",
    "pip install": "compiles the library for minutes",
    "gridiron check chip.def": "docs.layout_page_runs runs it",
    "gridiron extract chip.def": "docs.layout_page_runs runs it",
    "gridiron fix chip.def": "a layout of the reader's; FixCommand.AddsStrapsToLayouts runs one",
    "gridiron ir plan/chip.fixed": "of the plan before",
    "gridiron compare ibmpg2.spice": "minutes, and prints times",
    "gridiron regularize ibmpg2.spice": "a published deck, which the repository does not have",
    "gridiron ir big.sp": "a deck of a million nodes",
    "gridiron generate --style openroad --nodes 1000000": "a deck of a million nodes",
    "gridiron generate --style layout": "docs.layout_page_runs runs it",
    "gridiron ir chip.def": "docs.layout_page_runs runs it",
    "gridiron ir deck.sp": "a deck of the reader's",
    "gridiron ir before.sp": "decks of the reader's",
    "gridiron ir after.sp": "decks of the reader's",
    "gridiron diff before after": "decks of the reader's",
    "cat em.csv": "a table of the reader's",
    "gridiron tcl": "needs a terminal",
    "python3 examples/write_waveforms.py": "needs numpy; TranCommand.WaveformsOfTheExample runs it",
    "gridiron tran examples/switching.sp --waveforms": "the same",
}
MEASURED = re.compile(
    r"\d[\d.,]*(e[-+]?\d+)? ?(s|ms|us|kB|MB|GB)\b|\d[\d.]*(e[-+]?\d+)? unknowns per second|\d+ threads?\b"
    r"|\d{4}-\d\d-\d\d\S*|[\d.]+(?= x)|\b(assemble|setup|solve|check) [\d.]+|(?<=unknowns\^)[\d.]+"
    r"|\d+ iterations|(?<=residual )\S+|\d[\d.]*(e[-+]?\d+)? [afpn][VAC]\b")
NUMBER = re.compile(r"[-+]?\d+(?:[ \d]*\d)?(?:\.\d+)?(?:e[-+]?\d+)?")
findings, ran, named = [], 0, set()


def blocks(page):
    """(line number, command, expected lines) of the page, continued lines joined; None: what it prints is not told."""
    inside, found = "", []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            inside = line[3:] if not inside and line[3:] in ("console", "sh") else ""
            open_command = False
        elif inside == "sh":
            text = line.split("# ")[0].rstrip()
            if text and open_command:
                found[-1] = (number, found[-1][1][:-1] + text.strip(), None)
            elif text:
                found.append((number, text, None))
            open_command = text.endswith("\\")
        elif inside and line.startswith("$ "):
            found.append((number, line[2:], []))
            open_command = line.endswith("\\")
        elif inside and found and open_command:
            number_of, command, expected = found[-1]
            found[-1] = (number_of, command[:-1] + line.strip(), expected)
            open_command = line.endswith("\\")
        elif inside and found:
            found[-1][2].append(line)
    return found


def without_unsteady(lines):
    """The lines of tables under a header with columns like `setup s`, without these and those of iterations."""
    unsteady, kept = [], []
    for line in lines:
        fields = re.split(r"\s{2,}", line.strip())
        if len(fields) > 3 and any(field.endswith(" s") for field in fields):
            names = ("iterations", "residual")
            unsteady = [k for k, field in enumerate(fields) if field.endswith(" s") or field in names]
        elif len(fields) <= 3:
            unsteady = []
        kept.append("  ".join(f for k, f in enumerate(fields) if k not in unsteady) if unsteady else line)
    return kept


def same(expected, printed):
    """Whether two lines agree, but for measured figures, blanks and the last digits of numbers."""
    texts, values = [], []
    for line in (expected, printed):
        line = MEASURED.sub("#", line)
        values.append([float(n.replace(" ", "")) for n in NUMBER.findall(line)])
        texts.append(" ".join(NUMBER.sub("0", line).split()))
    near = lambda a, b: abs(a - b) <= TOLERANCE * max(abs(a), abs(b)) or max(abs(a), abs(b)) < 1e-9
    return texts[0] == texts[1] and len(values[0]) == len(values[1]) and all(map(near, *values))


def agrees(expected, printed):
    if not expected:
        return not printed
    if expected[0] == "...":
        return any(agrees(expected[1:], printed[k:]) for k in range(len(printed) + 1))
    return bool(printed) and same(expected[0], printed[0]) and agrees(expected[1:], printed[1:])


def first_difference(expected, printed):
    """The expected line that no prefix of what is printed reaches."""
    for k in range(len(expected), 0, -1):
        if agrees([*expected[: k - 1], "..."], printed):
            return expected[k - 1]
    return expected[0]


def check(page, folder, environment):
    global ran
    for number, command, expected in blocks(page):
        reasons = [key for key in NOT_RUN if command.startswith(key)]
        if reasons:
            named.update(reasons)
            continue
        ran += 1
        where = f"{page.relative_to(ROOT)}:{number}"
        done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=300)
        printed = without_unsteady(done.stdout.rstrip("\n").splitlines())
        expected = without_unsteady(expected or [])
        if command.startswith("ls "):
            printed, expected = [" ".join(sorted(" ".join(lines).split())) for lines in (printed, expected)]
            printed, expected = [printed], [expected]
        if not expected and done.returncode != 0:
            findings.append(f"{where}: ends with {done.returncode}: {command}: {printed[-1:]}")
        elif expected and not agrees(expected, printed):
            findings.append(f"{where}: {command}\n  expected: {first_difference(expected, printed)}\n  printed:\n    "
                            + "\n    ".join(printed[:60]))


def programs(page, language):
    """(line number, text) of the page's blocks in this language."""
    text = page.read_text(encoding="utf-8")
    for block in re.finditer(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, block.start()) + 1, block[1]


def run_programs(page, folder, environment, build):
    global ran
    modules = {**environment, "PYTHONPATH": str(build / "python")}
    run = lambda words, **more: subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, **more)
    for number, script in programs(page, "tcl"):
        ran += 1
        done = run(["gridiron", "tcl"], env=environment, input=script)
        if done.returncode != 0:
            findings.append(f"{page.name}:{number}: ends with {done.returncode}: {done.stderr.strip()}")
    if run([sys.executable, "-c", "import gridiron"], env=modules).returncode != 0:
        print("no Python module is built: python blocks are not run")
        return
    for number, program in programs(page, "python"):
        ran += 1
        done = run([sys.executable, "-c", program], env=modules)
        expected = re.findall(r"^print\(.*\) +# (.*)$", program, re.MULTILINE)
        if done.returncode != 0 or done.stdout.splitlines() != expected:
            findings.append(f"{page.name}:{number}: prints {done.stdout!r}, not {expected}: {done.stderr.strip()}")


def main():
    build = Path(sys.argv[1]).resolve()
    pages = [Path(p).resolve() for p in sys.argv[2:]] or [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    environment = {**os.environ, "PATH": f"{build}:{os.environ['PATH']}", "OMP_NUM_THREADS": "2", "COLUMNS": "100"}
    for page in pages:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "examples", Path(folder) / "examples")
            os.makedirs(Path(folder) / "build")
            os.symlink(build, Path(folder) / "build" / "release")
            check(page, Path(folder), environment)
            if page.name == "README.md":
                run_programs(page, Path(folder), environment, build)
    if not sys.argv[2:]:
        findings.extend(f"no page has the command {key!r} that is not run" for key in NOT_RUN if key not in named)
    print("\n".join(findings))
    print(f"{ran} commands, {len(findings)} findings")
    sys.exit(bool(findings) or ran == 0)


main()
