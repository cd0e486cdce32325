#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens reports in headless Chromium, where it is installed (otherwise exits with 77, which ctest counts as skipped): nothing on the console,
nothing fetched, no sideways scrolling on a telephone, no table cut off on a laptop, three to six pages on paper (one to six of a transient), at most
twenty stops of the Tab key, and a name for every control; a map of all nets and, on paper, of each net that exceeds its limit; a tooltip of the layer
that is shown; rows that show their place.

With --em, a deck is also judged by electromigration, up to the segments that fail: its tables and chart.

usage: open_report.py GRIDIRON DECK… [--em DECK…] [--tran DECK…]
"""
import json, os, re, shutil, subprocess, sys, tempfile

MARK = "the console is heard"
LAYERS = "layer,width_um,thickness_um\nm1,1,0.5\nm4,1,0.5\n"
EM = "--em-stress default --em-layers metal.csv --em-lifetime 1e9y --em-cascade 3 --em-void 0.01 --em-liner 40".split()
PROBE = """<!doctype html><meta charset="utf-8"><body style="margin:0">
<iframe id="narrow" style="width:390px;height:844px;border:0" src="report.html"></iframe>
<iframe id="wide" style="width:1280px;height:800px;border:0" src="report.html"></iframe>
<pre id="found"></pre>
<script>
console.error("%s");
// Drags over a third of the first waveform and double-clicks: shares of the time that are shown then.
function zoom_of(frame) {
  const window = frame.contentWindow, canvas = frame.contentDocument.querySelector(".waves canvas");
  if (!canvas) return null;
  const chart = window.Chart.getChart(canvas), whole = chart.scales.x.max - chart.scales.x.min, {left, right} = chart.chartArea;
  const share = () => (chart.scales.x.max - chart.scales.x.min) / whole;
  window.HTMLCanvasElement.prototype.setPointerCapture = () => {};
  const point = (kind, at) => canvas.dispatchEvent(new window.PointerEvent(kind, {clientX: canvas.getBoundingClientRect().left + left + at * (right - left)}));
  point("pointerdown", 1 / 3); point("pointermove", 1 / 2); point("pointerup", 2 / 3);
  const dragged = share();
  canvas.dispatchEvent(new window.MouseEvent("dblclick"));
  return [dragged, share()];
}
// What legend and note say of the stress of metal, where the map has it.
function stress_of(page) {
  const views = page.querySelector("#map-view");
  if (!views || !page.querySelector("#map-note") || views.options.length < 2 || views.closest("[hidden]")) return null;
  const show = (k) => { views.selectedIndex = k; views.dispatchEvent(new Event("change")); };
  show(1);
  const said = ["#legend", "#map-note"].map((part) => page.querySelector(part).textContent).join(" ");
  show(0);
  return page.querySelector("#map-note").hidden ? said : "a note on drops";
}
// The browser prints this page once it is loaded, which this frame delays until its document is closed.
const hold = document.body.appendChild(document.createElement("iframe"));
hold.contentDocument.open();
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
async function until(condition) { for (let k = 0; k < 40 && !condition(); ++k) await pause(25); return condition(); }
const choose = (select, index) => { select.selectedIndex = index; select.dispatchEvent(new Event("change")); };
function controls_of(page) {
  const all = [...page.querySelectorAll("a[href], button, select, input, [tabindex]")].filter((e) => e.offsetParent && !e.disabled);
  const name = (e) => e.getAttribute("aria-label") || e.textContent.trim() || [...e.labels ?? []].map((label) => label.textContent.trim()).join("");
  return {stops: all.filter((e) => e.tabIndex >= 0).length, nameless: all.filter((e) => !name(e)).map((e) => e.outerHTML.slice(0, 80))};
}
// What the tooltip says of one place on every layer; whether "fit" shows the whole map again; what a row shows.
async function map_of(frame) {
  const page = frame.contentDocument, window = frame.contentWindow, map = page.querySelector("#map");
  if (page.querySelector("#map-section").hidden) return null;
  const [net, layer] = ["#map-net", "#map-layer"].map((id) => page.querySelector(id)), box = map.getBoundingClientRect();
  const tips = [];
  for (let k = 0; k < 90 && !page.querySelector(".leaflet-tooltip"); ++k) {
    const x = 0.05 + 0.9 * (k / 9 - Math.floor(k / 9)), y = 0.05 + 0.9 * (Math.floor(k / 9) / 9);
    map.dispatchEvent(new window.MouseEvent("mousemove", {clientX: box.left + x * box.width, clientY: box.top + y * box.height, bubbles: true}));
    await pause(10);
  }
  for (let k = 0; k < layer.options.length; ++k) {
    choose(layer, k);
    const name = layer.options[k].textContent, said = () => page.querySelector(".leaflet-tooltip")?.textContent ?? null;
    await until(() => said()?.includes("· " + name));
    tips.push([name, said()]);
  }
  choose(layer, 0);
  const buttons = [...page.querySelectorAll(".map-buttons button")], width = () => page.querySelector("#map .leaflet-image-layer").getBoundingClientRect().width;
  const press = async (button) => { const before = width(); button.click(); await until(() => width() !== before); await pause(600); return width(); };
  const zoomed = [await press(buttons[0]), await press(buttons[2]), await press(buttons[0]), await press(buttons[2])].slice(1);
  window.scrollTo(0, page.documentElement.scrollHeight);
  const row = page.querySelector("td button.place"), inset = page.querySelector("#inset");
  row?.dispatchEvent(new window.FocusEvent("focus"));
  const pointed = row && !inset.hidden && row.closest("tr").textContent.includes(inset.textContent.split(":")[0]);
  row?.dispatchEvent(new window.FocusEvent("blur"));
  const is_printed = () => page.querySelector("#map-print p")?.textContent.includes("layer: " + layer.selectedOptions[0].textContent);
  await until(is_printed);
  return {tips, zoomed, pointed, left: !inset.hidden, nets: [...net.options].map((o) => o.textContent), printed: page.querySelectorAll(".printed-map").length};
}
const frames = ["narrow", "wide"].map((id) => document.getElementById(id));
Promise.all(frames.map((frame) => new Promise((done) => frame.addEventListener("load", done)))).then(() => pause(1000)).then(async () => {
  const found = {};
  for (const frame of frames) {
    const page = frame.contentDocument, all = (selector) => [...page.querySelectorAll(selector)];
    found[frame.id] = {
      width: page.documentElement.scrollWidth,
      tables: all("table").length,
      cut: all(".scroll").filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.parentElement.querySelector("h2").textContent),
      beyond: all("main *, header *, footer *").filter((e) => e.getBoundingClientRect().right > frame.clientWidth + 1 && !e.closest(".scroll, #map")).map((e) => e.outerHTML.slice(0, 80)),
      clipped: all(".figure, .badge, h1, h2").filter((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0).map((e) => e.textContent),
      empty_charts: all("canvas").filter((c) => c.offsetParent && !(c.width > 0 && c.height > 0)).length,
      fetched: frame.contentWindow.performance.getEntriesByType("resource").map((r) => r.name).filter((name) => !name.startsWith("data:")),
      map: page.querySelector("#map-section").hidden ? null : page.querySelector("#map .leaflet-image-layer").naturalWidth,
      zoom: zoom_of(frame),
      stress: stress_of(page),
      failures: all(".table-card").find((card) => card.querySelector("h2").textContent.startsWith("Segments that fail"))?.querySelector(".bar span").textContent,
      controls: controls_of(page),
      look: await map_of(frame),
      has_places: JSON.parse(page.getElementById("data").textContent).maps.length > 0,
    };
  }
  document.getElementById("found").textContent = JSON.stringify(found);
}).catch((error) => console.error(error)).then(() => hold.contentDocument.close());
</script>
""" % MARK


def browse(browser, folder, *arguments):
    return subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--enable-logging=stderr",
                           "--user-data-dir=" + os.path.join(folder, "profile"), *arguments], cwd=folder, capture_output=True, text=True, timeout=240)


def pages_of(pdf):
    with open(pdf, "rb") as file:
        return len(re.findall(rb"/Type\s*/Page\b", file.read()))


def check(browser, tool, command, deck):
    complaints = []
    complain = lambda condition, text: condition or complaints.append(f"{command} {os.path.basename(deck)}: {text}")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "metal.csv"), "w", encoding="utf-8") as file:
            file.write(LAYERS)
        verb, more = ("ir", EM) if command == "em" else (command, [])
        done = subprocess.run([tool, verb, deck, "--out", folder, "--formats", "html", "--limit", "0.1%", "--quiet", *more], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 1, done.stderr
        with open(os.path.join(folder, "probe.html"), "w", encoding="utf-8") as file:
            file.write(PROBE)
        run = browse(browser, folder, "--window-size=1400,1800", "--dump-dom", f"file://{folder}/probe.html")
        console = [line for line in run.stderr.splitlines() if ":CONSOLE" in line]
        assert any(MARK in line for line in console), "the browser tells nothing of its console:\n" + run.stderr
        errors = [line for line in console if MARK not in line]
        complain(not errors, f"console: {errors}")
        text = re.search(r'<pre id="found">(.*?)</pre>', run.stdout, re.S)[1]
        found = json.loads(text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
        for name, most in (("narrow", 390), ("wide", 1280)):
            seen = found[name]
            complain(seen["width"] <= most, f"{seen['width']} px wide at {most} px")
            complain(seen["tables"] >= 5, f"only {seen['tables']} tables at {most} px")
            complain(name == "narrow" or not seen["cut"], f"tables cut off at {most} px: {seen['cut']}")
            for key in ("beyond", "clipped", "fetched", "empty_charts"):
                complain(not seen[key], f"{key} at {most} px: {seen[key]}")
            complain(seen["controls"]["stops"] <= 20, f"{seen['controls']['stops']} stops of the Tab key at {most} px")
            complain(not seen["controls"]["nameless"], f"controls without a name at {most} px: {seen['controls']['nameless']}")
            if seen["has_places"]:
                look = seen["look"]
                nets = [net for net in look["nets"] if net != "all nets"]
                complain(("all nets" in look["nets"]) == (len(nets) > 1), f"maps of {look['nets']} at {most} px")
                complain(all(tip is None or f"· {layer}" in tip for layer, tip in look["tips"]) and any(tip for layer, tip in look["tips"]), f"tooltips at {most} px: {look['tips']}")
                fitted, closer, again = look["zoomed"]
                complain(closer > 1.5 * fitted and abs(again - fitted) < 2, f"the map is {fitted}, {closer} and {again} px wide at {most} px")
                complain(look["pointed"] and not look["left"], f"a row shows no place at {most} px")
                complain(look["printed"] == min(4, len(nets) if len(nets) >= 4 or len(nets) == 1 else len(nets) + 1), f"{look['printed']} maps on paper of {len(nets)} nets")
            if command == "tran":
                complain(seen["zoom"] and abs(seen["zoom"][0] - 1 / 3) < 0.02 and seen["zoom"][1] == 1, f"dragging at {most} px shows {seen['zoom']}")
            if command == "em" and seen["has_places"]:
                complain(re.search(r"0 MPa.*Largest here: [\d.]+ MPa", seen["stress"] or ""), f"the map of stress says {seen['stress']} at {most} px")
            if command == "em":
                complain(re.match(r"IR-drop failure today, .*: a limit is exceeded, net \S+: worst drop of \S+ mV exceeds", seen["failures"]),
                         f"of failures at {most} px: {seen['failures']}")
            complain((seen["map"] or 0) > 0 or not seen["has_places"], f"no map at {most} px")
        browse(browser, folder, "--no-pdf-header-footer", "--virtual-time-budget=5000", f"--print-to-pdf={folder}/report.pdf", f"file://{folder}/report.html")
        pages = pages_of(os.path.join(folder, "report.pdf"))
        complain((1 if command == "tran" else 3) <= pages <= 6, f"{pages} pages on paper")
    return complaints


def main(tool, *words):
    decks, command = [], "ir"
    for word in words:
        if word in ("--em", "--tran"):
            command = word[2:]
        else:
            decks.append((command, word))
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        print("no Chromium here; skipped")
        return 77
    complaints = [line for deck in decks for line in check(browser, tool, *deck)]
    print("\n".join(complaints) or f"{len(decks)} reports, nothing to complain about")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
