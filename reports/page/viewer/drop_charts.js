// Charts of a static run: how the drops spread over nodes and layers, and how the solve converged.
"use strict";
function drop_charts(data,
  {element, of_them, grouped, volts, net_of, drops, failing_nets, net_colour, dash, short, axis, prepare_charts,
  limit_lines, with_limits, limits_text}) {
  const report = data.report, byId = (id) => document.getElementById(id), most_nets = 6;
  const has_history = report.solve.history.length > 1;
  byId("charts").hidden = !data.histograms.length;
  byId("convergence-card").hidden = !has_history;
  if (!data.histograms.length) return;
  prepare_charts();
  const mv = (v) => v * 1000;
  const net_index = (name) => report.nets.findIndex((net) => net.name === name);
  const worst_first = [...data.histograms]
    .sort((a, b) => failing_nets.includes(b.net) - failing_nets.includes(a.net) || b.high_v - a.high_v);
  const nets = worst_first.slice(0, most_nets).sort((a, b) => net_index(a.net) - net_index(b.net));
  const note = (card, texts) =>
    { if (texts.length) byId(card).append(...texts.map((text) => element("p", {class: "muted"}, text))); };
  const left_out = data.histograms.length > nets.length
    ? [`The first ${most_nets} of ${grouped(data.histograms.length)} nets, those that exceed a limit and then by ` +
    `their worst drop.`] : [];

  function histogram() {
    const spread = nets.filter((h) => h.high_v > h.low_v), single = nets.filter((h) => !(h.high_v > h.low_v));
    const alike = single.map((h) =>
      `${h.net}: ${h.counts[0] === 1 ? "its one node" : `all ${grouped(h.counts[0])} nodes`} at ${volts(h.high_v)}.`);
    note("histogram-card", [...alike, ...left_out]);
    byId("histogram").parentElement.hidden = !spread.length;
    if (!spread.length) return;
    const limits = report.limits.filter((limit) => limit.limit_v !== undefined && limit.limit_v !== null
      && !limit.layer && nets.some((h) => h.net === limit.net))
      .map((limit) => {
        const is_common = nets.every((h) =>
          report.limits.some((other) => other.net === h.net && other.quantity === limit.quantity
          && other.limit_v === limit.limit_v));
        return {value: mv(limit.limit_v), net: is_common ? null : short(limit.net),
          text: `${limit.quantity === "worst" ? "" : limit.quantity + " "}limit ${volts(limit.limit_v)}`};
      });
    const low = mv(Math.min(...spread.map((h) => h.low_v))), high = mv(Math.max(...spread.map((h) => h.high_v)));
    byId("histogram").setAttribute("aria-label", `Number of nodes by ${drops}: ` +
      spread.map((h) => `${h.net} ${volts(h.low_v)} to ${volts(h.high_v)}`).join(", ")
        + (limits.length ? `; ${limits_text(limits)}` : ""));
    new Chart(byId("histogram"), {
      type: "line",
      data: {datasets: spread.map((h) => ({
        label: short(h.net),
        data: h.counts.map((n, i) => ({x: mv(h.low_v + ((i + 0.5) * (h.high_v - h.low_v)) / h.counts.length), y: n})),
        borderColor: net_colour(nets.indexOf(h)), backgroundColor: net_colour(nets.indexOf(h)) + "33",
        borderDash: dash(nets.indexOf(h)),
        fill: true, stepped: "middle", pointRadius: 0, borderWidth: 1.5,
      }))},
      options: {
        parsing: false, normalized: true, interaction: {mode: "nearest", axis: "x", intersect: false},
        plugins: {legend: {labels: {boxWidth: 26}}},
        scales: {x: {type: "linear", ...with_limits(low, high, limits), ...axis(`${drops}, mV`)},
          y: {...axis("nodes"), beginAtZero: true, ticks: {precision: 0}}},
      },
      plugins: [limit_lines(limits, "x")],
    });
  }

  function layers() {
    const names = data.layer_names.filter((name) =>
      report.nets.some((net) => net.layers.some((layer) => layer.name === name)));
    const has_drops = nets.some((h) => net_of.get(h.net).layers.some((layer) => layer.worst_drop_v > 0));
    byId("layers-card").hidden = !names.length || !has_drops;
    if (!names.length || !has_drops) return;
    note("layers-card", left_out);
    const bars = (key, opacity, suffix) => nets.map((h) => ({
      label: short(h.net) + suffix,
      data: names.map((name) => {
        const layer = net_of.get(h.net).layers.find((l) => l.name === name);
        return layer ? mv(layer[key]) : null;
      }),
      backgroundColor: net_colour(nets.indexOf(h)) + opacity, borderRadius: 3, skipNull: true,
    }));
    byId("layers-chart").setAttribute("aria-label",
      `Worst and average ${drops} of ${of_them(names.length, "layer")}; the table Layers has the numbers`);
    new Chart(byId("layers-chart"), {
      type: "bar",
      data: {labels: names.map(short),
        datasets: [...bars("worst_drop_v", "", ", worst"), ...bars("average_drop_v", "77", ", average")]},
      options: {
        plugins: {legend: {labels: {boxWidth: 16}}},
        scales: {x: {grid: {display: false}}, y: {...axis(`${drops}, mV`), beginAtZero: true}},
      },
    });
  }

  function convergence() {
    const {history} = report.solve;
    byId("convergence").setAttribute("aria-label",
      `Relative residual over ${of_them(history.length - 1, "iteration")}, at the end ` +
      `${history.at(-1).toExponential(1)}`);
    new Chart(byId("convergence"), {
      type: "line",
      data: {datasets: [{
        label: report.engine.name, data: history.map((residual, i) => ({x: i, y: residual})),
        borderColor: net_colour(2), backgroundColor: net_colour(2), pointRadius: 2, borderWidth: 1.5,
      }]},
      options: {
        parsing: false, plugins: {legend: {display: false}},
        scales: {x: {type: "linear", ...axis("iteration"), ticks: {precision: 0}},
          y: {type: "logarithmic", ...axis("relative residual"), ticks: {callback: (v) => v.toExponential(0)}}},
      },
    });
  }

  histogram();
  layers();
  if (has_history) convergence();
}
