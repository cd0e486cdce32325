// Tables on what flows where and why nodes drop, as lists of cards. Names enter the page as text only.
"use strict";
function makeWhere(report, page) {
  const {
    table_card, fact_columns, field, element, volts, amperes, length, quantity, grouped, drops_title,
  } = page;
  const ohms = (r) => quantity(r, "Ω");
  const watts = (w) => quantity(w, "W");
  // The loads listed, all others, and what is there without loads: together the drop. Parts that are absent are not
  // told.
  const parts_of_drop = (why) => [...why.loads,
    ...(why.other_loads.count
      ? [{source: `${grouped(why.other_loads.count)} other loads`, drop_v: why.other_loads.drop_v}] : []),
    ...[["what capacitors take", why.capacitors_v], ["across inductors", why.inductors_v],
      ["without any load", why.unequal_sources_v]]
      .filter(([, part]) => Math.abs(part) > 1e-6 * Math.abs(why.drop_v))
        .map(([source, part]) => ({source, drop_v: part}))];
  const percent = (share) => (share === null ? "n/a" : (100 * share).toFixed(2) + " %");

  /// `more`: columns after the drop.
  function hot_spots(show_on_map, ...more) {
    const {hot_spots: spots, hot_spots_in_all: in_all, hot_spot_distance_um: distance} = report.where;
    if (!spots.length) return [];
    const how_many = in_all > spots.length ? `${grouped(spots.length)} of ${grouped(in_all)} ` : "";
    const apart = distance ? ` at least ${Number(length.number(distance).toPrecision(4))} ${length.unit} apart` : "";
    return [table_card("Hot spots", [
      field("Node", "node"), field("Net", "net"), field("Layer", "layer"),
      field(`x, ${length.unit}`, "x_um", length.show), field(`y, ${length.unit}`, "y_um", length.show),
      field(drops_title, "drop_v", volts), ...more, field("Nearest pad", "pad"),
      field(`${length.unit} away`, "pad_distance_um", length.show),
    ], spots, {on_row: show_on_map, note: `${how_many}local maxima${apart}`})];
  }

  const part_name = (share) => share.layer
    ?? {unlayered: "unknown layer", sources: share.segments ? "sources, other nets" : "sources"}[share.part]
    ?? share.part;
  const drop_shares = () => report.where.drop_shares.map((of) =>
    table_card(`Where the ${volts(of.drop_v)} at ${of.node} fall`, [
      {title: "Part", value: part_name}, field("Segments", "segments", grouped), field("Drop", "drop_v", volts),
      {title: "Of it", value: (share) => (of.drop_v > 0 ? share.drop_v / of.drop_v : null), show: percent},
      field("Certified to", "bound_v", volts),
    ], of.shares, {whole: true, note: `net ${of.net}; the shares add up to the drop`}));

  const pad_note = (of) => [of.places.length ? ""
    : `of ${grouped(of.candidates)} free nodes none gains 0.1 % of the drop`,
    `${ohms(of.pad_resistance_ohm)}${of.median_of ? `, the median of ${grouped(of.median_of)}` : ""}`,
    of.layers.length ? `on ${of.layers.join(", ")}` : "",
    of.is_best || !of.candidates ? "" : `best of ${grouped(of.tried)} tried`].filter((part) => part).join("; ");
  const pad_gains = () => report.where.pad_gains.map((of) =>
    table_card(`Where one more pad lowers the ${volts(of.drop_v)} at ${of.node} most`, [
      field("Pad at", "node"), field("Layer", "layer"), field("Gain", "gain_v", volts),
      field("Worst drop then", "worst_drop_v", volts),
      field("Certified to", "bound_v", volts), field("At", "worst_node"),
    ], of.places, {note: `net ${of.net}; ${pad_note(of)}`}));

  /// `when`: " at 1.2 ns", of a moment.
  const explanations = (when = "") => report.where.explanations.flatMap((why) => {
    const w = why.widening;
    const parts = element("div", {class: "columns"});
    parts.append(
      table_card(`Why ${why.node} drops${when}`, fact_columns, [
        [drops_title, volts(why.drop_v)], ["Resistance between it and the sources", ohms(why.effective_resistance_ohm)],
        ["Path of least resistance",
          why.path.pad === null ? "no pad of its net can be reached"
          : `${ohms(why.path.resistance_ohm)} to ${why.path.pad}`],
        ["Widening the segments below",
          why.segments.length ? `by ${Number((100 * w.by).toPrecision(4))} % gains ${volts(w.gain_v)} ` +
          `(${volts(w.predicted_gain_v)} predicted)` : "none would help"],
      ], {whole: true}),
      table_card("Its path, by layer", [
        field("Layer", "layer"), field("Segments", "segments", grouped), field("Resistance", "resistance_ohm", ohms),
        field("Drop", "drop_v", volts),
      ], why.path.layers, {whole: true}),
      table_card("Loads that drop it most", [
        field("Load", "source"), field("Current", "current_a", (a) => (a === undefined ? "" : amperes(a))),
        field("Sees", "resistance_ohm", (r) => (r === undefined ? "" : ohms(r))), field("Of the drop", "drop_v", volts),
      ], parts_of_drop(why)));
    if (!why.segments.length) return [parts];
    return [parts, table_card(`Segments that would lower ${why.node} most`, [
        field("Segment", "resistor"), field("Layer", "layer"), field("From", "from"), field("To", "to"),
        field("Current", "current_a", amperes),
        {title: "Gain of 1 % wider", value: (row) => -0.01 * row.sensitivity_v, show: volts},
      ], why.segments)];
  });

  const segments = () => !report.segments.layers.length ? [] : [table_card("Segments", [
      field("Net", "net"), field("Layer", "layer"), field("Segments", "segments", grouped),
      field("Largest current", "largest_current_a", amperes),
      field("Average", "average_current_a", amperes), field("Power", "power_w", watts),
      {title: "Largest in", value: (row) => row.largest?.resistor ?? ""},
    ], report.segments.layers, {note: "by layer; segments.csv has all"})];

  const power_card = (power = report.power) => [table_card("Power", fact_columns, [
    ["Delivered by sources", watts(power.sources_w)], ["Taken by loads", watts(power.loads_w)],
    ["Dissipated in resistors", watts(power.dissipated_w)],
    ["Sum of the last two minus the first", watts(power.loads_w + power.dissipated_w - power.sources_w)],
    ["Largest pad", report.pads.worst
      ? `${report.pads.worst.name}: ${amperes(report.pads.worst.current_a)}, ${percent(report.pads.worst.share)} of ` +
      `its net` : "none"],
  ], {whole: true})];

  return {hot_spots, drop_shares, pad_gains, explanations, segments, power_card};
}
