// Where a row of a table is: a mark on the map, and while the map is out of sight a small map in a corner.
"use strict";
function makePlacePointer({element, view, corners, length}) {
  const ring = L.circleMarker([0, 0], {radius: 15, weight: 4, color: "#00e5ff", fill: false, interactive: false});
  const casing = L.circleMarker([0, 0], {radius: 15, weight: 8, color: "#111418", fill: false, interactive: false});
  const picture = element("img", {alt: ""}), dot = element("i"), words = element("p");
  const frame = element("div", {class: "inset-frame"}, picture, dot);
  const inset = element("aside", {id: "inset", class: "not-on-paper", "aria-hidden": "true"}, frame, words);
  inset.hidden = true;
  document.body.append(inset);

  function is_in_sight(place) {
    const box = view.getContainer().getBoundingClientRect(), at = view.latLngToContainerPoint(place);
    const x = box.left + at.x, y = box.top + at.y;
    return view.getBounds().contains(place) && x > 0 && y > 0 && x < innerWidth && y < innerHeight;
  }

  let place = null;
  const update = () => { inset.hidden = !place || !picture.src || is_in_sight(place); };
  window.addEventListener("scroll", update, {passive: true});
  view.on("move", update);

  /// Shows the place of a row, over the map `entry` whose picture is `source`; null: shows none.
  return function point_at(row, entry, source) {
    casing.remove();
    ring.remove();
    place = row && [row.y_um, row.x_um];
    update();
    if (!row) return;
    casing.setLatLng(place).addTo(view);
    ring.setLatLng(place).addTo(view);
    if (!source) return;
    const [[bottom, left], [top, right]] = corners(entry);
    if (picture.src !== source) picture.src = source;
    frame.style.aspectRatio = `${right - left} / ${top - bottom}`;
    dot.style.left = `${(100 * (row.x_um - left)) / (right - left)}%`;
    dot.style.top = `${(100 * (top - row.y_um)) / (top - bottom)}%`;
    words.textContent = `${row.name ?? row.node}: ${length.show(row.x_um)}, ${length.show(row.y_um)} ${length.unit}`;
    const focused = document.activeElement?.closest("tr")?.getBoundingClientRect()
      ?? document.querySelector("tr.jumps:hover")?.getBoundingClientRect();
    inset.classList.toggle("above", (focused?.top ?? 0) > innerHeight / 2);
    update();
  };
}
