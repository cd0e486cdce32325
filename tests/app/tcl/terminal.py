# SPDX-License-Identifier: Apache-2.0
"""Types into `gridiron tcl` in a pseudo-terminal and reads what it answers; argument: the tool. The working directory holds mesh.sp,
with a load i1."""
import os
import pty
import re
import select
import signal
import sys
import time


class Terminal:
    def __init__(self, tool):
        self.text = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm", LC_ALL="C.UTF-8")
            os.execv(tool, [tool, "tcl"])

    def expect(self, pattern):
        """Waits until the answer since the last call matches."""
        deadline = time.monotonic() + 60
        while not re.search(pattern, self.text):
            if time.monotonic() > deadline:
                sys.exit(f"no {pattern!r} in {self.text!r}")
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    data = os.read(self.fd, 65536)
                except OSError:
                    sys.exit(f"the shell ended; no {pattern!r} in {self.text!r}")
                self.text += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", data.decode(errors="replace"))
        self.text = self.text[re.search(pattern, self.text).end():]

    def type(self, keys):
        os.write(self.fd, keys.encode())


signal.alarm(300)  # a shell that hangs is a failure, not a wait
os.mkdir("folder_of_a_run")
shell = Terminal(sys.argv[1])
shell.expect(r"gridiron% ")
shell.type("set a 41\r")
shell.expect(r"\n41\r?\n.*gridiron% ")
shell.type("string length Größe\r")
shell.expect(r"\n5\r?\n.*gridiron% ")
shell.type("analyze_po\t")
shell.expect(r"wer_grid")
shell.type("-engine chol\t")
shell.expect(r"mod")
shell.type("\r")
shell.expect(r"gridiron: no netlist has been read.*\n.*gridiron% ")
shell.type("expr {\r")
shell.expect(r"> ")
shell.type("$a + 1 }\r")
shell.expect(r"\n42\r?\n.*gridiron% ")

# Ctrl-C at a prompt drops what was typed, not the session.
shell.type("set a 1\x03")
shell.expect(r"gridiron% ")
shell.type("expr {\r")
shell.expect(r"> ")
shell.type("$a + \x03")
shell.expect(r"gridiron% ")
shell.type("\x03")
shell.expect(r"gridiron% ")
shell.type("expr {$a + 3}\r")
shell.expect(r"\n44\r?\n.*gridiron% ")

# However it falls between the prompt and the reading of a key.
for _ in range(200):
    shell.type("\x03")
    shell.expect(r"gridiron% ")

shell.type("diff_runs fold\t")
shell.expect(r"er_of_a_run")
shell.type("\x03")
shell.expect(r"gridiron% ")
shell.type("diff_runs \tfold\t")
shell.expect(r"er_of_a_run")
shell.type("\x03")
shell.expect(r"gridiron% ")

shell.type("puts begun; while 1 {}\r")
shell.expect(r"\nbegun\r*\n")
os.kill(shell.pid, signal.SIGINT)
shell.expect(r"gridiron: stopped\r?\n.*gridiron% ")
shell.type("expr {$a + 2}\r")
shell.expect(r"\n43\r?\n.*gridiron% ")

# Minutes of work, which Ctrl-C ends; the netlist and the engine stay.
with open("vectors.csv", "w") as file:
    file.write("i1" + ",1m" * 100_000 + "\n")
shell.type("read_spice mesh.sp; puts begun; analyze_power_grid -quiet -loads vectors.csv\r")
shell.expect(r"\nbegun\r*\n")
time.sleep(2)
os.kill(shell.pid, signal.SIGINT)
shell.expect(r"gridiron: stopped\r?\n.*gridiron% ")
shell.type("analyze_power_grid -quiet; dict get [report_work] setups\r")
shell.expect(r"\n1\r?\n.*gridiron% ")
shell.type("exit\r")
status = os.waitpid(shell.pid, 0)[1]
sys.exit(os.waitstatus_to_exitcode(status))
