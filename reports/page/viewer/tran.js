// Draws the page of a dynamic run from the JSON in #data, with the tools of page.js.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const report = data.report, run = report.simulation;
  data.worst_nodes.sort((a, b) => b.drop_v - a.drop_v);
  const byId = (id) => document.getElementById(id);
  const page = makePage(data);
  const {
    element, grouped, of_them, quantity, volts, amperes, length, day, bytes, percent, drop_word, drops, net_of, supply_of, figure, net_figures, table_card,
    field, fact_columns, shown, limits_card, findings_card, instance_columns, em_card,
  } = page;
  const {net_colour, dash, short, axis, prepare_charts, limit_lines, with_limits, limits_text} = makeCharts(page);
  const seconds = (s) => quantity(s, "s");
  const has_scenarios = run.scenarios > 1;
  const scenario_name = (index) => report.scenarios[index].name;
  const in_scenario = (index) => (has_scenarios ? `, scenario ${scenario_name(index)}` : "");

  // ---- verdict and figures ------------------------------------------------------------------------------------------
  function verdict() {
    const badges = [];
    if (report.limit_exceeded) badges.push(["bad", "Limit exceeded"]);
    else if (report.limits.some((limit) => limit.undecided)) badges.push(["warn", "Limits undecided"]);
    else if (report.limits.length) badges.push(["good", "Within limits"]);
    else badges.push(["neutral", "No limit set"]);
    if (report.accuracy.estimated) badges.push(["warn", "Accuracy estimated"]);
    else if (!report.accuracy.bounded) badges.push(["warn", "Not certified"]);
    else if (!report.accuracy.tolerance_met) badges.push(["warn", "Tolerance not reached"]);
    return badges.map(([kind, text]) => element("span", {class: "badge " + kind}, text));
  }

  function figures() {
    const cards = net_figures((net) => `at ${seconds(net.worst_time_s)}${in_scenario(net.worst_scenario)}, ${net.worst_node}`);
    const a = report.accuracy;
    cards.push(figure("Equations of a step", a.bounded || a.estimated ? "± " + volts(Math.max(a.step_error_v, a.operating_point_error_v)) : "none",
                      a.estimated ? "estimated, as the matrix of a step is no M-matrix; nothing is proved" : a.bounded ? `certified; ${volts(a.accumulated_error_v)} over all steps, ${a.accumulated_is_guaranteed ? "guaranteed" : "an estimate"}` : "no error bound could be proved"));
    cards.push(figure("Time error", volts(a.local_time_error_v), "in a single step, estimated"));
    cards.push(figure("Simulated", seconds(run.stop_s), `${of_them(run.steps, "step")} of ${seconds(run.largest_step_s)}, ${run.method}, ${report.engine.name} on ${report.engine.device}`));
    return cards;
  }

  // ---- waveforms: drag to zoom into a span of time, both charts together; a double click shows all again -------------
  const charts = [];
  const scale_time = [[1e-12, "ps"], [1e-9, "ns"], [1e-6, "µs"], [1e-3, "ms"], [1, "s"]].reverse().find(([s]) => run.stop_s >= 2 * s) ?? [1e-12, "ps"];

  function show_span(from, to) {
    for (const chart of charts) {
      const x = chart.options.scales.x, y = chart.options.scales.y;
      x.min = from;
      x.max = to;
      const seen = from === undefined ? [] : chart.data.datasets.flatMap((set, i) => (chart.isDatasetVisible(i) ? set.data : [])
        .filter((point) => point.x >= from && point.x <= to).map((point) => point.y));
      const low = seen.reduce((a, b) => Math.min(a, b), Infinity), high = seen.reduce((a, b) => Math.max(a, b), -Infinity);
      const margin = 0.05 * (high - low);
      y.min = margin > 0 ? low - margin : undefined;
      y.max = margin > 0 ? high + margin : undefined;
      chart.update();
    }
    byId("whole").disabled = from === undefined;
  }

  function zoom_by_dragging(chart) {
    const canvas = chart.canvas;
    const band = element("div", {class: "band"});
    band.hidden = true;
    canvas.parentElement.append(band);
    let begun = null;
    const at = (event) => {
      const {left, right} = chart.chartArea;
      return Math.min(right, Math.max(left, event.clientX - canvas.getBoundingClientRect().left));
    };
    canvas.addEventListener("pointerdown", (event) => { begun = at(event); canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", (event) => {
      if (begun === null) return;
      const now = at(event);
      band.hidden = Math.abs(now - begun) < 4;
      band.style.left = Math.min(now, begun) + "px";
      band.style.width = Math.abs(now - begun) + "px";
    });
    canvas.addEventListener("pointerup", (event) => {
      const ends = [begun, at(event)].sort((a, b) => a - b);
      const is_drag = begun !== null && ends[1] - ends[0] >= 4;
      begun = null;
      band.hidden = true;
      if (is_drag) show_span(...ends.map((pixel) => chart.scales.x.getValueForPixel(pixel)));
    });
    canvas.addEventListener("pointercancel", () => { begun = null; band.hidden = true; });
    canvas.addEventListener("dblclick", () => show_span());
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      const x = chart.scales.x, centre = x.getValueForPixel(at(event)), factor = event.deltaY + event.deltaX > 0 ? 1.25 : 0.8;
      const whole = [data.waveforms.from_s, data.waveforms.to_s].map((t) => t / scale_time[0]);
      const from = Math.max(whole[0], centre - (centre - x.min) * factor), to = Math.min(whole[1], centre + (x.max - centre) * factor);
      if (from <= whole[0] && to >= whole[1]) show_span(); else show_span(from, to);
    }, {passive: false});
  }

  /// `limits`: {value, text} in the unit of the chart.
  function wave_card(title, unit, scale, curves, limits) {
    const shown_at_first = 8;
    const canvas = element("canvas", {"aria-label": `${title}${limits.length ? `; ${limits_text(limits)}` : ""}; the tables have the worst of each`, role: "img"});
    const card = element("div", {class: "card"}, element("div", {class: "bar"}, element("h2", {}, title)), element("div", {class: "chart waves"}, canvas));
    byId("waveforms").append(card);
    const values = curves.flatMap((curve) => curve.value).filter((value) => value !== null);
    const ends = [Math.min, Math.max].map((end) => scale * values.reduce((a, b) => end(a, b), values[0]));
    const chart = new Chart(canvas, {
      type: "line",
      data: {datasets: curves.map((curve, i) => ({
        label: short(curve.name), data: curve.time_s.map((t, k) => ({x: t / scale_time[0], y: curve.value[k] * scale})),
        borderColor: net_colour(i), backgroundColor: net_colour(i), pointRadius: 0, pointHitRadius: 6, borderWidth: 1.4, borderDash: dash(i), hidden: i >= shown_at_first,
      }))},
      options: {
        parsing: false, normalized: true, interaction: {mode: "nearest", axis: "x", intersect: false},
        plugins: {legend: {labels: {boxWidth: 26}}, tooltip: {callbacks: {title: ([item]) => `${item.parsed.x.toPrecision(6)} ${scale_time[1]}`, label: (item) => `${curves[item.datasetIndex].name}: ${item.parsed.y.toPrecision(6)} ${unit}`}}},
        scales: {x: {type: "linear", ...axis(`time, ${scale_time[1]}`)}, y: {...with_limits(...ends, limits), ...axis(unit)}},
      },
      plugins: [limit_lines(limits, "y")],
    });
    charts.push(chart);
    zoom_by_dragging(chart);
    return card;
  }

  /// Limits on the worst drops of nets, as drops, or as the voltage at which the node of such a net exceeds them.
  const worst_limits = report.limits.filter((limit) => limit.quantity === "worst" && !limit.layer && limit.limit_v);
  const limits_of_drops = () => worst_limits.map(({net, limit_v}) => ({
    value: 1e3 * limit_v, net: worst_limits.some((other) => other.limit_v !== limit_v) ? short(net) : null, text: `limit ${volts(limit_v)}`,
  }));
  const limits_of_voltages = (name) => worst_limits.filter(({net}) => net === name).map(({limit_v}) => {
    const {is_ground, nominal_v} = net_of.get(name);
    return {value: is_ground ? limit_v : nominal_v < 0 ? nominal_v + limit_v : nominal_v - limit_v, text: `limit: ${drop_word(net_of.get(name))} of ${volts(limit_v)}`};
  });

  function waveforms() {
    prepare_charts();
    const w = data.waveforms;
    if (w.nets.length) {
      const card = wave_card("Worst drop of each net over time", "mV", 1e3, w.nets, limits_of_drops());
      const whole = element("button", {type: "button", id: "whole", class: "plain", onclick: () => show_span()}, "whole time");
      whole.disabled = true;
      card.firstChild.append(element("span", {class: "muted not-on-paper"}, "drag to zoom"), whole);
    }
    for (const net of new Set(w.probes.map((curve) => curve.net)))
      wave_card(`Recorded nodes${net ? " of " + net : ""}`, "V", 1, w.probes.filter((curve) => curve.net === net), limits_of_voltages(net));
  }

  // ---- tables -------------------------------------------------------------------------------------------------------
  function tables() {
    const show_on_map = {applies: (row) => data.maps.length && row.x_um !== null, act: (row) => map.show_row(row), point: (row) => map.point_at(row)};
    const scenario_column = has_scenarios ? [field("Scenario", "scenario")] : [];
    const cards = [...limits_card(), ...em_card(show_on_map)];

    if (report.nets.length) cards.push(table_card("Nets", [
      field("Net", "name"), {title: "Kind", value: drop_word}, field("Worst", "worst_drop_v", volts),
      {title: "Of supply", value: (n) => (n.supply_v ? n.worst_drop_v / n.supply_v : null), show: (v, n) => percent(n.worst_drop_v, n.supply_v)},
      field("At", "worst_time_s", seconds), ...(has_scenarios ? [{title: "Scenario", value: (n) => scenario_name(n.worst_scenario)}] : []), field("Node", "worst_node"),
      field("Average", "average_drop_v", volts), ...["p50", "p99"].map((p) => ({title: p, value: (n) => n.percentiles_v[p], show: volts})),
      field("Overshoot", "overshoot_v", volts), field("Nodes", "nodes", grouped), field("Pads", "pads", grouped),
    ], report.nets, {note: "every node at its worst moment"}));

    if (has_scenarios) {
      const rows = report.scenarios.flatMap((scenario) => scenario.nets.map((net) => ({scenario: scenario.name, ...net}))).sort((a, b) => b.worst_drop_v - a.worst_drop_v);
      cards.push(table_card("Scenarios", [
        field("Scenario", "scenario"), field("Net", "net"), field("Worst", "worst_drop_v", volts), field("At", "time_s", seconds), field("Node", "worst_node"),
      ], rows));
    }

    if (report.windows.length) cards.push(table_card("Windows", [
      field("From", "begin_s", seconds), field("To", "end_s", seconds), field("Net", "net"), field("Worst", "worst_drop_v", volts),
      field("At", "time_s", seconds), field("Node", "worst_node"),
    ], report.windows, {note: shown(report.windows.length, data.windows_count)}));

    if (data.worst_nodes.length) cards.push(table_card("Worst nodes", [
      field("Node", "node"), field("Net", "net"), field("Layer", "layer"), field(`x, ${length.unit}`, "x_um", length.show), field(`y, ${length.unit}`, "y_um", length.show),
      field("Worst", "drop_v", volts), {title: "Of supply", value: (n) => (supply_of(n.net) ? n.drop_v / supply_of(n.net) : null), show: (v, n) => percent(n.drop_v, supply_of(n.net))},
      field("At", "time_s", seconds), ...scenario_column, field("Average", "average_drop_v", volts), field("RMS", "rms_drop_v", volts), field("Overshoot", "overshoot_v", volts),
    ], data.worst_nodes, {on_row: show_on_map, note: "the worst of each net"}));

    if (data.instances.length) cards.push(table_card("Instances", [
      field("Instance", "name"), ...(data.instances[0].cell ? [field("Cell", "cell")] : []), ...instance_columns, field("At", "time_s", seconds),
      field(`x, ${length.unit}`, "x_um", length.show), field(`y, ${length.unit}`, "y_um", length.show),
    ], data.instances, {on_row: show_on_map, note: shown(data.instances.length, report.instances.count) ?? "at one moment"}));

    if (data.pads.length) cards.push(table_card("Pads", [
      field("Source", "name"), field("Net", "net"), field("Node", "node"), field("Peak", "peak_a", amperes), field("At", "peak_time_s", seconds),
      field("RMS", "rms_a", amperes), field("Average", "average_a", amperes), field(`x, ${length.unit}`, "x_um", length.show), field(`y, ${length.unit}`, "y_um", length.show),
    ], data.pads, {on_row: show_on_map, note: shown(data.pads.length, report.pads.count)}));

    if (report.segments) cards.push(table_card("Segments", [
      field("Net", "net"), field("Layer", "layer"), field("Segments", "segments", grouped), field("Largest peak", "largest_current_a", amperes),
      {title: "In", value: (row) => row.largest?.resistor ?? ""}, field("Average of the peaks", "average_current_a", amperes), field("Average power", "power_w", (w) => quantity(w, "W")),
    ], report.segments.layers, {note: "by layer; segments.csv has all"}));

    cards.push(...findings_card());
    const a = report.accuracy, charge = (c) => quantity(c, "C");
    const facts = element("div", {class: "columns"});
    facts.append(
      table_card("Accuracy", fact_columns, [
        ["Operating point within", a.bounded || a.estimated ? volts(a.operating_point_error_v) : "no bound proved"],
        ["Equations of every step within", a.estimated ? `about ${volts(a.step_error_v)}, estimated` : a.bounded ? volts(a.step_error_v) : "no bound proved"],
        ["Asked for", `${volts(a.tolerance_v)} in every step, ${a.tolerance_met ? "met" : "missed"}`],
        ["Sum over all steps", `${volts(a.accumulated_error_v)}, ${a.accumulated_is_guaranteed ? "guaranteed" : "an estimate"}`],
        ["Time error of a step", `${volts(a.local_time_error_v)}, estimated`],
        ["Charge supplied", charge(report.charge.supplied_c)], ["Charge drawn", charge(report.charge.drawn_c)], ["Charge stored", charge(report.charge.stored_c)],
        ["Supplied − drawn − stored", charge(report.charge.imbalance_c)],
      ], {whole: true}),
      table_card("Run", fact_columns, [
        ["Version", "Gridiron " + report.tool_version], ["Input", `${report.input.path}, ${bytes(report.input.bytes)}`],
        ["Netlist", [["nodes", "node"], ["resistors", "resistor"], ["capacitors", "capacitor"], ["inductors", "inductor"], ["current_sources", "current source"], ["voltage_sources", "voltage source"]]
          .map(([key, what]) => of_them(report.input[key], what)).join(", ")],
        ["Simulation", `${run.method}, ${seconds(run.start_s)} to ${seconds(run.stop_s)}, ${of_them(run.steps, "step")} of ${of_them(run.step_sizes, "size")}, ${of_them(run.scenarios, "scenario")}`],
        ...(data.engine_is_direct && run.iterations === 0 ? [] : [["Iterations", `${grouped(run.iterations)}, at most ${grouped(run.most_iterations)} in a step`]]),
        ["Engine", `${report.engine.name} on ${report.engine.device}, ${of_them(report.engine.threads, "thread")}`],
        ["Peak memory", bytes(report.peak_memory_bytes)],
      ], {whole: true}),
      table_card("Time", [field("Step", 0), field("Seconds", 1, (s) => s.toFixed(4))], Object.entries(report.timings_s), {whole: true}));
    cards.push(facts);
    return cards;
  }

  byId("title").textContent = data.name;
  byId("subtitle").textContent = ["Dynamic IR drop", report.input.path, of_them(report.input.nodes, "node"), day(report.run.date)]
    .filter((part) => part).join(" · ");
  byId("verdict").append(...verdict());
  byId("figures").append(...figures());
  waveforms();
  byId("map-view").append(...data.views.map((view) => element("option", {value: view}, view)));
  const map = makeMap({data, roving, ...page});
  byId("tables").append(...tables());
  byId("footer").textContent = [`Gridiron ${report.tool_version}`, day(report.run.date), report.run.command].filter((part) => part).join(" · ");
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => location.reload());
})();
