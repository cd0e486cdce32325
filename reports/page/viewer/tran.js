// Draws the page of a dynamic run from the JSON in #data, with the tools of page.js.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const report = data.report, run = report.simulation;
  data.worst_nodes.sort((a, b) => b.drop_v - a.drop_v);
  const byId = (id) => document.getElementById(id);
  const page = makePage(data);
  const {
    element, grouped, of_them, quantity, volts, amperes, length, day, bytes, percent, drop_word, drops, net_of,
    supply_of, figure, net_figures, table_card,
    field, fact_columns, shown, limits_card, findings_card, instance_columns, em_card, over_em_card, limits_badge,
  } = page;
  const seconds = (s) => quantity(s, "s");
  const has_scenarios = run.scenarios > 1;
  const scenario_name = (index) => report.scenarios[index].name;
  const in_scenario = (index) => (has_scenarios ? `, scenario ${scenario_name(index)}` : "");

  // ---- verdict and figures ------------------------------------------------------------------------------------------
  function verdict() {
    const badges = [limits_badge];
    if (report.certificate.kind === "estimated") badges.push(["warn", "Accuracy estimated"]);
    else if (!report.certificate.valid) badges.push(["warn", "Not certified"]);
    else if (!report.certificate.tolerance_met) badges.push(["warn", "Tolerance not reached"]);
    return badges.map(([kind, text]) => element("span", {class: "badge " + kind}, text));
  }

  function figures() {
    const cards = net_figures((net) =>
      `at ${seconds(net.worst_time_s)}${in_scenario(net.worst_scenario)}, ${net.worst_node}`);
    const a = report.certificate, is_estimated = a.kind === "estimated", is_known = a.valid || is_estimated;
    cards.push(figure("Equations of a step",
      is_known ? "± " + volts(Math.max(a.step_error_v, a.operating_point_error_v)) : "none",
                      is_estimated ? "estimated, as the matrix of a step is no M-matrix; nothing is proved" : a.valid
                        ? `certified; ${volts(a.accumulated_error_v)} over all steps, ` +
                        `${a.accumulated_is_guaranteed ? "guaranteed" : "an estimate"}`
                        : "no error bound could be proved"));
    cards.push(figure("Time error", volts(a.local_time_error_v), "in a single step, estimated"));
    cards.push(figure("Simulated", seconds(run.stop_s),
      `${of_them(run.steps, "step")} of ${seconds(run.largest_step_s)}, ${run.method}, ${report.engine.name} on ` +
      `${report.engine.device}`));
    return cards;
  }

  // ---- tables -------------------------------------------------------------------------------------------------------
  function tables() {
    const show_on_map = {applies: (row) => data.maps.length && row.x_um !== null, act: (row) => map.show_row(row),
      point: (row) => map.point_at(row)};
    const scenario_column = has_scenarios ? [field("Scenario", "scenario")] : [];
    const where = makeWhere(report, page);
    const cards = [...limits_card(), ...em_card(show_on_map), ...over_em_card(show_on_map)];

    if (report.nets.length) cards.push(table_card("Nets", [
      field("Net", "name"), {title: "Kind", value: drop_word}, field("Worst", "worst_drop_v", volts),
      {title: "Of supply", value: (n) => (n.supply_v ? n.worst_drop_v / n.supply_v : null),
        show: (v, n) => percent(n.worst_drop_v, n.supply_v)},
      field("At", "worst_time_s", seconds),
      ...(has_scenarios ? [{title: "Scenario", value: (n) => scenario_name(n.worst_scenario)}] : []),
      field("Node", "worst_node"),
      field("Average", "average_drop_v", volts),
      ...["p50", "p99"].map((p) => ({title: p, value: (n) => n.percentiles_v[p], show: volts})),
      field("Overshoot", "overshoot_v", volts), field("Nodes", "nodes", grouped), field("Pads", "pads", grouped),
    ], report.nets, {note: "every node at its worst moment"}));

    if (has_scenarios) {
      const rows = report.scenarios.flatMap((scenario) =>
        scenario.nets.map((net) => ({scenario: scenario.name, ...net})))
        .sort((a, b) => b.worst_drop_v - a.worst_drop_v);
      cards.push(table_card("Scenarios", [
        field("Scenario", "scenario"), field("Net", "net"), field("Worst", "worst_drop_v", volts),
        field("At", "time_s", seconds), field("Node", "worst_node"),
      ], rows));
    }

    if (report.windows.length) cards.push(table_card("Windows", [
      field("From", "begin_s", seconds), field("To", "end_s", seconds), field("Net", "net"),
      field("Worst", "worst_drop_v", volts),
      field("At", "time_s", seconds), field("Node", "worst_node"),
    ], report.windows, {note: shown(report.windows.length, data.windows_count)}));

    cards.push(...where.hot_spots(show_on_map, field("At", "worst_time_s", seconds)));
    const moment = report.worst_moment;
    cards.push(...where.explanations(` at ${seconds(moment.time_s)}${in_scenario(moment.scenario)}, the worst moment`));

    if (data.worst_nodes.length) cards.push(table_card("Worst nodes", [
      field("Node", "node"), field("Net", "net"), field("Layer", "layer"),
      field(`x, ${length.unit}`, "x_um", length.show), field(`y, ${length.unit}`, "y_um", length.show),
      field("Worst", "drop_v", volts),
      {title: "Of supply", value: (n) => (supply_of(n.net) ? n.drop_v / supply_of(n.net) : null),
      show: (v, n) => percent(n.drop_v, supply_of(n.net))},
      field("At", "time_s", seconds), ...scenario_column, field("Average", "average_drop_v", volts),
      field("RMS", "rms_drop_v", volts), field("Overshoot", "overshoot_v", volts),
    ], data.worst_nodes, {on_row: show_on_map, note: "the worst of each net"}));

    if (data.instances.length) cards.push(table_card("Instances", [
      field("Instance", "name"), ...(data.instances[0].cell ? [field("Cell", "cell")] : []), ...instance_columns,
      field("At", "time_s", seconds),
      field(`x, ${length.unit}`, "x_um", length.show), field(`y, ${length.unit}`, "y_um", length.show),
    ], data.instances, {on_row: show_on_map,
      note: shown(data.instances.length, report.instances.count) ?? "at one moment"}));

    if (data.pads.length) cards.push(table_card("Pads", [
      field("Source", "name"), field("Net", "net"), field("Node", "node"), field("Peak", "peak_a", amperes),
      field("At", "peak_time_s", seconds),
      field("RMS", "rms_a", amperes), field("Average", "average_a", amperes),
      field(`x, ${length.unit}`, "x_um", length.show), field(`y, ${length.unit}`, "y_um", length.show),
    ], data.pads, {on_row: show_on_map, note: shown(data.pads.length, report.pads.count)}));

    if (report.segments) cards.push(table_card("Segments", [
      field("Net", "net"), field("Layer", "layer"), field("Segments", "segments", grouped),
      field("Largest peak", "largest_current_a", amperes),
      {title: "In", value: (row) => row.largest?.resistor ?? ""},
      field("Average of the peaks", "average_current_a", amperes),
      field("Average power", "power_w", (w) => quantity(w, "W")),
    ], report.segments.layers, {note: "by layer; segments.csv has all"}));

    cards.push(...findings_card());
    const a = report.certificate, is_estimated = a.kind === "estimated", is_known = a.valid || is_estimated,
      charge = (c) => quantity(c, "C");
    const facts = element("div", {class: "columns"});
    facts.append(
      table_card("Accuracy", fact_columns, [
        ["Operating point within", is_known ? volts(a.operating_point_error_v) : "no bound proved"],
        ["Equations of every step within",
          is_estimated ? `about ${volts(a.step_error_v)}, estimated` : a.valid ? volts(a.step_error_v)
          : "no bound proved"],
        ["Asked for", `${volts(a.tolerance_v)} in every step, ${a.tolerance_met ? "met" : "missed"}`],
        ["Sum over all steps", `${volts(a.accumulated_error_v)}, ` +
          `${a.accumulated_is_guaranteed ? "guaranteed" : "an estimate"}`],
        ["Time error of a step", `${volts(a.local_time_error_v)}, estimated`],
        ...(a.missed_share > 0 ? [["Of swings of sources, missed by steps", percent(a.missed_share, 1)]] : []),
        ["Charge supplied", charge(report.charge.supplied_c)], ["Charge drawn", charge(report.charge.drawn_c)],
        ["Charge stored", charge(report.charge.stored_c)],
        ["Supplied − drawn − stored", charge(report.charge.imbalance_c)],
      ], {whole: true}),
      table_card("Run", fact_columns, [
        ["Version", "Gridiron " + report.tool_version], ["Input", `${report.input.path}, ${bytes(report.input.bytes)}`],
        ["Netlist", [["nodes", "node"], ["resistors", "resistor"], ["capacitors", "capacitor"],
          ["inductors", "inductor"], ["current_sources", "current source"], ["voltage_sources", "voltage source"]]
          .map(([key, what]) => of_them(report.input[key], what)).join(", ")],
        ["Simulation", `${run.method}, ${seconds(run.start_s)} to ${seconds(run.stop_s)}, ` +
          `${of_them(run.steps, "step")} of ${of_them(run.step_sizes, "size")}, ${of_them(run.scenarios, "scenario")}`],
        ...(data.engine_is_direct && run.iterations === 0 ? []
          : [["Iterations", `${grouped(run.iterations)}, at most ${grouped(run.most_iterations)} in a step`]]),
        ["Engine", `${report.engine.name} on ${report.engine.device}, ${of_them(report.engine.threads, "thread")}`],
        ["Peak memory", bytes(report.peak_memory_bytes)],
      ], {whole: true}),
      table_card("Time", [field("Step", 0), field("Seconds", 1, (s) => s.toFixed(4))],
        Object.entries(report.timings_s), {whole: true}));
    cards.push(facts);
    return cards;
  }

  byId("title").textContent = data.name;
  byId("subtitle").textContent =
    ["Dynamic IR drop", report.input.path, of_them(report.input.nodes, "node"), day(report.run.date)]
    .filter((part) => part).join(" · ");
  byId("verdict").append(...verdict());
  byId("figures").append(...figures());
  makeWaves(data, page).waveforms();
  byId("map-view").append(...data.views.map((view) => element("option", {value: view}, view)));
  const map = makeMap({data, roving, ...page});
  byId("tables").append(...tables());
  byId("footer").textContent = [`Gridiron ${report.tool_version}`, day(report.run.date), report.run.command]
    .filter((part) => part).join(" · ");
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => location.reload());
})();
