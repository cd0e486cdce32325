#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names in Latin-1, whose bytes are not UTF-8: no format loses them, and a run equals its own report.

usage: latin1_names.py GRIDIRON [--tcl]      with --tcl in Tcl, too, which the build must have
"""
import csv, io, json, os, subprocess, sys, tempfile, xml.etree.ElementTree

NET, LOAD, RESISTOR = b"s\xfcd", b"ilast\xff", b"r\xe9sistance"
# The private characters of the bytes themselves, in UTF-8: they must not be taken for the bytes.
OTHER = "\uefe9".encode()
DECK = (b"* t\nv1 " + NET + b"_m1_0_0 0 1\n" + RESISTOR + b" " + NET + b"_m1_0_0 " + NET + b"_m1_4000_0 2\n"
        b"r2 " + NET + b"_m1_4000_0 " + OTHER + b" 1\n"
        b"* Sink for u\xb5/VDD\n" + LOAD + b" " + NET + b"_m1_4000_0 0 0.1\n.end\n")


def in_json(name):
    """As report.json, Tcl and Python have bytes that are not UTF-8."""
    out = ""
    for part in name.decode("utf-8", "surrogateescape"):
        if 0xdc80 <= ord(part) <= 0xdcff:
            out += chr(0xef00 + ord(part) - 0xdc00)
        elif 0xef80 <= ord(part) <= 0xefff:
            out += "".join(chr(0xef00 + byte) for byte in part.encode())
        else:
            out += part
    return out


def shown(name):
    return "".join(f"\\x{ord(c) - 0xdc00:02x}" if 0xdc80 <= ord(c) <= 0xdcff else c for c in name.decode("utf-8", "surrogateescape"))


def rows(data):
    """Fields of a CSV file, as bytes."""
    return [[field.encode("latin-1") for field in row] for row in csv.reader(io.StringIO(data.decode("latin-1"), newline=""))]


def main(tool, has_tcl):
    def run(*arguments, code=0):
        done = subprocess.run([tool, *arguments], cwd=folder, capture_output=True)
        assert done.returncode == code, (arguments, done)
        return done.stdout

    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "deck.sp"), "wb") as file:
            file.write(DECK)
        run("ir", "deck.sp", "--out", "out", "--why", "worst", "--limit", b"s\xfcd:worst=0.1mV", "--em-limit", "M1=1mA",
            "--formats", "text,solution,csv,json,png,html,lyrdb,drc,iccad,npy", code=1)
        files = {name: open(os.path.join(folder, "out", name), "rb").read() for name in os.listdir(os.path.join(folder, "out"))}
        worst = NET + b"_m1_4000_0"

        nodes = rows(files["nodes.csv"])
        assert {row[0] for row in nodes[1:]} == {worst, NET + b"_m1_0_0", OTHER}, nodes
        assert nodes[1][1] == NET
        assert any(row[0] == RESISTOR for row in rows(files["segments.csv"]))
        assert worst + b" 0.8" in files["deck.solution"].splitlines()

        report = json.loads(files["report.json"])
        net = report["nets"][0]
        assert net["name"] == in_json(NET) == "s\ueffcd", net["name"]
        assert in_json(worst) in [row["node"] for row in net["worst_nodes"]]
        assert in_json(OTHER) in [row["node"] for row in net["worst_nodes"]], net["worst_nodes"]
        why = report["where"]["explanations"][0]
        assert why["loads"][0]["source"] == in_json(LOAD) and why["segments"][0]["resistor"] == in_json(RESISTOR)
        assert report["limits"][0]["net"] == in_json(NET)

        page = files["report.html"].decode()
        data = json.loads(page[page.index('id="data">') + 10:page.index("</script>", page.index('id="data">'))])
        assert data["report"]["nets"][0]["name"] == shown(NET) == "s\\xfcd"
        assert shown(worst) in files["summary.txt"].decode()
        assert shown(worst) in files["markers.drc"].decode()
        xml.etree.ElementTree.fromstring(files["markers.lyrdb"])

        run("ir", "deck.sp", "--out", "openroad", "--formats", "openroad", "--quiet")
        with open(os.path.join(folder, "openroad", "instances.csv"), "rb") as file:
            assert rows(file.read())[1][0] == b"u\xb5"

        # A run is what its files say.
        for kept in ["json", "csv"], ["json", "solution"]:
            run("ir", "deck.sp", "--quiet", "--out", "-".join(kept), "--formats", ",".join(kept))
            assert b"Nothing has changed" in run("diff", "out", "-".join(kept)), run("diff", "out", "-".join(kept))
        changed = DECK.replace(b" 2\n", b" 3\n")
        with open(os.path.join(folder, "changed.sp"), "wb") as file:
            file.write(changed)
        run("ir", "changed.sp", "--quiet", "--out", "changed")
        run("diff", "out", "changed", "--out", "changes", "--limit", b"s\xfcd:worst=+1mV", code=1)
        change = json.loads(open(os.path.join(folder, "changes", "diff.json"), "rb").read())
        assert change["nets"][0]["name"] == in_json(NET), change["nets"]
        assert change["hot_spots"], change
        for spot in change["hot_spots"]:
            assert spot["net"] == in_json(NET), spot
            assert {spot["node_before"], spot["node_after"]} <= {in_json(worst), in_json(OTHER), None}, spot
        assert in_json(worst) in [spot["node_after"] for spot in change["hot_spots"]], change["hot_spots"]

        if has_tcl:
            script = (b"read_spice deck.sp\nset r [analyze_power_grid -quiet]\n"
                      b"set spot [lindex [dict get $r where hot_spots] 0]\n"
                      b"set why [lindex [explain_drop [dict get $spot node]] 0]\n"
                      b"set load [dict get [lindex [dict get $why loads] 0] source]\n"
                      b"if {[set_load $load] != 0.1} {error load}\nset_load $load 0.2\n"
                      b"set segment [dict get [lindex [dict get $why segments] 0] resistor]\n"
                      b"if {[set_resistor $segment] != 2} {error resistor}\n"
                      b"set net [dict get [lindex [dict get $r nets] 0] name]\n"
                      b"analyze_power_grid -quiet -net $net\n"
                      b"catch {analyze_power_grid -net x$net} message\n"
                      b"if {[string first $net $message] < 0} {error $message}\nputs good\n")
            with open(os.path.join(folder, "names.tcl"), "wb") as file:
                file.write(script)
            assert run("tcl", "names.tcl").endswith(b"good\n")
    print("nets, nodes, loads and resistors in every format")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), "--tcl" in sys.argv[2:])
