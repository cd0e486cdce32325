#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens the page of a plan in headless Chromium, where it is installed (otherwise exits with 77, which ctest counts as skipped): limits, edits
and a map are there, nothing is fetched, and nothing but tables is wider than a telephone or a laptop.

usage: open_plan.py GRIDIRON DECK OPTION…
"""
import json, os, re, shutil, subprocess, sys, tempfile

from open_report import browse

PROBE = """<!doctype html><meta charset="utf-8"><body style="margin:0">
<iframe id="narrow" style="width:390px;height:844px;border:0" src="plan/diff.html"></iframe>
<iframe id="wide" style="width:1280px;height:800px;border:0" src="plan/diff.html"></iframe>
<pre id="found"></pre>
<script>
window.addEventListener("load", () => setTimeout(() => {
  const found = {};
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument, all = (selector) => [...page.querySelectorAll(selector)];
    found[frame.id] = {
      width: page.documentElement.scrollWidth,
      headings: all("h2").map((e) => e.textContent),
      rows: all(".abridged tbody").map((body) => body.rows.length),
      beyond: all("main *, header *, footer *").filter((e) => e.getBoundingClientRect().right > frame.clientWidth + 1 && !e.closest(".scroll")).map((e) => e.outerHTML.slice(0, 80)),
      pictures: all("img").map((e) => e.naturalWidth),
      fetched: frame.contentWindow.performance.getEntriesByType("resource").map((r) => r.name).filter((name) => !name.startsWith("data:")),
    };
  }
  document.getElementById("found").textContent = JSON.stringify(found);
}, 1000));
</script>
"""


def main(tool, deck, *options):
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        print("no Chromium here; skipped")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        deck = os.path.abspath(deck)
        done = subprocess.run([tool, "fix", deck, *options, "--quiet", "--out", f"{folder}/plan"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        with open(f"{folder}/plan/plan.csv", encoding="utf-8") as file:
            edits = len(file.readlines()) - 1
        with open(f"{folder}/probe.html", "w", encoding="utf-8") as file:
            file.write(PROBE)
        run = browse(browser, folder, "--window-size=1400,1800", "--virtual-time-budget=20000", "--dump-dom", f"file://{folder}/probe.html")
        text = re.search(r'<pre id="found">(.*?)</pre>', run.stdout, re.S)[1]
        found = json.loads(text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
        for name, most in (("narrow", 390), ("wide", 1280)):
            seen = found[name]
            assert seen["width"] <= most, f"{seen['width']} px wide at {most} px"
            assert seen["headings"][:2] == ["Limits", "Edits"], seen["headings"]
            assert seen["rows"] == [1, edits], seen["rows"]
            assert seen["pictures"] and min(seen["pictures"]) > 100, seen["pictures"]
            assert not seen["beyond"] and not seen["fetched"], seen
    print("limits, edits and a map, nothing to complain about")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
