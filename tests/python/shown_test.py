# SPDX-License-Identifier: Apache-2.0
"""What objects look like at the prompt and in notebooks."""
import base64
import inspect
import re
import unittest
from html.parser import HTMLParser

from common import EXAMPLES

import gridiron

RAIL = """* t
v{0} {0} 0 1
r1 {0} n1_0_0 1
r2 n1_0_0 n1_2000_0 1
i1 n1_2000_0 0 {1}
c1 n1_2000_0 0 1n
.end
"""


def everything():
    """An object of every public class but errors."""
    design = gridiron.read(EXAMPLES / "two_nets.sp")
    system = gridiron.System(design)
    solver = gridiron.Solver(system)
    answer = solver.solve()
    report = gridiron.summarise(solver, answer, limits=["worst=2%"])
    ramp = gridiron.read_text(RAIL.format("vdd", "pwl(0 0 1n 50m 10n 50m)"))
    plan = solver.plan(limits=["worst=50%"], widen={"M1": 2})
    return [
        gridiron.AddPad("a", 1, 0.5), gridiron.DropPad("v1"), gridiron.ScaleResistor("r1", 0.5),
        gridiron.SetResistor("r'1", 2), answer, design, design.resistors, gridiron.diff(report, report),
        gridiron.Engine("cholmod"), gridiron.EmRules("lef"), report.limits[0], gridiron.Loads(design, vectors=2),
        report.nets, report.nets[0], report.nodes, gridiron.NodeState.SOLVED, report.pads[0], plan, report,
        gridiron.simulate(ramp, step_s=1e-9, stop_s=1e-8), solver, design.nets[0], system, gridiron.WorstCase(system),
        solver.respond([design.node_name(1)])[0],
    ]


class Lines(unittest.TestCase):
    objects = everything()

    def test_every_class_says_in_a_line_what_it_is(self):
        for shown in self.objects:
            with self.subTest(type(shown).__name__):
                self.assertNotRegex(repr(shown), r"\n| object at 0x")
                self.assertIn(type(shown).__name__ if not isinstance(shown, list) else "gridiron.Net", repr(shown))

    def test_no_class_is_missing(self):
        public = {name for name in gridiron.__all__ if inspect.isclass(getattr(gridiron, name))}
        errors = {name for name in public if issubclass(getattr(gridiron, name), Exception)}
        self.assertEqual(public - errors - {type(shown).__name__ for shown in self.objects}, set())

    def test_words(self):
        by_class = {type(shown).__name__: repr(shown) for shown in self.objects}
        self.assertEqual(by_class["Design"], "<gridiron.Design: two_nets.sp, 11 nodes, nets VDD 1.8 V, GND 0 V>")
        self.assertEqual(by_class["Net"], "<gridiron.Net: VDD, drop 47.5 mV of 1.8 V, 5 nodes, 1 pad>")
        self.assertEqual(by_class["AddPad"], "gridiron.AddPad('a', 1.0, 0.5, '')")
        self.assertEqual(by_class["SetResistor"], 'gridiron.SetResistor("r\'1", 2.0)')
        self.assertEqual(by_class["Loads"], "<gridiron.Loads: 4 current sources x 2 vectors>")
        self.assertEqual(by_class["Difference"], "<gridiron.Difference: 10 nodes, nothing has changed>")
        self.assertIn("two_nets.sp, 11 nodes, VDD drop 47.5 mV, GND bounce 47.5 mV; verdict EXCEEDED", by_class["Report"])
        self.assertRegex(by_class["Simulation"], r"<text>, 11 rows of time, 4 nodes, vdd drop 99.19 mV; verdict none")

    def test_names_end_no_line(self):
        design = gridiron.read_text(RAIL.format("<b>\u2028x", "1m"))
        self.assertNotIn("\u2028", repr(design))
        self.assertIn("<b>\\u2028x", repr(design))


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found, self.images, self.text = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append(tag)
        if tag == "img":
            self.images.append(dict(attributes))

    def handle_data(self, data):
        self.text += data


class Html(unittest.TestCase):
    def test_verdict_nets_and_map(self):
        report = gridiron.analyse(EXAMPLES / "two_nets.sp", limits=["worst=2%"])
        page = Tags(report._repr_html_())
        self.assertIn("EXCEEDED", page.text)
        for net in report.nets:
            self.assertIn(net.name, page.text)
            self.assertIn(report.design.node_name(net.worst_node), page.text)
        [image] = page.images
        png = base64.b64decode(re.fullmatch("data:image/png;base64,(.*)", image["src"])[1])
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")

    def test_of_a_simulation(self):
        design = gridiron.read_text(RAIL.format("vdd", "pwl(0 0 1n 50m 10n 50m)"))
        page = Tags(gridiron.simulate(design, step_s=1e-9, stop_s=1e-8)._repr_html_())
        self.assertIn("drop 99.19 mV", page.text)
        self.assertEqual(len(page.images), 1)

    def test_names_are_escaped(self):
        net = "<script>x"
        report = gridiron.analyse(gridiron.read_text(RAIL.format(net, "1m"), "<i>&x.sp"))
        page = Tags(report._repr_html_())
        self.assertEqual(report.nets[0].name, net)
        self.assertIn(net, page.text)
        self.assertIn("<i>&x.sp", page.text)
        self.assertNotIn("script", page.found)
        self.assertNotIn("i", page.found)
        self.assertEqual(page.images[0]["alt"], f"map of {net}")

    def test_without_places_there_is_no_map(self):
        report = gridiron.analyse(gridiron.read_text("* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 a 0 0.1\n"))
        self.assertEqual(Tags(report._repr_html_()).images, [])


if __name__ == "__main__":
    unittest.main()
