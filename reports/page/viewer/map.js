// The interactive map: what is chosen, its scale and tooltips. Names enter as text nodes only, as everywhere on the
// page.
"use strict";
function makeMap({data, element, of_them, volts, amperes, percent, length, net_of, roving, failing_nets}) {
  if (!data.maps.length) return {show_row() {}, point_at() {}};
  const byId = (id) => document.getElementById(id);
  byId("map-section").hidden = false;
  const {entries, is_stress, is_of_all, colours_of, range_of, label_of, in_mpa, pixels_of, source_of, value_at, box_of,
    corners} =
    makeMapEntries({data, element, volts, percent, net_of});
  const {marks_of, layers_of, drawing, key_of, has} = makeMapMarks({data, element, is_stress});
  const net_select = byId("map-net"), layer_select = byId("map-layer");
  const view_select = data.views ? byId("map-view") : null;  // where entries are of several views, such as moments
  const boxes = {spots: byId("map-marks"), pads: byId("map-pads"), em: byId("map-em")};
  const shown = () => Object.fromEntries(Object.entries(boxes)
    .map(([what, box]) => [what, box.checked && !box.closest("[hidden]")]));
  const note = byId("map-note");
  const view_title = (entry) => (entry.view ? `, ${entry.view}` : "");
  const layer_title = (entry) => entry.layer ?? (is_stress(entry) ? "largest of all layers" : "worst of all layers");
  const net_title = (entry) => (is_of_all(entry) ? "all nets, each place by the worst" : `net ${entry.net}`);
  const view = L.map("map",
    {crs: L.CRS.Simple, minZoom: -20, maxZoom: 12, zoomSnap: 0.25, attributionControl: false, zoomControl: false,
    preferCanvas: true});
  const marks = L.layerGroup().addTo(view);
  let overlay = null, current = null, pixels = null;

  const view_of = (row) => (row.tree === undefined && row.drop_v === undefined ? undefined
    : data.maps.find((entry) => is_stress(entry) === (row.tree !== undefined))?.view);
  const critical_pa = data.report.stress?.parameters.critical_stress_pa;
  const stress_text = (pa) => `${in_mpa(pa)} MPa${pa > 0 ? ` (${percent(pa, critical_pa)} of critical)` : ""}`;

  const place_of = (row) => `${length.show(row.x_um)}, ${length.show(row.y_um)} ${length.unit}`;
  const lines = (...parts) =>
    element("div", {}, ...parts.filter((part) => part).flatMap((part, i) => (i ? [element("br"), part] : [part])));
  const drop_word = (net) => (net_of.get(net)?.is_ground ? "bounce" : "drop");
  const drop_text = (drop, net) => {
    const supply = net_of.get(net)?.supply_v;
    return `${volts(drop)} ${drop_word(net)}${supply ? ` (${percent(drop, supply)})` : ""}`;
  };
  const voltage_at = (drop, net) => {
    const {is_ground, nominal_v} = net_of.get(net);
    return is_ground ? drop : nominal_v < 0 ? nominal_v + drop : nominal_v - drop;
  };

  // What is known of a node, an instance, a pad, a segment, a macro or something open.
  const facts = (row, kind) => (kind === "macro" ? lines(element("b", {}, row.name), row.cell)
    : kind === "open" ? lines(element("b", {}, row.name ?? "shape"), "not connected to the highest layer of the net",
      `${row.net} · ${row.layer}`)
    : lines(
      element("b", {}, row.name ?? row.node ?? "pad"),
      row.name && row.node !== row.name ? row.node : null,
      row.combined_v !== undefined
        ? `${volts(row.vdd_drop_v)} drop, ${volts(row.gnd_bounce_v)} bounce, ${volts(row.combined_v)} together` : null,
      row.drop_v !== undefined ? drop_text(row.drop_v, row.net) : null,
      row.stress_pa !== undefined ? `stress ${stress_text(row.stress_pa)}${row.verdict ? `, tree ${row.verdict}` : ""}`
        : null,
      row.ratio !== undefined ? `${percent(row.ratio, 1)} of ${row.rule ?? amperes(row.limit_a)}` : null,
      [row.voltage_v !== undefined && row.voltage_v !== null ? row.voltage_v.toFixed(6) + " V" : null,
       row.current_a !== undefined ? amperes(row.current_a) : null].filter((part) => part).join(" · "),
      [row.net, row.layer].filter((part) => part).join(" · "), place_of(row)));

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
      if (!is_stress(entry)) label(i / 4, label_of(entry, value));
      else if (Math.abs(i / 4 - limit_label) > 0.045) label(i / 4, in_mpa(value) + (i === 2 ? " MPa" : ""));
    }
    if (limit <= 1) {
      label(limit, "", "limit");
      label(limit_label, "critical", "limit-label");
    }
    return [ramp, labels];
  }
  const note_of = (entry) => !is_stress(entry) ? "" :
    `Steady-state stress: tension is positive, pressure negative. Largest here: ` +
      `${stress_text(entry.worst.stress_pa)} at ${entry.worst.node}; critical, where voids nucleate: ` +
      `${in_mpa(critical_pa)} MPa.`;
  const worst_text = (entry) => note_of(entry)
    || `Worst: ${drop_text(entry.worst.drop_v, entry.worst.net)} at ${entry.worst.node}.`;
  const title_of = (entry) =>
    `${net_title(entry).replace(/^./, (c) => c.toUpperCase())}, layer: ${layer_title(entry)}${view_title(entry)}`;
  const printed_maps = printedMaps(
    {element, of_them, length, entries, is_stress, source_of, pixels_of, title_of, marks_of, drawing, key_of, legend,
    worst_text});

  // ---- what is chosen -----------------------------------------------------------------------------------------------
  const view_chosen = () => view_select?.value;
  const is_viewed = (entry) => entry.view === view_chosen();
  const find_entry = (net, layer) =>
    entries.find((entry) => is_viewed(entry) && entry.net === net && entry.layer === layer);

  function list_nets(wanted) {
    const nets = [...new Set(entries.filter(is_viewed).map((entry) => entry.net))];
    net_select.replaceChildren(
      ...nets.map((net) => element("option", {value: net === null ? "" : "=" + net}, net ?? "all nets")));
    const net = nets.includes(wanted) ? wanted : nets.find((name) => name !== null);
    net_select.value = net === null ? "" : "=" + net;
  }
  function list_layers(wanted) {
    const net = net_select.value ? net_select.value.slice(1) : null;
    const of_net = [...entries.entries()].filter(([, entry]) => is_viewed(entry) && entry.net === net).reverse();
    if (net === null) of_net.sort(([, a], [, b]) => (a.layer !== null) - (b.layer !== null));
    layer_select.replaceChildren(
      ...of_net.map(([index, entry]) => element("option", {value: index}, layer_title(entry))));
    const same = of_net.find(([, entry]) => entry.layer === wanted);
    if (same) layer_select.value = same[0];
  }

  async function draw() {
    const entry = current = entries[Number(layer_select.value)];
    pixels = null;
    byId("legend").replaceChildren(...legend(entry));
    byId("map").setAttribute("aria-label",
      `Map of ${title_of(entry)}. ${worst_text(entry)} Arrow keys move it, plus and minus zoom.`);
    note.textContent = note_of(entry);
    note.hidden = !is_stress(entry);
    const drawn = marks_of(entry, shown());
    marks.clearLayers();
    for (const mark of drawn) {
      const layers = layers_of(mark);
      layers.at(-1).bindPopup(() => facts(mark.row, mark.kind));
      layers.forEach((layer) => layer.addTo(marks));
    }
    byId("map-key").replaceChildren(...key_of(drawn, entry));
    const show_picture = () => {
      const before = overlay;
      overlay = L.imageOverlay(source_of(entry), corners(entry)).addTo(view);
      overlay.bringToBack();
      before?.remove();
    };
    if (!is_of_all(entry)) show_picture();
    const decoded = await pixels_of(entry);
    if (entry !== current) return;
    if (is_of_all(entry)) show_picture();
    pixels = decoded;
    refresh_tip();
    const paper = await printed_maps(entry, failing_nets, shown());
    if (entry === current) byId("map-print").replaceChildren(paper);
  }

  const redraw = () => { view.closePopup(); return draw(); };
  net_select.addEventListener("change", () => { list_layers(current.layer); redraw(); });
  layer_select.addEventListener("change", redraw);
  view_select?.addEventListener("change", () => { list_nets(current.net); list_layers(current.layer); redraw(); });
  byId("map-pads-label").hidden = !has.pads;
  byId("map-em-label").hidden = !has.em;
  for (const box of Object.values(boxes)) box.addEventListener("change", draw);
  roving(byId("map-boxes"), () => Object.values(boxes).filter((box) => !box.closest("[hidden]")));

  // ---- controls: what fits is the whole of the map; at first it is what the net covers ------------------------------
  const fit = () => view.fitBounds(corners(current));
  function add_controls() {
    const button = (sign, title, act) =>
      element("button", {type: "button", title, "aria-label": title, onclick: act}, sign);
    const bar = element("div", {class: "map-buttons", role: "toolbar", "aria-label": "Zoom"},
      button("+", "Zoom in", () => view.zoomIn(1)),
                        button("−", "Zoom out", () => view.zoomOut(1)), button("fit", "Fit the whole map", fit));
    L.DomEvent.disableClickPropagation(bar);
    roving(bar, () => [...bar.children]);
    const control = L.control({position: "topleft"});
    control.onAdd = () => bar;
    control.addTo(view);
  }
  function add_rule() {
    const bar = element("div", {class: "scale"}), rule = L.control({position: "bottomleft"});
    rule.onAdd = () => bar;
    rule.addTo(view);
    const update = () => {
      const per_pixel = length.number(1 / view.getZoomScale(view.getZoom(), 0));
      const most = 140 * per_pixel, power = 10 ** Math.floor(Math.log10(most));
      const long = [5, 2, 1].map((m) => m * power).find((candidate) => candidate <= most);
      bar.style.width = long / per_pixel + "px";
      bar.textContent = length.unit === "µm" && long >= 1000 ? long / 1000 + " mm" : Number(long.toPrecision(3)) + " "
        + length.unit;
    };
    view.on("zoomend", update);
    update();
  }

  // ---- the tooltip tells of the map that is shown, also when another is chosen below a resting pointer --------------
  const tip = L.tooltip({direction: "top", offset: [0, -8]});
  let tip_at = null;
  function refresh_tip() {
    const found = tip_at && pixels && value_at(current, pixels, tip_at);
    if (!found) return tip.remove();
    const {value, net} = found;
    const words = is_stress(current)
      ? [element("b", {}, `≈ ${in_mpa(Math.abs(value))} MPa of ${value < 0 ? "pressure" : "tension"}`),
        value > 0 ? `${percent(value, critical_pa)} of critical` : null]
      : [element("b", {}, "≈ " + drop_text(value, net)), `≈ ${voltage_at(value, net).toFixed(4)} V`];
    tip.setLatLng(tip_at).setContent(
      lines(...words, `${net} · ${layer_title(current)}${view_title(current)}`,
      place_of({x_um: tip_at.lng, y_um: tip_at.lat})));
    if (!view.hasLayer(tip)) tip.addTo(view);
  }
  view.on("mousemove click", ({latlng}) => { tip_at = latlng; refresh_tip(); });
  view.on("mouseout", () => { tip_at = null; refresh_tip(); });

  if (view_select) view_select.value = data.views[0];
  const nets_with_maps = new Set(data.maps.map((entry) => entry.net));
  const failing = failing_nets.filter((net) => nets_with_maps.has(net));
  list_nets(failing.length > 1 && find_entry(null, null) ? null
    : data.worst_nodes.find((node) => nets_with_maps.has(node.net))?.net);
  list_layers(null);
  const first = entries[Number(layer_select.value)];
  view.fitBounds(corners(first));
  add_controls();
  add_rule();
  draw().then(() => { if (pixels && current === first) view.fitBounds(box_of(first, pixels)); });

  const point = makePlacePointer({element, view, corners, length});
  return {
    /// A row that is pointed at in a table; null: none is.
    point_at(row) {
      const entry = row && (current.net === row.net ? current : find_entry(row.net, null) ?? current);
      point(row, entry, entry && (entry.image || entry.source) ? source_of(entry) : null);
    },
    async show_row(row) {
      const wanted = (data.stress_colours && view_of(row)) ?? view_select?.value;
      if (entries.some((entry) => entry.net === row.net && entry.view === wanted)) {
        if (view_select) view_select.value = wanted;
        list_nets(row.net);
        list_layers(current.layer === null ? null : row.layer);
        draw();
      }
      point(null);
      byId("map-section").scrollIntoView({behavior: "smooth", block: "start"});
      const place = [row.y_um, row.x_um];
      view.setView(place, Math.max(view.getZoom(), view.getBoundsZoom(corners(current)) + 2));
      L.popup().setLatLng(place).setContent(facts(row)).openOn(view);
    },
  };
}
