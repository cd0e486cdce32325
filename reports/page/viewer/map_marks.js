// What is marked on maps, and how: on the screen by Leaflet, on paper and in the key as SVG. Kinds differ by their
// form, not by colour alone.
"use strict";
function makeMapMarks({data, element, is_stress}) {
  const dark = "#111418", light = "#ffffff";
  const kinds = {
    macro: {words: "macro"},
    open: {words: "not connected"},
    em_below: {words: "within its EM limit", colour: "#2a7de1", width: 2},
    em_near: {colour: "#e08a00", width: 4, dashes: [7, 5]},
    em_over: {words: "above its EM limit", colour: "#d5222a", width: 5, is_cased: true},
    pad: {words: "pad"},
    spot: {words: "hot spot"},
    worst: {words: "worst node"},
  };
  const share = data.report.em?.share ?? 1;
  const em_kind = (row) => (row.limit_a !== undefined || row.ratio > share ? "em_over" : row.ratio > 0.8 * share
    ? "em_near" : "em_below");
  const segments = [...(data.em_segments ?? []), ...(data.over_em_limits ?? [])]
    .filter((row) => !row.ends_um.includes(null));
  const pads = [
    ...data.pads.filter((pad) => pad.x_um !== null),
    ...(data.more_pads ?? []).map(([net, x_um, y_um]) => ({net: data.report.nets[net].name, x_um, y_um})),
  ];
  const has = {pads: pads.length > 0, em: segments.length > 0};

  /// Of the net and layer of a map: {kind, row, at | line | box}, what is drawn first first.
  function marks_of(entry, shown) {
    const of_net = (row) => entry.net === null || row.net === entry.net;
    const of_layer = (row) => entry.layer === null || row.layer === undefined || row.layer === null
      || row.layer.split("-").includes(entry.layer);
    const here = (row) => of_net(row) && of_layer(row);
    const marks = (data.macros ?? []).map((row) => ({kind: "macro", row, box: row}));
    for (const row of data.report.opens?.listed ?? [])
      if (here(row)) marks.push(row.kind === "terminal" ? {kind: "open", row, at: [row.left_um, row.bottom_um]}
        : {kind: "open", row, box: row});
    if (shown.em) {
      const drawn = segments.filter(here).map((row) => ({kind: em_kind(row), row, line: row.ends_um}));
      for (const kind of ["em_below", "em_near", "em_over"]) marks.push(...drawn.filter((mark) => mark.kind === kind));
    }
    if (shown.pads) marks.push(...pads.filter(of_net).map((row) => ({kind: "pad", row, at: [row.x_um, row.y_um]})));
    if (shown.spots) {
      const spots = ((is_stress(entry) ? data.stress_trees : data.report.where?.hot_spots) ?? [])
        .filter((row) => row.x_um !== null && here(row));
      marks.push(...spots.filter((row) => row.node !== entry.worst.node).reverse()
        .map((row) => ({kind: "spot", row, at: [row.x_um, row.y_um]})));
      if (entry.worst.x_um !== null) marks.push(
        {kind: "worst", row: entry.worst, at: [entry.worst.x_um, entry.worst.y_um]});
    }
    return marks;
  }

  // ---- on the screen ------------------------------------------------------------------------------------------------
  // A square of a size in pixels, which Leaflet lacks.
  const Square = L.CircleMarker.extend({_updatePath() { this._renderer._updateSquare(this); }});
  L.Canvas.include({
    _updateSquare(layer) {
      if (!this._drawing || layer._empty()) return;
      const {x, y} = layer._point, half = layer._radius;
      this._ctx.beginPath();
      this._ctx.rect(x - half, y - half, 2 * half, 2 * half);
      this._fillStroke(this._ctx, layer);
    },
  });
  const ends = (box) => [[box.bottom_um, box.left_um], [box.top_um, box.right_um]];
  const line_of = ([x0, y0, x1, y1]) => [[y0, x0], [y1, x1]];

  /// Leaflet's layers of a mark, the last of which takes clicks.
  function layers_of({kind, at, line, box}) {
    const place = at && [at[1], at[0]];
    if (kind === "macro") return [L.rectangle(ends(box), {color: "#7a828c", weight: 1, fill: false})];
    if (kind === "open") {
      const style = {color: dark, weight: 1.5, dashArray: "3 3", fillColor: light, fillOpacity: 0.4};
      return [at ? L.circleMarker(place, {radius: 4, ...style}) : L.rectangle(ends(box), style)];
    }
    if (kind === "pad") return [new Square(place,
      {radius: 4, color: dark, weight: 1.5, fillColor: light, fillOpacity: 0.9})];
    if (kind === "spot") return [L.circleMarker(place,
      {radius: 5, color: light, weight: 1.5, fillColor: dark, fillOpacity: 0.8})];
    if (kind === "worst")
      return [L.circleMarker(place, {radius: 9, color: dark, weight: 6, fill: false, interactive: false}),
              L.circleMarker(place, {radius: 9, color: light, weight: 3, fillColor: dark, fillOpacity: 0.25})];
    const {colour, width, dashes, is_cased} = kinds[kind];
    const style = {color: colour, weight: width, dashArray: dashes?.join(" "), lineCap: "butt"};
    const is_via = line[0] === line[2] && line[1] === line[3];
    const shape = (more) => (is_via
      ? L.circleMarker([line[1], line[0]], {radius: 4, fill: false, ...style, ...more, weight: more.weight ? 5 : 2.5})
                                    : L.polyline(line_of(line), {...style, ...more}));
    return [...(is_cased ? [shape({color: light, weight: width + 4, interactive: false})] : []), shape({})];
  }

  // ---- as SVG -------------------------------------------------------------------------------------------------------
  const svg = (tag, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(key, value);
    return node;
  };
  function symbol_at(kind, x, y) {
    if (kind === "pad") return [svg("rect",
      {x: x - 3.5, y: y - 3.5, width: 7, height: 7, fill: light, stroke: dark, "stroke-width": 1.5})];
    if (kind === "spot") return [svg("circle", {cx: x, cy: y, r: 4.5, fill: dark, stroke: light, "stroke-width": 1.5})];
    if (kind === "open") return [svg("circle",
      {cx: x, cy: y, r: 4, fill: light, "fill-opacity": 0.5, stroke: dark, "stroke-dasharray": "2 2"})];
    return [svg("circle", {cx: x, cy: y, r: 7, fill: "none", stroke: dark, "stroke-width": 4.5}),
      svg("circle", {cx: x, cy: y, r: 7, fill: "none", stroke: light, "stroke-width": 2})];
  }
  function line_symbol(kind, x0, y0, x1, y1) {
    const {colour, width, dashes, is_cased} = kinds[kind];
    const line = (stroke, weight, dash) => (x0 === x1 && y0 === y1
      ? svg("circle", {cx: x0, cy: y0, r: 3, fill: "none", stroke, "stroke-width": weight / 2})
      : svg("line", {x1: x0, y1: y0, x2: x1, y2: y1, stroke, "stroke-width": weight, "stroke-dasharray": dash}));
    return [...(is_cased ? [line(light, 0.7 * width + 2)] : []),
      line(colour, 0.7 * width, dashes?.map((d) => 0.7 * d).join(" "))];
  }
  const box_symbol = (kind, x, y, width, height) =>
    [svg("rect", {x, y, width, height, fill: "none", stroke: kind === "macro" ? "#7a828c" : dark,
      "stroke-dasharray": kind === "open" ? "2 2" : undefined})];

  /// A picture of marks over a map, in pixels of paper: to_x and to_y say where a coordinate is.
  function drawing(marks, width, height, to_x, to_y) {
    const picture = svg("svg", {viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"});
    for (const {kind, at, line, box} of marks) {
      if (at) picture.append(...symbol_at(kind, to_x(at[0]), to_y(at[1])));
      else if (line) picture.append(...line_symbol(kind, to_x(line[0]), to_y(line[1]), to_x(line[2]), to_y(line[3])));
      else picture.append(...box_symbol(kind, to_x(box.left_um), to_y(box.top_um),
        to_x(box.right_um) - to_x(box.left_um), to_y(box.bottom_um) - to_y(box.top_um)));
    }
    return picture;
  }

  /// What the marks of a map mean.
  function key_of(marks, entry) {
    const present = Object.keys(kinds).reverse().filter((kind) => marks.some((mark) => mark.kind === kind));
    const words = (kind) => (kind === "spot" && is_stress(entry) ? "worst of its tree" : kind === "em_near"
      ? `from ${Number((80 * share).toPrecision(3))} % of its EM limit` : kinds[kind].words);
    return present.map((kind) => {
      const picture = svg("svg", {viewBox: "0 0 26 18", width: 26, height: 18, "aria-hidden": "true", class: "symbol"});
      picture.append(svg("rect", {width: 26, height: 18, rx: 3, fill: kind === "macro" ? "#17134a" : "#8f6aa8"}),
        ...(kinds[kind].colour ? line_symbol(kind, 3, 9, 23, 9) : kind === "macro" ? box_symbol(kind, 5, 4, 16, 10)
          : symbol_at(kind, 13, 9)));
      return element("li", {}, picture, words(kind));
    });
  }

  return {marks_of, layers_of, drawing, key_of, has};
}
