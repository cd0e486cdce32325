# SPDX-License-Identifier: Apache-2.0
"""run_page.py TOOL PAGE: runs the commands of a page about layouts.

These are the lines of its `sh` blocks, and those after `$ ` of its `console` blocks. Each kind runs in a folder of its
own, in the order of the page. That of the sh blocks has what the page calls chip.def, tech.lef, cells.lef and
power.csv: a generated design within its limits, whose LEF file is cut before the first cell. Every command must be one
of the tool and end with 0. A command with --limit must end with 1 when every instance draws fifty times as much.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

tool, page = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
findings, ran = [], 0


def commands(language):
    """(line number, command) of the page's blocks in this language, comments left out and continued lines joined."""
    language_now, found, begun = None, [], ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            language_now = line[3:].strip() if language_now is None else None
            continue
        if language_now != language:
            continue
        if language == "console" and not begun:
            if not line.startswith("$ "):
                continue
            line = line[2:]
        if line.endswith("\\"):
            begun += line[:-1]
            continue
        line, begun = (begun + line).strip(), ""
        if line and not line.startswith("#"):
            found.append((number, line))
    return found


def run(folder, command):
    words = shlex.split(command)
    if words[0] != "gridiron":
        return None, "is no command of gridiron"
    done = subprocess.run([tool, *words[1:]], cwd=folder, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stderr.strip()


def expect(folder, number, command, code):
    global ran
    ran += 1
    given, error = run(folder, command)
    if given != code:
        findings.append(f"{page.name}:{number}: ends with {given}, not {code}: {command}: {error}")


def make_chip(folder):
    given, error = run(folder, "gridiron generate --style layout --nodes 1000 chip.def")
    if given != 0:
        sys.exit(f"generate ends with {given}: {error}")
    lef = (folder / "chip.lef").read_text()
    cut = re.search(r"^MACRO ", lef, re.MULTILINE).start()
    header = lef[: re.search(r"^LAYER ", lef, re.MULTILINE).start()]
    (folder / "tech.lef").write_text(lef[:cut] + "END LIBRARY\n")
    (folder / "cells.lef").write_text(header + lef[cut:])
    (folder / "chip.lef").unlink()
    (folder / "chip.power.csv").rename(folder / "power.csv")


def draw_more(path, factor):
    head, *rows = path.read_text().splitlines()
    names_and_watts = [row.rsplit(",", 1) for row in rows]
    path.write_text("\n".join([head] + [f"{name},{float(watts) * factor:g}" for name, watts in names_and_watts]) + "\n")


with tempfile.TemporaryDirectory() as temporary:
    of_sh, of_console = Path(temporary) / "sh", Path(temporary) / "console"
    os.mkdir(of_sh), os.mkdir(of_console)
    make_chip(of_sh)
    for number, command in commands("sh"):
        expect(of_sh, number, command, 0)
    draw_more(of_sh / "power.csv", 50)
    for number, command in commands("sh"):
        if "--limit" in command:
            expect(of_sh, number, command, 1)
    for number, command in commands("console"):
        expect(of_console, number, command, 0)

print("\n".join(findings))
print(f"{ran} commands, {len(findings)} findings")
sys.exit(bool(findings) or ran == 0)
