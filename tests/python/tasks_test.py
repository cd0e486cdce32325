# SPDX-License-Identifier: Apache-2.0
"""The tasks of docs/python.md do what they say, each in five lines at most."""
import contextlib
import importlib.util
import io
import os
import re
import tempfile
import unittest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
SECTION = re.search(r"^## Ten tasks\n(.*?)^## ", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[1]
START, *TASKS = re.findall(r"^```python\n(.*?)^```", SECTION, re.MULTILINE | re.DOTALL)
NEEDS = {"to_pandas": "pandas", "pyplot": "matplotlib", "plot_": "matplotlib", "scipy": "scipy"}


class Tasks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        os.environ["MPLBACKEND"] = "agg"

    def test_there_are_ten_short_ones(self):
        self.assertEqual(len(TASKS), 10)
        for task in TASKS:
            self.assertLessEqual(len(task.splitlines()), 5, task)

    def test_they_run(self):
        results, printed = {}, io.StringIO()
        for task in TASKS:
            if any(word in task and not importlib.util.find_spec(module) for word, module in NEEDS.items()):
                continue
            with self.subTest(task), contextlib.redirect_stdout(printed):
                names = {}
                exec(START, names)
                exec(task, names)
                results.update(names)
        report = results["report"]
        worst = max(report.nets, key=lambda net: net.worst_drop_v)
        lines = printed.getvalue().splitlines()
        self.assertEqual((len(lines), float(lines[0].split()[1])), (10, worst.worst_drop_v))
        self.assertLess(results["p50"], results["p99"])
        self.assertLess(results["p99"], report.nets["VDD"].worst_drop_v)
        self.assertGreater(results["volts"], 0)
        self.assertGreater(results["deviation"], 0)
        self.assertLess(results["error_v"], 1e-9)
        self.assertEqual(len(results["names"]), 5)
        self.assertGreater(results["gain_v"], 0)
        if "table" in results:
            self.assertEqual(results["table"]["VDD"].max(), report.nets["VDD"].worst_drop_v)
        if "run" in results:
            self.assertEqual(len(results["worst_s"]), len(report.nodes))


if __name__ == "__main__":
    unittest.main()
