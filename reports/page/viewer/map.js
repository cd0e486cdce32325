// The interactive map, its tooltips and its printed twin. Names enter as text nodes only, as everywhere on the page.
"use strict";
function makeMap({data, element, volts, amperes, percent, length, net_of}) {
  if (!data.maps.length) return {show_row() {}};
  const byId = (id) => document.getElementById(id);
  byId("map-section").hidden = false;
  const net_select = byId("map-net"), layer_select = byId("map-layer"), marks_box = byId("map-marks");
  const view_select = data.views ? byId("map-view") : null;  // where entries are of several views, such as moments
  const note = byId("map-note");
  const view_title = () => (view_select ? `, ${view_select.selectedOptions[0].textContent}` : "");
  const layer_title = (entry) => entry.layer ?? (is_stress(entry) ? "largest of all layers" : "worst of all layers");
  const view = L.map("map", {crs: L.CRS.Simple, minZoom: -20, maxZoom: 12, zoomSnap: 0.25, attributionControl: false, preferCanvas: true});
  const marks = L.layerGroup().addTo(view);
  let overlay = null, current = null, pixels = null;

  // Entries are of drops, or of the stress of metal, around zero.
  const is_stress = (entry) => entry.high_pa !== undefined;
  const colours_of = (entry) => (is_stress(entry) ? data.stress_colours : data.colours);
  const range_of = (entry) => (is_stress(entry) ? [entry.low_pa, entry.high_pa] : [entry.low_v, entry.high_v]);
  const view_of = (row) => (row.tree === undefined && row.drop_v === undefined ? undefined
    : data.maps.find((entry) => is_stress(entry) === (row.tree !== undefined))?.view);
  const critical_pa = data.report.stress?.parameters.critical_stress_pa;
  const in_mpa = (pa) => String(Number((1e-6 * pa).toPrecision(3))).replace("-", "\u2212");
  const stress_text = (pa) => `${in_mpa(pa)} MPa${pa > 0 ? ` (${percent(pa, critical_pa)} of critical)` : ""}`;

  const corners = (entry) => [[entry.bottom_um, entry.left_um], [entry.top_um, entry.right_um]];
  const place_of = (row) => `${length.show(row.x_um)}, ${length.show(row.y_um)} ${length.unit}`;
  const lines = (...parts) => element("div", {}, ...parts.filter((part) => part).flatMap((part, i) => (i ? [element("br"), part] : [part])));
  const drop_word = (net) => (net_of.get(net)?.is_ground ? "bounce" : "drop");
  const drop_text = (drop, net) => {
    const supply = net_of.get(net)?.supply_v;
    return `${volts(drop)} ${drop_word(net)}${supply ? ` (${percent(drop, supply)})` : ""}`;
  };
  const voltage_at = (drop, net) => {
    const {is_ground, nominal_v} = net_of.get(net);
    return is_ground ? drop : nominal_v < 0 ? nominal_v + drop : nominal_v - drop;
  };

  // What is known of a node, an instance or a pad.
  const facts = (row) => lines(
    element("b", {}, row.name ?? row.node),
    row.name && row.node !== row.name ? row.node : null,
    row.combined_v !== undefined ? `${volts(row.vdd_drop_v)} drop, ${volts(row.gnd_bounce_v)} bounce, ${volts(row.combined_v)} together` : null,
    row.drop_v !== undefined ? drop_text(row.drop_v, row.net) : null,
    row.stress_pa !== undefined ? `stress ${stress_text(row.stress_pa)}${row.verdict ? `, tree ${row.verdict}` : ""}` : null,
    row.ratio !== undefined ? `${percent(row.ratio, 1)} of ${row.rule}` : null,
    [row.voltage_v !== undefined && row.voltage_v !== null ? row.voltage_v.toFixed(6) + " V" : null,
     row.current_a !== undefined ? amperes(row.current_a) : null].filter((part) => part).join(" · "),
    [row.net, row.layer].filter((part) => part).join(" · "), place_of(row));

  const marked = () => {
    if (!marks_box.checked) return [];
    const spots = ((is_stress(current) ? data.stress_trees : data.report.where?.hot_spots) ?? [])
      .filter((n) => n.net === current.net && n.x_um !== null && (current.layer === null || n.layer === current.layer));
    return [current.worst, ...spots.filter((n) => n.node !== current.worst.node)];
  };
  const mark = (node, first) => L.circleMarker([node.y_um, node.x_um],
    {radius: first ? 9 : 5, color: "#ffffff", weight: first ? 3 : 1.5, fillColor: "#111418", fillOpacity: first ? 0.25 : 0.7}).bindPopup(facts(node));

  // What a layout tells: macros, and what is open on the net and layer that are shown.
  function draw_layout() {
    const ends = (box) => [[box.bottom_um, box.left_um], [box.top_um, box.right_um]];
    for (const macro of data.macros ?? [])
      L.rectangle(ends(macro), {color: "#7a828c", weight: 1, fill: false}).bindPopup(lines(element("b", {}, macro.name), macro.cell)).addTo(marks);
    for (const open of data.report.opens?.listed ?? []) {
      if (open.net !== current.net || (current.layer !== null && open.layer !== current.layer)) continue;
      const style = {color: "#111418", weight: 1.5, fillColor: "#ffffff", fillOpacity: 0.4};
      const shape = open.kind === "terminal" ? L.circleMarker([open.bottom_um, open.left_um], {radius: 4, ...style}) : L.rectangle(ends(open), style);
      shape.bindPopup(lines(element("b", {}, open.name ?? "shape"), "not connected to the highest layer of the net", `${open.net} · ${open.layer}`)).addTo(marks);
    }
  }

  // Segments that come nearest to rules of electromigration, on the net and layer that are shown.
  const em_segments = data.em_segments ?? [], em_box = byId("map-em");
  if (em_box && em_segments.length) byId("map-em-label").hidden = false;
  function draw_em() {
    if (!em_box?.checked) return;
    const share = data.report.em?.share ?? 1;
    for (const row of em_segments) {
      if (row.net !== current.net || row.ends_um.includes(null) || (current.layer !== null && !row.layer.split("-").includes(current.layer))) continue;
      const [x0, y0, x1, y1] = row.ends_um;
      const color = row.ratio > share ? "#d5222a" : row.ratio > 0.8 * share ? "#e08a00" : "#2a7de1";
      const shape = x0 === x1 && y0 === y1 ? L.circleMarker([y0, x0], {radius: 4, color, weight: 2, fill: false})
                                           : L.polyline([[y0, x0], [y1, x1]], {color, weight: 4, opacity: 0.8});
      shape.bindPopup(facts(row)).addTo(marks);
    }
  }

  function legend(entry) {
    const ramp = element("div", {class: "ramp"});
    ramp.style.background = `linear-gradient(to top, ${colours_of(entry).join(",")})`;
    const labels = element("div", {class: "marks"});
    const [low, high] = range_of(entry);
    const label = (share, words, kind = null) => {
      const text = element("span", {class: kind}, words);
      text.style.bottom = `calc(${share} * (100% - 16px) + 8px)`;
      labels.append(text);
    };
    const limit = is_stress(entry) ? (critical_pa - low) / (high - low) : 2;  // 2: beyond the scale
    const limit_label = Math.max(limit, 0.55);
    for (let i = 0; i <= 4; ++i) {
      const value = low + ((high - low) * i) / 4;
      if (!is_stress(entry)) label(i / 4, volts(value));
      else if (Math.abs(i / 4 - limit_label) > 0.045) label(i / 4, in_mpa(value) + (i === 2 ? " MPa" : ""));
    }
    if (limit <= 1) {
      label(limit, "", "limit");
      label(limit_label, "critical", "limit-label");
    }
    return [ramp, labels];
  }
  const note_of = (entry) => !is_stress(entry) ? "" :
    `Steady-state stress: tension is positive, pressure negative. Largest here: ${stress_text(entry.worst.stress_pa)} at ${entry.worst.node}; critical, where voids nucleate: ${in_mpa(critical_pa)} MPa.`;

  // The value at a place, from the colour of its pixel: exact to half a step of the scale.
  const steps = (colours) => new Map((colours ?? []).map((colour, step) => [parseInt(colour.slice(1), 16), step]));
  const step_of_drop = steps(data.colours), step_of_stress = steps(data.stress_colours);
  async function read_pixels(entry, source) {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = element("canvas", {width: image.naturalWidth, height: image.naturalHeight});
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    if (entry === current) pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  }
  function value_at({lat, lng}) {
    if (!pixels) return null;
    const x = Math.floor(((lng - current.left_um) / (current.right_um - current.left_um)) * pixels.width);
    const y = Math.floor(((current.top_um - lat) / (current.top_um - current.bottom_um)) * pixels.height);
    if (x < 0 || y < 0 || x >= pixels.width || y >= pixels.height) return null;
    const [red, green, blue, alpha] = pixels.data.slice(4 * (y * pixels.width + x), 4 * (y * pixels.width + x) + 4);
    const step_of = is_stress(current) ? step_of_stress : step_of_drop, [low, high] = range_of(current);
    const step = alpha ? step_of.get((red << 16) | (green << 8) | blue) : undefined;
    return step === undefined ? null : low + ((step + 0.5) * (high - low)) / colours_of(current).length;
  }

  // Paper shows the whole map and what the selectors say.
  function draw_printed(source) {
    const share = (value, from, to) => `${(100 * (value - from)) / (to - from)}%`;
    const frame = element("div", {class: "frame"}, element("img", {src: source, alt: ""}), ...marked().map((node, i) => {
      const ring = element("i", {class: i ? "ring" : "ring first"});
      ring.style.left = share(node.x_um, current.left_um, current.right_um);
      ring.style.top = share(node.y_um, current.top_um, current.bottom_um);
      return ring;
    }));
    frame.style.aspectRatio = `${current.right_um - current.left_um} / ${current.top_um - current.bottom_um}`;
    const range = (from, to) => `${length.show(from)} … ${length.show(to)} ${length.unit}`;
    byId("map-print").replaceChildren(
      element("p", {}, `Net ${current.net}, layer: ${layer_title(current)}${view_title()}. ${note_of(current) || `Worst: ${drop_text(current.worst.drop_v, current.net)} at ${current.worst.node}.`} `
        + `x ${range(current.left_um, current.right_um)}, y ${range(current.bottom_um, current.top_um)}. ${is_stress(current) ? "The worst trees are" : data.report.where ? "Hot spots are" : "The worst node is"} ${marks_box.checked ? "ringed" : "not shown"}.`),
      element("div", {class: "map-and-scale"}, frame, element("div", {class: "legend"}, ...legend(current))));
  }

  function draw() {
    current = data.maps[Number(layer_select.value)];
    const source = "data:image/png;base64," + current.image;
    if (overlay) overlay.remove();
    overlay = L.imageOverlay(source, corners(current)).addTo(view);
    pixels = null;
    read_pixels(current, source);
    byId("legend").replaceChildren(...legend(current));
    if (note) note.textContent = note_of(current), note.hidden = !is_stress(current);
    marks.clearLayers();
    draw_layout();
    draw_em();
    marked().forEach((node, i) => mark(node, i === 0).addTo(marks));
    draw_printed(source);
  }

  function list_layers(wanted) {
    const entries = [...data.maps.entries()].filter(([, entry]) => is_viewed(entry) && entry.net === net_select.value).reverse();
    layer_select.replaceChildren(...entries.map(([index, entry]) => element("option", {value: index}, layer_title(entry))));
    const same = entries.find(([, entry]) => entry.layer === wanted);
    if (same) layer_select.value = same[0];
  }

  const is_viewed = (entry) => !view_select || entry.view === view_select.value;
  function list_nets(wanted) {
    const nets = [...new Set(data.maps.filter(is_viewed).map((entry) => entry.net))];
    net_select.replaceChildren(...nets.map((net) => element("option", {value: net}, net)));
    net_select.value = nets.includes(wanted) ? wanted : nets[0];
  }
  net_select.addEventListener("change", () => { list_layers(current.layer); draw(); });
  layer_select.addEventListener("change", draw);
  view_select?.addEventListener("change", () => { list_nets(current.net); list_layers(current.layer); draw(); });
  marks_box.addEventListener("change", draw);
  em_box?.addEventListener("change", draw);
  const nets_with_maps = new Set(data.maps.map((entry) => entry.net));
  list_nets(data.worst_nodes.find((node) => nets_with_maps.has(node.net))?.net);
  list_layers(null);
  draw();
  view.fitBounds(corners(current));

  const bar = element("div", {class: "scale"});
  const rule = L.control({position: "bottomleft"});
  rule.onAdd = () => bar;
  rule.addTo(view);
  const update_rule = () => {
    const per_pixel = length.number(1 / view.getZoomScale(view.getZoom(), 0));
    const most = 140 * per_pixel, power = 10 ** Math.floor(Math.log10(most));
    const long = [5, 2, 1].map((m) => m * power).find((candidate) => candidate <= most);
    bar.style.width = long / per_pixel + "px";
    bar.textContent = length.unit === "µm" && long >= 1000 ? long / 1000 + " mm" : Number(long.toPrecision(3)) + " " + length.unit;
  };
  view.on("zoomend", update_rule);
  update_rule();

  const tip = L.tooltip({direction: "top", offset: [0, -8]});
  view.on("mousemove click", ({latlng}) => {
    const value = value_at(latlng);
    if (value === null) return tip.remove();
    const words = is_stress(current)
      ? [element("b", {}, `≈ ${in_mpa(Math.abs(value))} MPa of ${value < 0 ? "pressure" : "tension"}`), value > 0 ? `${percent(value, critical_pa)} of critical` : null]
      : [element("b", {}, "≈ " + drop_text(value, current.net)), `≈ ${voltage_at(value, current.net).toFixed(4)} V`];
    tip.setLatLng(latlng).setContent(lines(...words, `${current.net} · ${layer_title(current)}`, place_of({x_um: latlng.lng, y_um: latlng.lat})));
    if (!view.hasLayer(tip)) tip.addTo(view);
  });
  view.on("mouseout", () => tip.remove());

  return {
    show_row(row) {
      const wanted = (data.stress_colours && view_of(row)) ?? view_select?.value;
      if (data.maps.some((entry) => entry.net === row.net && entry.view === wanted)) {
        if (view_select) view_select.value = wanted;
        list_nets(row.net);
        list_layers(current.layer === null ? null : row.layer);
        draw();
      }
      byId("map-section").scrollIntoView({behavior: "smooth", block: "start"});
      const place = [row.y_um, row.x_um];
      view.setView(place, Math.max(view.getZoom(), view.getBoundsZoom(corners(current)) + 2));
      L.popup().setLatLng(place).setContent(facts(row)).openOn(view);
    },
  };
}
