# SPDX-License-Identifier: Apache-2.0
"""Layouts: read_layout() and extract(), on texts of the C++ tests and on OpenROAD's gcd with its published voltages."""
import csv
import gzip
import os
import re
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

import numpy
from common import TOOL

import gridiron

ROOT = Path(__file__).resolve().parents[2]
GCD = Path(os.environ.get("GRIDIRON_DATA_DIR", ROOT.parent / "shared" / "data")) / "layout" / "nangate45"


def texts_of(name):
    """The raw strings of a C++ test."""
    [path] = (ROOT / "tests" / "layout").rglob(name)
    return re.findall(r'R"\((.*?)\)"', path.read_text(), re.DOTALL)


TEXTS = texts_of("layout_texts.hpp")
LEF = TEXTS[0] + next(text for text in TEXTS if "PIN VSS" in text) + "END LIBRARY\n"
HEAD = "VERSION 5.8 ;\nDESIGN chip ;\nUNITS DISTANCE MICRONS 1000 ;\nDIEAREA ( 0 0 ) ( 10000 20000 ) ;\n"


def two_cells(names=("u1", "u2"), of_vdd=""):
    """Two cells on a rail of each net, as in read_layout_test.cpp."""
    return (HEAD + "COMPONENTS 2 ;\n"
            f"- {names[0]} INV + PLACED ( 1000 1000 ) N ;\n- {names[1]} INV + PLACED ( 6000 1000 ) N ;\n"
            "END COMPONENTS\nSPECIALNETS 2 ;\n"
            "- VDD ( * VDD ) + USE POWER\n"
            f"+ ROUTED m1 200 + SHAPE FOLLOWPIN ( 0 4000 ) ( 10000 4000 ){of_vdd} ;\n"
            "- VSS ( * VSS ) + USE GROUND\n+ ROUTED m1 200 + SHAPE FOLLOWPIN ( 0 1000 ) ( 10000 1000 ) ;\n"
            "END SPECIALNETS\nEND DESIGN\n")


OPEN = "\n+ ROUTED m2 200 + SHAPE STRIPE ( 9000 0 ) ( 9000 4500 )"


class Series:
    """What read_layout() uses of a pandas.Series."""

    def __init__(self, data):
        self.data = data

    def __bool__(self):
        raise ValueError("the truth value of a Series is ambiguous")

    def items(self):
        return zip(self.data, numpy.array(list(self.data.values()), dtype=numpy.float64))


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def raises(self, kind, call, message, field=None):
        with self.assertRaises(kind) as caught:
            call()
        self.assertIs(type(caught.exception), kind)
        self.assertRegex(str(caught.exception), message)
        self.assertNotIn("\n", str(caught.exception))
        self.assertEqual(getattr(caught.exception, "field", None), field)
        return caught.exception


class SmallLayouts(InFolder):
    def setUp(self):
        super().setUp()
        self.lef = self.file("t.lef", LEF)
        self.layout = self.file("chip.def", two_cells())
        self.power = self.file("power.csv", "instance,power_w\nu1,1e-3\nu2,3e-3\n")

    def read(self, path=None, **options):
        return gridiron.read_layout(path or self.layout, **{"lef": self.lef, "nominal": {"VDD": 2}, **options})

    def amperes(self, **options):
        return list(self.read(**options).current_sources.value)

    def held(self, **options):
        design = self.read(net="VDD", **options)
        return [design.node_name(node) for node in design.voltage_sources.a]

    def test_nets_with_their_voltages_and_loads(self):
        design = self.read(power=self.power)
        self.assertEqual(design.nets, [("VDD", 2.0), ("VSS", 0.0)])
        self.assertEqual(list(design.current_sources.value), [0.5e-3, 1.5e-3, 0.5e-3, 1.5e-3])
        self.assertEqual(design.path, str(self.layout))
        self.assertEqual(design.current_sources.place(1), f"{self.layout}:7:3")
        self.assertFalse(design.has_errors)
        self.assertEqual(self.read(net="VSS").nets, [("VSS", 0.0)])
        for nets in ["VDD", "VSS"], ("VDD", "VSS"), None:
            self.assertEqual(len(self.read(net=nets).nets), 2)

    def test_powers_without_a_file(self):
        of_file = self.amperes(power=self.power)
        watts = {"u1": 1e-3, "u2": 3e-3}
        for power in watts, Series(watts):
            self.assertEqual(self.amperes(power=power), of_file)
        self.assertEqual(self.amperes(power={"u1": numpy.float32(0.5), "u2": 1}), [0.25, 0.5] * 2)
        by_cell = self.file("cells.csv", "cell,power_w\nINV,4e-3\n")
        for cells in by_cell, {"INV": 4e-3}, Series({"INV": 4e-3}):
            self.assertEqual(self.amperes(power_by_cell=cells), [2e-3] * 4)
            self.assertEqual(self.amperes(power_by_cell=cells, power={"u1": 1e-3}), [0.5e-3, 2e-3] * 2)
        later = self.file("later.csv", "instance,power_w\nu2,1e-3\n")
        self.assertEqual(self.amperes(power=[str(self.power), later]), [0.5e-3] * 4)
        self.assertEqual(self.amperes(power={}), [0.0] * 4)

    def test_names_that_the_design_lacks_are_findings(self):
        for given in {"power": {"x1": 1e-3}}, {"power": self.file("x.csv", "instance,power_w\nx1,1e-3\n")}, \
                {"power_by_cell": {"x1": 1e-3}}:
            [found] = [f for f in self.read(**given).findings if f["code"] == "power-of-no-instance"]
            self.assertEqual(found["message"], "1 name with a power not in the layout: x1")
            self.assertEqual(found["severity"], "warning")

    def test_sources(self):
        loc = self.file("v=1.loc", "5,4,1,1.9\n")
        self.assertEqual(self.held(sources=loc), ["Node_m1_5000_4000"])
        design = self.read(sources={"VDD": loc})
        self.assertEqual(set(design.voltage_sources.value), {1.9, 0.0})
        self.assertEqual(design.nets, [("VDD", 2.0), ("VSS", 0.0)])
        self.assertEqual(self.read(sources={"VDD": loc}, nominal=None).nets, [("VDD", 1.9), ("VSS", 0.0)])
        self.assertEqual(self.held(sources=loc, source_resistance=0.5), ["SourceNode_m1_5000_4000"])
        self.assertEqual(len(self.held(source_type="full")), 5)
        few = {"bump_dx": 4, "bump_dy": 4.0, "bump_size": 1, "bump_interval": 1}
        self.assertEqual(self.held(source_type="bumps", source_settings=few),
                         ["Node_m1_1000_4000", "Node_m1_5000_4000"])

    def test_resistances_of_layers(self):
        rc = self.file("rc.csv", "layer,ohm_per_square\nm1,5\n")
        before, after = (self.read(layer_rc=path).resistors.value for path in (None, rc))
        wires = before > 2e-3  # the others are the links of terminals
        numpy.testing.assert_allclose(after[wires], 10 * before[wires], rtol=1e-12)

    def test_a_layout_is_its_deck(self):
        options = {"lef": [self.lef], "nominal": {"VDD": 2}, "power": self.power, "source_resistance": 0.25}
        deck = self.folder / "deck.sp.gz"
        self.assertEqual(gridiron.extract(self.layout, deck, digits=17, **options), [])
        by_layout = gridiron.analyse(gridiron.read_layout(self.layout, **options), limits=["worst=1%"])
        by_deck = gridiron.analyse(deck)
        numpy.testing.assert_array_equal(by_layout.nodes.voltage_v, by_deck.nodes.voltage_v)
        self.assertEqual(by_layout.design.node_names, by_deck.design.node_names)
        for net in by_layout.nets:
            self.assertAlmostEqual(net.load_current_a, 2e-3, places=15)
            self.assertGreater(net.worst_drop_v, 0)
        subprocess.run([TOOL, "extract", self.layout, self.folder / "tool.sp", "--lef", self.lef, "--nominal", "VDD=2",
                        "--power", self.power, "--source-resistance", "0.25", "--quiet"], check=True)
        gridiron.extract(self.layout, self.folder / "ours.sp", **options)
        self.assertEqual((self.folder / "ours.sp").read_bytes(), (self.folder / "tool.sp").read_bytes())

    def test_what_follows(self):
        design = self.read(power=self.power)
        loads = gridiron.Loads(design, vectors=2)
        loads.amperes[:, 1] *= 2
        solver = gridiron.Solver(gridiron.System(design))
        one, two = solver.solve(loads)
        drop = lambda answer: 2 - answer.voltage_v[design.find_node("Node_m1_9000_4000")]
        self.assertAlmostEqual(drop(two), 2 * drop(one), places=12)
        simulation = gridiron.simulate(design, step_s=1e-11, stop_s=3e-11)
        self.assertEqual(len(simulation.time_s), 4)
        self.raises(gridiron.InputError, lambda: gridiron.analyse(design, dbu=1000), "a Design has been read already")

    def test_a_mesh(self):
        coarse, fine = (self.read(extract="fine", mesh=um) for um in (100, 0.1))
        self.assertGreater(len(fine.node_names), 2 * len(coarse.node_names))
        self.raises(gridiron.InputError, lambda: self.read(mesh=1), "it is of extract=", "mesh")
        self.raises(gridiron.InputError, lambda: self.read(extract="fine", mesh=0), "expected a number above 0", "mesh")

    def test_reports_know_their_inputs(self):
        table = self.file("instances.csv", self.power.read_text())
        report = gridiron.analyse(self.read(power=table, sources={"VDD": self.file("v.loc", "5,4,1,2\n")}))
        report.write(self.folder / "out")
        names = {Path(file["path"]).name for file in report.to_dict()["run"]["files"]}
        self.assertEqual(names, {"chip.def", "t.lef", "instances.csv", "v.loc"})
        self.raises(gridiron.InputError, lambda: report.write(self.folder), "instances.csv")
        self.assertEqual(table.read_bytes(), self.power.read_bytes())

    def test_shorts(self):
        path = self.file("short.def", two_cells(of_vdd="\n+ ROUTED m1 200 + SHAPE STRIPE ( 9000 0 ) ( 9000 4500 )"))
        self.raises(gridiron.GridError, lambda: self.read(path),
                    r"1 short between nets VDD and VSS; .*\[short\]; .* ignore_shorts=$")
        found = self.read(path, ignore_shorts=True).findings
        self.assertEqual([f["code"] for f in found][:1], ["short"])

    def test_opens(self):
        path = self.file("open.def", two_cells(of_vdd=OPEN))
        place = f"{path}:10:3"
        error = self.raises(gridiron.GridError, lambda: self.read(path),
                            r"1 shape of net VDD not connected .*\[open-shape\]; .* ignore_opens=$")
        self.assertEqual(error.place, place)
        deck = self.folder / "open.sp"
        extract = lambda **options: gridiron.extract(path, deck, lef=self.lef, nominal={"VDD": 2}, **options)
        self.raises(gridiron.GridError, extract, "open-shape")
        self.assertFalse(deck.exists())
        found = self.read(path, ignore_opens=True).findings
        self.assertEqual([f["code"] for f in found][:2], ["open-shape", "open-terminal"])
        self.assertEqual(found[0]["place"], place)
        self.assertEqual(extract(ignore_opens=True), found[:2])
        self.assertTrue(deck.exists())

    def test_bad_values(self):
        loc = self.file("v.loc", "5,4,1,1.9\n")
        for options, message, field in [
            ({"lef": []}, "chip.def: a DEF file is read with its LEF files, .*; give lef=$", None),
            ({"lef": "/none.lef"}, "^/none.lef: cannot open", None),
            ({"lef": ""}, "^lef=is empty", "lef"),
            ({"path": "/none.def"}, "^/none.def: cannot open", None),
            ({"net": "VXX"}, "^net=VXX: .* it has VDD, VSS$", "net"),
            ({"net": ["VDD", 5]}, "^net=5: ", "net"),
            ({"net": []}, "^net=.*names no net", "net"),
            ({"nominal": None}, "chip.def:10:3: nothing tells the voltage of net VDD; give nominal=", None),
            ({"nominal": {"VXX": 1}}, "^nominal=VXX: .* it has VDD, VSS$", "nominal"),
            ({"nominal": {"VDD": "1.1V"}}, "^nominal=VDD: expected a number of volts, not str$", "nominal"),
            ({"nominal": {"VDD": float("nan")}}, "^nominal=VDD: nan is no voltage$", "nominal"),
            ({"nominal": {"VDD": 1, "vdd": 2}}, "^nominal=", "nominal"),
            ({"power": "/none.csv"}, "^/none.csv: cannot open", None),
            ({"power": ["/none.csv"]}, "^/none.csv: cannot open", None),
            ({"power": {"u1": "1mW"}}, "^power=u1: expected a number of watts, not str$", "power"),
            ({"power": {5: 1e-3}}, "^power=5: expected a name, not int$", "power"),
            ({"power": {"u1": float("inf")}}, "^power=u1: expected a finite number of watts, not inf$", "power"),
            ({"power": {"u1": 1e-3}, "nominal": None, "net": "VSS"}, "^nominal=VDD: powers are given", "nominal"),
            ({"power_by_cell": {"INV": None}}, "^power_by_cell=INV: expected a number of watts", "power_by_cell"),
            ({"power_by_cell": [loc, loc]}, "^power_by_cell=2 are given", "power_by_cell"),
            ({"layer_rc": "/none.rc"}, "^/none.rc: cannot open", None),
            ({"sources": loc}, "^sources=.*v.loc: 2 nets are read; tell of which one", "sources"),
            ({"sources": {"VXX": loc}}, "^sources=VXX: .* it has VDD, VSS$", "sources"),
            ({"sources": {"VDD": "/none.loc"}}, "^/none.loc: cannot open", None),
            ({"source_type": "lines"}, "^source_type='lines': expected BUMPS, STRAPS or FULL$", "source_type"),
            ({"source_type": 5}, "^source_type='5': ", "source_type"),
            ({"source_settings": {"bump_dz": 3}}, "^source_settings=bump_dz=3: .* known are bump_dx",
             "source_settings"),
            ({"source_settings": {"bump_dx": -3}}, "^source_settings=bump_dx=-3: expected", "source_settings"),
            ({"source_settings": {"bump_interval": 1.5}}, "^source_settings=.*whole number", "source_settings"),
            ({"source_resistance": -1}, "^source_resistance='-1': expected a number above 0$", "source_resistance"),
            ({"source_resistance": float("nan")}, "^source_resistance='nan': ", "source_resistance"),
            ({"threads": -1}, "^threads=-1: expected 0 to 4096$", "threads"),
        ]:
            with self.subTest(**options):
                self.raises(gridiron.InputError, lambda: self.read(**options), message, field)

    def test_bad_types(self):
        for options, message in [({"path": 5}, "expected str, bytes or os.PathLike object, not int"),
                                 ({"lef": 5}, "not iterable"),
                                 ({"net": 5}, "not iterable"),
                                 ({"power": 5}, "not iterable"),
                                 ({"sources": [5]}, "expected str, bytes or os.PathLike object, not list"),
                                 ({"nominal": [2]}, "^nominal: expected a dict, not list$"),
                                 ({"source_settings": "bump_dx=3"}, "^source_settings: expected a dict, not str$")]:
            with self.subTest(**options):
                self.raises(TypeError, lambda: self.read(**options), message)
        self.raises(TypeError, lambda: gridiron.extract(self.layout, self.folder / "x.sp"), "'lef'")
        self.raises(gridiron.InputError, lambda: gridiron.read(self.layout), r"chip.def: .* gridiron.read_layout\(\)")

    def test_bad_decks(self):
        extract = lambda out, **options: gridiron.extract(self.layout, out, lef=self.lef, nominal={"VDD": 2}, **options)
        for digits in 0, 18:
            self.raises(gridiron.InputError, lambda: extract(self.folder / "x.sp", digits=digits),
                        f"^digits={digits}: expected 1 to 17$", "digits")
        for path in self.layout, self.lef, self.power:
            before = path.read_bytes()
            self.raises(gridiron.InputError, lambda: extract(path, power=self.power), "the deck would replace a file")
            self.assertEqual(path.read_bytes(), before)
        self.raises(gridiron.InputError, lambda: extract("/none/x.sp"), "^/none/x.sp: /none does not exist; name a file in")
        self.raises(gridiron.InputError, lambda: extract(self.folder), "is a folder; name a file in it")

    def test_names_that_are_not_utf8(self):
        path = self.file("odd.def", two_cells(("u[é]", "u\udcff")).encode(errors="surrogateescape"))
        self.assertEqual(self.amperes(path=path, power={"u[é]": 2e-3, "u\udcff": 4e-3}), [1e-3, 2e-3] * 2)
        odd = self.folder / "odd\udcff.csv"
        odd.write_bytes(self.power.read_bytes())
        self.assertEqual(self.amperes(power=odd), self.amperes(power=self.power))

    def test_other_threads_run_meanwhile(self):
        pipe = self.folder / "power.pipe"
        os.mkfifo(pipe)
        writer = threading.Thread(target=lambda: pipe.write_text(self.power.read_text()))
        writer.start()  # and waits for the reader, as the reader does for it
        self.assertEqual(self.amperes(power=pipe), self.amperes(power=self.power))
        writer.join()


@unittest.skipUnless((GCD / "gcd.def.gz").exists(), f"reference layouts not found in {GCD}")
class PublishedVoltages(InFolder):
    def read(self, net, **options):
        given = {"net": net, "power": GCD / "gcd_power.csv", "sources": GCD / f"Vsrc_gcd_{net.lower()}.loc", **options}
        return gridiron.read_layout(GCD / "gcd.def.gz", lef=GCD / "Nangate45.lef.gz", nominal={"VDD": 1.1}, **given)

    def test_of_openroad(self):
        for net, node in ("VDD", "power_node"), ("VSS", "ground_node"):
            report = gridiron.analyse(self.read(net), tolerance_v=1e-9)
            ours = dict(zip(report.instances["name"], report.nodes.voltage_v[report.instances[node]]))
            with gzip.open(GCD / f"gcd_{net.lower()}.voltage.csv.gz", "rt") as table:
                theirs = {row["Instance"]: float(row["Voltage"]) for row in csv.DictReader(table)}
            self.assertEqual(len(theirs), 624)
            self.assertEqual(set(ours), set(theirs))
            worst = max(abs(ours[name] - theirs[name]) for name in theirs)
            self.assertLess(worst, 1e-6 + 1e-12)

    def test_powers_as_a_dict_are_those_of_the_file(self):
        with open(GCD / "gcd_power.csv") as table:
            watts = {row["instance"]: float(row["power_w"]) for row in csv.DictReader(table)}
        for net in "VDD", "VSS":
            by_file, by_dict = self.read(net), self.read(net, power=watts, threads=1)
            numpy.testing.assert_array_equal(by_file.current_sources.value, by_dict.current_sources.value)
            numpy.testing.assert_array_equal(gridiron.analyse(by_file).nodes.voltage_v,
                                             gridiron.analyse(by_dict).nodes.voltage_v)

    def test_both_nets(self):
        report = gridiron.analyse(gridiron.read_layout(
            GCD / "gcd.def.gz", lef=[GCD / "Nangate45.lef.gz"], layer_rc=GCD / "Nangate45.rc", nominal={"VDD": 1.1},
            power=GCD / "gcd_power.csv", sources={net: GCD / f"Vsrc_gcd_{net.lower()}.loc" for net in ("VDD", "VSS")}),
            limits=["VDD:worst=5%", "VSS:worst=5%"])
        self.assertEqual([net.name for net in report.nets], ["VDD", "VSS"])
        self.assertFalse(report.limit_exceeded)

    def test_opens(self):
        lefs = [GCD / "Nangate45.lef.gz", GCD / "fakeram45_64x32.lef.gz"]
        options = {"lef": lefs, "net": "VDD", "nominal": {"VDD": 1.1}}
        path = GCD / "check_power_grid_disconnected.def.gz"
        self.raises(gridiron.GridError, lambda: gridiron.read_layout(path, **options), "28 shapes of net VDD")
        found = gridiron.read_layout(path, ignore_opens=True, **options).findings
        self.assertEqual([f["code"] for f in found if f["code"].startswith("open-")], ["open-shape", "open-terminal"])


if __name__ == "__main__":
    unittest.main()
