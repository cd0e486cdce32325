#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The progress line: stages and percent on a terminal, nothing anywhere else.

usage: progress_on_terminal.py GRIDIRON DECK DECK_WITH_LOADS LOADS
"""
import os, pty, re, subprocess, sys, tempfile


def on_terminal(command):
    """What the command writes to standard error when that is a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    text = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        text += part
    assert process.wait() == 0, text
    return text.decode()


def main(tool, deck, loaded_deck, loads):
    with tempfile.TemporaryDirectory() as folder:
        shown = on_terminal([tool, "ir", deck, "--out", folder])
        lines = shown.split("\r\033[K")
        for stage in ("read", "check", "reduce", "set up", "solve", "certify", "report"):
            assert any(stage in line for line in lines), (stage, lines)
        assert any(re.search(r"read 100 % …$", line) for line in lines), lines
        assert any(re.search(r"report 100 % …$", line) for line in lines), lines
        assert all(len(line) < 80 for line in lines), lines
        assert lines[-1] == "", "the line is left behind"
        lines = on_terminal([tool, "ir", loaded_deck, "--loads", loads]).split("\r\033[K")
        assert any("100 %" in line and "read" in line and "solve" in line for line in lines), lines
        lines = on_terminal([tool, "ir", deck, "--engine", "aggamg"]).split("\r\033[K")
        assert any(re.search(r"solve 100 % …$", line) for line in lines), lines
        lines = on_terminal([tool, "pde", "poisson2d", "--engine", "sgml"]).split("\r\033[K")
        assert any(re.search(r"solve 100 % …$", line) for line in lines), lines
        fix = [tool, "fix", deck, "--limit", "worst=5%", "--widen", "m1=3", "--widen", "m4=3"]
        lines = on_terminal(fix).split("\r\033[K")
        assert any(re.search(r"round \d+: \d+ above, cost [0-9.]+ S …$", line) for line in lines), lines
        for option in ("--no-progress", "--quiet"):
            assert on_terminal([tool, "ir", deck, option]) == ""
            assert on_terminal([*fix, option]) == ""
        done = subprocess.run(fix, capture_output=True, text=True)
        assert done.stderr == "", done.stderr
        done = subprocess.run([tool, "ir", deck], capture_output=True, text=True)
        assert done.stderr == "", done.stderr
    print("stages, percent, and silence")


if __name__ == "__main__":
    main(*sys.argv[1:])
