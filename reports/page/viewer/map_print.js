// Paper has no selectors: it shows the map that is chosen, and the map of each net that exceeds a limit.
"use strict";
function printedMaps({element, of_them, length, entries, is_stress, source_of, pixels_of, title_of, marks_of, drawing,
  key_of, legend, worst_text}) {
  const most = 4, width = 560;
  const sides = (entry) => [entry.right_um - entry.left_um, entry.top_um - entry.bottom_um];

  async function printed(entry, shown) {
    if (entry.net === null) await pixels_of(entry);  // which makes the map of all nets
    const [across, down] = sides(entry), height = Math.round((width * down) / across);
    const marks = marks_of(entry, shown);
    const to_x = (x) => ((x - entry.left_um) / across) * width, to_y = (y) => ((entry.top_um - y) / down) * height;
    const frame = element("div", {class: "frame"}, element("img", {src: source_of(entry), alt: ""}),
      drawing(marks, width, height, to_x, to_y));
    frame.style.aspectRatio = `${width} / ${height}`;
    frame.style.setProperty("--aspect", width / height);
    const range = (from, to) => `${length.show(from)} … ${length.show(to)} ${length.unit}`;
    return element("div", {class: "printed-map"},
      element("p", {}, `${title_of(entry)}. ${worst_text(entry)} x ${range(entry.left_um, entry.right_um)}, y ` +
        `${range(entry.bottom_um, entry.top_um)}.`),
      element("div", {class: "map-and-scale"}, frame, element("div", {class: "legend"}, ...legend(entry))),
      element("ul", {class: "key"}, ...key_of(marks, entry)));
  }

  /// `failing`: names of nets that exceed a limit.
  return async function printed_maps(chosen, failing, shown) {
    const of_failing = entries.filter((entry) => entry.net !== null && entry.layer === null && !is_stress(entry)
      && failing.includes(entry.net) && entry.view === chosen.view && entry !== chosen);
    const wanted = chosen.net === null && of_failing.length >= most ? of_failing : [chosen, ...of_failing];
      // a map of all nets where there is room
    const list = wanted.slice(0, most), left_out = wanted.length - list.length;
    const maps = await Promise.all(list.map((entry) => printed(entry, shown)));
    return element("div", {class: maps.length > 1 ? "printed-maps several" : "printed-maps"}, ...maps,
                   left_out > 0 ? element("p", {class: "muted"},
                     `The maps of ${of_them(left_out, "more net")} above a limit are in the page itself.`) : null);
  };
}
