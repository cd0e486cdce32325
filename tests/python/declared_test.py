# SPDX-License-Identifier: Apache-2.0
"""Whatever the commands declare is there in Python, with the same default, and described in the same words."""
import inspect
import math
import re
import subprocess
import unittest

import gridiron
from gridiron import _core
from common import TOOL

# Where Python has it otherwise than as a keyword argument.
ELSEWHERE = {
    "netlist": "the path of read()",
    "voltage_file": "Report.write(formats=['openroad'])",
    "em_outfile": "Report.write(formats=['openroad'])",
    "error_file": "Report.write(formats=['drc'])",
    "enable_em": "Report.segment_layers",
    "allow_reuse": "a Report is kept as long as it is wanted",
    "quiet": "nothing is printed",
    "no_progress": "nothing is printed",
    "full": "nothing is printed",
    "vsrc": "sources of read_layout()",
    "corner": "arguments of read_layout() are of one corner",
    "run_a": "before of diff()",
    "run_b": "after of diff()",
    "node": "nodes of Solver.explain()",
    "budget": "Solver.bound_over_budget()",
    "budget_node": "Solver.bound_over_budget()",
    "budget_worst": "Solver.bound_over_budget()",
    "budget_solves": "Solver.bound_over_budget()",
    "em_cut_unit": "EmRules",
    "em_temperature": "EmRules",
    "em_rule_temperature": "EmRules",
    "em_frequency": "EmRules",
    "em_ea": "EmRules",
    "em_n": "EmRules",
    "em_recovery": "EmRules",
    "cost": "cost_area and cost_pad of Solver.plan()",
    "why": "nodes of Solver.explain()",
    "em_stress": "metal of Report.find_stress()",
    "em_layers": "layers of Report.find_stress() and EmRules",
    "em_lifetime": "lifetime_s of Report.find_stress()",
    "em_samples": "samples of Report.find_stress()",
    "em_sigma": "sigma of Report.find_stress()",
    "em_cascade": "stages of Solver.find_cascade()",
    "em_void": "void_um of Solver.find_cascade()",
    "em_liner": "liner_ohm_per_um of Solver.find_cascade()",
    "seed": "Report.find_stress()",
    "out": "folder of write()",
    "golden": "Report.score_map()",
    "strict": "Design.findings and Report.findings",
    "accept_estimate": "simulate(); circuits whose errors can be estimated only are analysed by the tool",
    "dump_system": "System.matrix() and right_hand_side()",
}
USED_BY = [
    gridiron.read, gridiron.read_layout, gridiron.analyse, gridiron.summarise, gridiron.diff, gridiron.System.__init__,
    gridiron.Solver.__init__, gridiron.Solver.explain, gridiron.Solver.find_pad_gains,
    gridiron.Solver.plan, gridiron.Report.write,
]
COMMANDS = ["read_spice", "read_layout", "analyze_power_grid", "explain_drop", "find_drop_shares", "find_pad_gains",
            "propose_plan", "diff_runs", "write_report"]


def defaults(function):
    """Keyword -> default, as text; None where it has none."""
    if inspect.isfunction(function):
        return {name: repr(p.default) for name, p in inspect.signature(function).parameters.items()}
    lines = re.findall(rf"^(?:\d+\. )?{function.__name__}\((.*)\) -> ", function.__doc__, re.MULTILINE)
    found = {}
    for line in lines:
        found.update((name, None) for name in re.findall(r"(\w+): ", line))
        found.update(re.findall(r"(\w+): [^=:]* = ([^,]+)", line))
    return found


def number(text):
    """10uV, 500 -> float; None if it is no number."""
    match = re.fullmatch(r"([0-9.e+-]+)([munpk]?)V?", text)
    scale = {"m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12, "k": 1e3, "": 1}
    return float(match[1]) * scale[match[2]] if match else None


class Declared(unittest.TestCase):
    keywords = {}
    for function in USED_BY:
        keywords.update(defaults(function))

    def test_no_argument_of_a_command_is_missing(self):
        for command in COMMANDS:
            for argument in _core._arguments(command):
                with self.subTest(command=command, field=argument["field"]):
                    self.assertTrue(argument["keyword"] in self.keywords or argument["field"] in ELSEWHERE)

    def test_no_option_of_the_tool_is_missing(self):
        of_extract = inspect.signature(gridiron.extract).parameters
        for command in "ir", "diff", "extract", "fix":
            help = subprocess.run([TOOL, "help", command], capture_output=True, text=True, check=True).stdout
            options = re.findall(r"^  --([a-z-]+)", help, re.MULTILINE)
            self.assertGreater(len(options), 2)
            for option in options:
                field = option.replace("-", "_")
                with self.subTest(command=command, option=option):
                    self.assertTrue(_core._keyword(field) in self.keywords or field in ELSEWHERE or field in of_extract)

    def test_what_is_elsewhere_is_declared_and_there(self):
        for field, where in ELSEWHERE.items():
            for owner, name in re.findall(r"\b([A-Z]\w+)\.(\w+)", where):
                self.assertTrue(hasattr(getattr(gridiron, owner), name), f"{field}: {where}")
            self.assertNotIn(field, self.keywords)

    def test_defaults_are_those_declared(self):
        compared = 0
        for command in COMMANDS:
            for argument in _core._arguments(command):
                declared = number(argument["default"])
                if declared is None or argument["keyword"] not in self.keywords:
                    continue
                ours = float(self.keywords[argument["keyword"]])
                self.assertTrue(math.isclose(ours, declared, rel_tol=1e-12), argument["field"])
                compared += 1
        self.assertGreaterEqual(compared, 3)  # tolerance, max_iterations, most

    def test_described_in_the_declared_words(self):
        for function, command, fields in [
            (gridiron.read, "read_spice", ["lenient", "nominal", "dbu", "node_pattern", "pads", "threads"]),
            (gridiron.read, "analyze_power_grid", ["ignore_opens"]),
            (gridiron.read_layout, "read_spice", ["nominal", "threads"]),
            (gridiron.read_layout, "read_layout", ["lef", "layer_rc", "power", "power_by_cell", "source_type",
                                                   "source_set", "source_resistance", "ignore_opens",
                                                   "ignore_shorts", "extract", "mesh"]),
            (gridiron.analyse, "analyze_power_grid", ["loads", "net", "limit", "em_limit", "ignore_opens"]),
            (gridiron.Solver, "analyze_power_grid", ["device", "tolerance", "rtol", "max_iterations", "threads"]),
            (gridiron.summarise, "analyze_power_grid", ["net", "limit", "em_limit"]),
            (gridiron.diff, "diff_runs", ["limit"]),
            (gridiron.Solver.plan, "propose_plan", ["widen", "grid", "add_pads", "pad_layer", "pad_resistance",
                                                    "add_straps"]),
        ]:
            for argument in _core._arguments(command):
                if argument["field"] in fields:
                    self.assertIn(f"{argument['keyword']}: {argument['help']}", function.__doc__)
        self.assertIn("tolerance_v: certified error of every node voltage to reach, V (default: 10uV)",
                      gridiron.Solver.__doc__)
        self.assertNotIn("report_engines", gridiron.Solver.__doc__)
        self.assertIn("{net: path} where several nets are read", gridiron.read_layout.__doc__)


if __name__ == "__main__":
    unittest.main()
