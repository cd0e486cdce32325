// What the maps of a page show: the unit and the colours of each, the values of their pixels, and maps of all nets,
// which are made here of those of each net.
"use strict";
function makeMapEntries({data, element, volts, percent, net_of}) {
  const is_stress = (entry) => entry.high_pa !== undefined;
  const is_of_all = (entry) => entry.net === null;
  const colours_of = (entry) => (is_stress(entry) ? data.stress_colours : data.colours);
  const range_of = (entry) => (is_stress(entry) ? [entry.low_pa, entry.high_pa] : [entry.low_v, entry.high_v]);
  const in_mpa = (pa) => String(Number((1e-6 * pa).toPrecision(3))).replace("-", "−");
  const label_of = (entry, value) =>
    (is_stress(entry) ? in_mpa(value) : entry.is_share ? percent(value, 1) : volts(value));

  const step_of_colour = new Map([data.colours, data.stress_colours ?? []].map((colours) =>
    [colours, new Map(colours.map((colour, step) => [parseInt(colour.slice(1), 16), step]))]));

  /// Value per pixel, from its colour: exact to half a step of the scale; NaN where there is none.
  async function decoded(entry) {
    const image = new Image();
    image.src = entry.source ?? "data:image/png;base64," + entry.image;
    await image.decode();
    const {naturalWidth: width, naturalHeight: height} = image;
    const context = element("canvas", {width, height}).getContext("2d");
    context.drawImage(image, 0, 0);
    const bytes = context.getImageData(0, 0, width, height).data;
    const colours = colours_of(entry), steps = step_of_colour.get(colours) ?? step_of_colour.get(data.colours);
    const [low, high] = range_of(entry);
    const values = new Float32Array(width * height);
    for (let i = 0; i < values.length; ++i) {
      const step = bytes[4 * i + 3] ? steps.get((bytes[4 * i] << 16) | (bytes[4 * i + 1] << 8) | bytes[4 * i + 2])
        : undefined;
      values[i] = step === undefined ? NaN : low + ((step + 0.5) * (high - low)) / colours.length;
    }
    return {width, height, values, nets: null};
  }

  // ---- all nets together: at each pixel the net that drops most, as a share of its supply where supplies differ -----
  function all_nets(view, layer) {
    const parts = data.maps.filter((entry) => entry.view === view && entry.layer === layer && !is_stress(entry));
    if (parts.length < 2) return null;
    const supplies = parts.map((entry) => net_of.get(entry.net)?.supply_v);
    const is_share = supplies.every((supply) => supply > 0) && new Set(supplies).size > 1;
    const per_volt = parts.map((entry, i) => (is_share ? 1 / supplies[i] : 1));
    const worst = parts.map((entry, i) => entry.worst.drop_v * per_volt[i]);
    const most = worst.indexOf(Math.max(...worst));
    const {left_um, right_um, bottom_um, top_um} = parts[most];
    return {
      net: null, layer, view, parts, per_volt, is_share, left_um, right_um, bottom_um, top_um, worst: parts[most].worst,
      low_v: Math.min(...parts.map((entry, i) => entry.low_v * per_volt[i])),
      high_v: Math.max(...parts.map((entry, i) => entry.high_v * per_volt[i])),
    };
  }

  async function drawn_of_all(entry) {
    let all = null;
    for (const [k, part] of entry.parts.entries()) {
      const {width, height, values} = await decoded(part);
      all ??= {width, height, values: new Float32Array(width * height).fill(NaN),
        nets: new Uint16Array(width * height)};
      for (let i = 0; i < values.length; ++i) {
        const value = values[i] * entry.per_volt[k];
        if (value <= all.values[i] || Number.isNaN(value)) continue;
        all.values[i] = value;
        all.nets[i] = k;
      }
    }
    const canvas = element("canvas", {width: all.width, height: all.height}), context = canvas.getContext("2d");
    const picture = context.createImageData(all.width, all.height), pixels = new Uint32Array(picture.data.buffer);
    const colours = data.colours.map((colour) =>
      new Uint32Array(new Uint8Array([...[1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)), 255])
      .buffer)[0]);
    for (let i = 0; i < pixels.length; ++i) {
      const share = (all.values[i] - entry.low_v) / (entry.high_v - entry.low_v);
      if (!Number.isNaN(share)) pixels[i] =
        colours[Math.min(colours.length - 1, Math.max(0, Math.floor(share * colours.length)))];
    }
    context.putImageData(picture, 0, 0);
    entry.source = canvas.toDataURL();
    return all;
  }

  const made = new Map();  // maps of all nets, with their pixels
  const entries_of_all = [...new Set(data.maps.map((entry) => entry.view))].flatMap((view) =>
    [...new Set(data.maps.filter((entry) => entry.view === view).map((entry) => entry.layer))]
      .map((layer) => all_nets(view, layer)))
    .filter((entry) => entry);

  async function pixels_of(entry) {
    if (!is_of_all(entry)) return decoded(entry);
    if (!made.has(entry)) made.set(entry, drawn_of_all(entry));
    return made.get(entry);
  }

  /// Once its pixels were asked for.
  const source_of = (entry) => entry.source ?? "data:image/png;base64," + entry.image;

  /// Value and net at a place; null where there is none.
  function value_at(entry, pixels, {lat, lng}) {
    const x = Math.floor(((lng - entry.left_um) / (entry.right_um - entry.left_um)) * pixels.width);
    const y = Math.floor(((entry.top_um - lat) / (entry.top_um - entry.bottom_um)) * pixels.height);
    if (x < 0 || y < 0 || x >= pixels.width || y >= pixels.height) return null;
    const value = pixels.values[y * pixels.width + x];
    if (Number.isNaN(value)) return null;
    const k = pixels.nets?.[y * pixels.width + x];
    return k === undefined ? {value, net: entry.net} : {value: value / entry.per_volt[k], net: entry.parts[k].net};
  }

  /// The corners of what has values.
  function box_of(entry, {width, height, values}) {
    let left = width, right = -1, top = height, bottom = -1;
    for (let y = 0, i = 0; y < height; ++y)
      for (let x = 0; x < width; ++x, ++i) {
        if (Number.isNaN(values[i])) continue;
        left = Math.min(left, x), right = Math.max(right, x), top = Math.min(top, y), bottom = y;
      }
    if (right < 0) return corners(entry);
    const at_x = (x) => entry.left_um + (x / width) * (entry.right_um - entry.left_um);
    const at_y = (y) => entry.top_um - (y / height) * (entry.top_um - entry.bottom_um);
    return [[at_y(bottom + 1), at_x(left)], [at_y(top), at_x(right + 1)]];
  }
  const corners = (entry) => [[entry.bottom_um, entry.left_um], [entry.top_um, entry.right_um]];

  return {
    entries: [...entries_of_all, ...data.maps], is_stress, is_of_all, colours_of, range_of, label_of, in_mpa,
    pixels_of, source_of, value_at, box_of, corners,
  };
}
