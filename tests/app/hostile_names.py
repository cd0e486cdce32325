#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names that mean something to a browser, a spreadsheet, a shell, Tcl, XML or a viewer change nothing in a report but the names.

usage: hostile_names.py GRIDIRON

Writes all formats for two decks that differ in names only, reads each file by its format's own parser, and compares.
"""
import csv, io, json, os, re, subprocess, sys, tempfile, xml.etree.ElementTree

# Plain names and what stands in their place: nets, instances and sources. Decks allow most bytes within a word.
NETS = {"alpha": "<script>alert`1`</script>", "beta": "+cmd|/C!A0", "gamma": "g$`id`$HOME[exec]\\n&lt]]>\\"}
INSTANCES = {"u1": "=HYPERLINK(\"http://x\",<img src=x onerror=alert(1)>)", "u2": "@SUM{{data}}]]>-->$(id)[exec", "u3": "\u202e-1,2;\"'\\"}
SOURCES = {"v1a": "v</script><b>", "v2b": "v[exec]$`x`", "i1a": "i&lt\\x", "i2b": "i-1`|`", "r9z": "r<!--\\"}
HOSTILE = {**NETS, **INSTANCES, **SOURCES}
VOLATILE = {"run", "bytes", "timings_s", "peak_memory_bytes"}


def deck(names):
    n = lambda plain: names.get(plain, plain)
    nodes = []
    for net in NETS:
        node = lambda layer, x: f"{n(net)}_{layer}_{x}_0"
        nodes += [f"{n('v1a') if net == 'alpha' else n('v2b') if net == 'beta' else 'v3'} {node('m9', 0)} 0 {1.1 if net != 'gamma' else 0}",
                  f"r{net} {node('m9', 0)} {node('m1', 0)} 1"]
        nodes += [f"r{net}{k} {node('m1', 4000 * k)} {node('m1', 4000 * (k + 1))} 0.5" for k in range(4)]
    last = lambda net, k: f"{n(net)}_m1_{4000 * k}_0"
    nodes += [f"* Sink for {n('u1')}/VDD", f"{n('i1a')} {last('alpha', 4)} 0 1m", f"* Sink for {n('u2')}/VDD",
              f"{n('i2b')} {last('beta', 3)} 0 2m", f"* Sink for {n('u3')}/VSS", f"i3 0 {last('gamma', 2)} 3m",
              f"{n('r9z')} {n('alpha')}_m1_90000_0 {n('alpha')}_m1_94000_0 1"]  # floats
    return "* t\n" + "\n".join(nodes) + "\n.end\n"


STATIC = ["ir", "--formats", "text,solution,csv,json,png,html,lyrdb,drc,iccad,npy"]
DYNAMIC = ["tran", "--step", "1ns", "--stop", "2ns", "--worst-probes", "4", "--segments", "--window", "1ns"]


def run(tool, folder, names, command):
    os.makedirs(folder)
    path = os.path.join(folder, "deck.sp")
    with open(path, "w", encoding="utf-8") as file:
        file.write(deck(names))
    out = os.path.join(folder, "out")
    done = subprocess.run([tool, *command, "deck.sp", "--out", "out", "--quiet", "--limit", "worst=0.1mV", "--threads", "1"],
                          cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    return {name: open(os.path.join(out, name), "rb").read() for name in sorted(os.listdir(out))}


def same(a, b, rename, where):
    """Whether b is a with hostile names."""
    if isinstance(a, dict):
        assert [rename(key) for key in a] == list(b), f"{where}: {list(a)} and {list(b)}"
        for (key, x), y in zip(a.items(), b.values()):
            if key not in VOLATILE:
                same(x, y, rename, f"{where}.{key}")
    elif isinstance(a, list):
        assert len(a) == len(b), where
        for i, (x, y) in enumerate(zip(a, b)):
            same(x, y, rename, f"{where}[{i}]")
    else:
        assert (rename(a) if isinstance(a, str) else a) == b, f"{where}: {a!r} became {b!r}"


def replace_all(text, change=lambda name: name):
    """Whole names only: 'alpha' within 'ralpha0' is another name."""
    return re.sub(r"(?<![a-z0-9])(" + "|".join(HOSTILE) + r")(?![a-z0-9])", lambda m: change(HOSTILE[m[1]]), text)


def printable(name):
    return "".join(f"\\u{ord(c):04x}" if c == "\u202e" else c for c in name)


def rows(data):
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


def in_a_table(text):
    """An apostrophe keeps spreadsheets from running a name."""
    name = replace_all(text)
    return "'" + name if name != text and name[:1] in ("=", "+", "-", "@", "\t", "\r") else name


def tree(node):
    return [node.tag, node.text or "", node.tail or "", dict(node.attrib), [tree(child) for child in node]]


def unquoted(text):
    return re.sub(r"\\(.)", r"\1", text)


def page_parts(data):
    text = data.decode()
    begin = text.index('id="data">') + len('id="data">')
    end = text.index("</script>", begin)
    return text[:begin] + text[end:], text[begin:end]


def both(tool, command):
    """Files of a run with plain names and of one with hostile ones."""
    with tempfile.TemporaryDirectory() as folder:
        plain = run(tool, os.path.join(folder, "plain"), {}, command)
        hostile = run(tool, os.path.join(folder, "hostile"), HOSTILE, command)
    bases = lambda files: sorted(name for name in files if not name.startswith(("map_", "ir_drop_map", "waveforms_")))
    assert bases(plain) == bases(hostile), (list(plain), list(hostile))
    assert len(plain) == len(hostile)
    for name in hostile:
        assert re.fullmatch(r"[^/\x00-\x1f<>|:\"*?$`\\]+", name), name
    return plain, hostile


def compare_common(plain, hostile):
    """Tables, report.json and the page."""
    for name in (name for name in plain if name.endswith(".csv") and not name.startswith("ir_drop_map")):
        same(rows(plain[name]), rows(hostile[name]), in_a_table, name)
    same(json.loads(plain["report.json"]), json.loads(hostile["report.json"]), replace_all, "report.json")
    (page, data), (hostile_page, hostile_data) = page_parts(plain["report.html"]), page_parts(hostile["report.html"])
    assert page == hostile_page, "the page differs outside its data"
    assert not re.search(r"[<>&]", hostile_data), "a name could end the element that holds it"
    without_pictures = lambda text: {key: value for key, value in json.loads(text).items() if key != "maps"}
    same(without_pictures(data), without_pictures(hostile_data), replace_all, "report.html")


def main(tool):
    plain, hostile = both(tool, STATIC)
    compare_common(plain, hostile)
    assert replace_all(plain["deck.solution"].decode()) == hostile["deck.solution"].decode()
    assert replace_all(plain["markers.drc"].decode(), printable) == hostile["markers.drc"].decode()
    assert plain["markers.drc"].count(b"violation type:") > 5
    parse = lambda data: tree(xml.etree.ElementTree.fromstring(data))
    compare_lyrdb(parse(plain["markers.lyrdb"]), parse(hostile["markers.lyrdb"]), "markers.lyrdb")
    print(f"{len(plain)} files, the same but for names")

    plain, hostile = both(tool, DYNAMIC)
    compare_common(plain, hostile)
    assert replace_all(plain["deck.output"].decode(), printable) == hostile["deck.output"].decode()
    assert plain["deck.output"].count(b"Node: ") == 4
    print(f"{len(plain)} files of a simulation, the same but for names")


def compare_lyrdb(a, b, where):
    """Texts and paths stand between quotes with escapes, which KLayout takes away again."""
    tag, text, tail, attributes, children = a
    assert (tag, tail, attributes, len(children)) == (b[0], b[2], b[3], len(b[4])), where
    assert replace_all(text, printable) == (unquoted(b[1]) if "'" in text else b[1]), f"{where}/{tag}: {text!r} became {b[1]!r}"
    for x, y in zip(children, b[4]):
        compare_lyrdb(x, y, f"{where}/{tag}")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
