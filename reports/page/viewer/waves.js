// Waveforms of a dynamic run, as charts. Names enter the page as text only.
"use strict";
function makeWaves(data, page) {
  const {report} = data, {element, grouped, volts, drop_word, net_of} = page;
  const {net_colour, dash, short, axis, prepare_charts, limit_lines, with_limits, limits_text} = makeCharts(page);
  // ---- waveforms: drag to zoom into a span of time, both charts together; a double click shows all again ------------
  const charts = [];
  const run = report.simulation;
  const scale_time = [[1e-12, "ps"], [1e-9, "ns"], [1e-6, "µs"], [1e-3, "ms"], [1, "s"]].reverse()
    .find(([s]) => run.stop_s >= 2 * s) ?? [1e-12, "ps"];

  function show_span(from, to) {
    for (const chart of charts) {
      const x = chart.options.scales.x, y = chart.options.scales.y;
      x.min = from;
      x.max = to;
      const seen = from === undefined ? []
        : chart.data.datasets.flatMap((set, i) => (chart.isDatasetVisible(i) ? set.data : [])
        .filter((point) => point.x >= from && point.x <= to).map((point) => point.y));
      const low = seen.reduce((a, b) => Math.min(a, b), Infinity),
        high = seen.reduce((a, b) => Math.max(a, b), -Infinity);
      const margin = 0.05 * (high - low);
      y.min = margin > 0 ? low - margin : undefined;
      y.max = margin > 0 ? high + margin : undefined;
      chart.update();
    }
    document.getElementById("whole").disabled = from === undefined;
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
    canvas.addEventListener("pointerdown", (event) => { begun = at(event); canvas.setPointerCapture(event.pointerId);
      });
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
      const x = chart.scales.x, centre = x.getValueForPixel(at(event)),
        factor = event.deltaY + event.deltaX > 0 ? 1.25 : 0.8;
      const whole = [data.waveforms.from_s, data.waveforms.to_s].map((t) => t / scale_time[0]);
      const from = Math.max(whole[0], centre - (centre - x.min) * factor),
        to = Math.min(whole[1], centre + (x.max - centre) * factor);
      if (from <= whole[0] && to >= whole[1]) show_span(); else show_span(from, to);
    }, {passive: false});
  }

  const curves_at_once = window.matchMedia("(max-width: 600px)").matches ? 4 : 8;  // their legend takes lines

  /// Which of many curves are shown, so many at once.
  function choice_of(chart, curves, title) {
    const groups = Math.ceil(curves.length / curves_at_once);
    if (groups < 2) return null;
    const choice = element("select", {
      "aria-label": `Curves of: ${title}`,
      onchange: () => {
        curves.forEach((_, i) => chart.setDatasetVisibility(i,
          Math.floor(i / curves_at_once) === choice.selectedIndex));
        chart.update();
      },
    });
    for (let k = 0; k < groups; ++k) {
      const first = k * curves_at_once + 1, last = Math.min(curves.length, first + curves_at_once - 1);
      choice.append(element("option", {},
        `${first === last ? first : `${first} to ${last}`} of ${grouped(curves.length)}`));
    }
    return choice;
  }

  const points_of = (curve, scale) => curve.time_s.map((t, k) => ({x: t / scale_time[0], y: curve.value[k] * scale}));

  /// The legend names the curves of the group that is shown.
  function chart_of(canvas, unit, scale, curves, limits, group_shown) {
    const values = curves.flatMap((curve) => curve.value).filter((value) => value !== null);
    const ends = [Math.min, Math.max].map((end) => scale * values.reduce((a, b) => end(a, b), values[0]));
    const is_in_group = (i) => Math.floor(i / curves_at_once) === group_shown();
    const told = {
      title: ([item]) => `${item.parsed.x.toPrecision(6)} ${scale_time[1]}`,
      label: (item) => `${curves[item.datasetIndex].name}: ${item.parsed.y.toPrecision(6)} ${unit}`,
    };
    return new Chart(canvas, {
      type: "line",
      data: {datasets: curves.map((curve, i) => ({
        label: short(curve.name), data: points_of(curve, scale), borderColor: net_colour(i),
        backgroundColor: net_colour(i),
        pointRadius: 0, pointHitRadius: 6, borderWidth: 1.4, borderDash: dash(i), hidden: i >= curves_at_once,
      }))},
      options: {
        parsing: false, normalized: true, interaction: {mode: "nearest", axis: "x", intersect: false},
        plugins: {
          legend: {labels: {boxWidth: 26, filter: ({datasetIndex}) => is_in_group(datasetIndex)}},
          tooltip: {callbacks: told},
        },
        scales: {
          x: {type: "linear", ...axis(`time, ${scale_time[1]}`)}, y: {...with_limits(...ends, limits), ...axis(unit)},
        },
      },
      plugins: [limit_lines(limits, "y")],
    });
  }

  /// `limits`: {value, text} in the unit of the chart.
  function wave_card(title, unit, scale, curves, limits) {
    const told = limits.length ? `; ${limits_text(limits)}` : "";
    const canvas = element("canvas", {"aria-label": `${title}${told}; the tables have the worst of each`, role: "img"});
    const bar = element("div", {class: "bar"}, element("h2", {}, title));
    const card = element("div", {class: "card"}, bar, element("div", {class: "chart waves"}, canvas));
    document.getElementById("waveforms").append(card);
    let choice = null;
    const chart = chart_of(canvas, unit, scale, curves, limits, () => choice?.selectedIndex ?? 0);
    choice = choice_of(chart, curves, title);
    if (choice) bar.append(element("label", {class: "not-on-paper"}, "Curves ", choice));
    charts.push(chart);
    zoom_by_dragging(chart);
    return card;
  }

  /// Limits on the worst drops of nets, as drops, or as the voltage at which the node of such a net exceeds them.
  const worst_limits = report.limits.filter((limit) => limit.quantity === "worst" && !limit.layer && limit.limit_v);
  const limits_of_drops = () => worst_limits.map(({net, limit_v}) => ({
    value: 1e3 * limit_v, net: worst_limits.some((other) => other.limit_v !== limit_v) ? short(net) : null,
    text: `limit ${volts(limit_v)}`,
  }));
  const limits_of_voltages = (name) => worst_limits.filter(({net}) => net === name).map(({limit_v}) => {
    const {is_ground, nominal_v} = net_of.get(name);
    return {value: is_ground ? limit_v : nominal_v < 0 ? nominal_v + limit_v : nominal_v - limit_v,
      text: `limit: ${drop_word(net_of.get(name))} of ${volts(limit_v)}`};
  });

  function waveforms() {
    prepare_charts();
    const w = data.waveforms;
    if (w.nets.length) {
      const card = wave_card("Worst drop of each net over time", "mV", 1e3, w.nets, limits_of_drops());
      const whole = element("button", {type: "button", id: "whole", class: "plain", onclick: () => show_span()},
        "whole time");
      whole.disabled = true;
      card.firstChild.append(element("span", {class: "muted not-on-paper"}, "drag to zoom"), whole);
    }
    for (const net of new Set(w.probes.map((curve) => curve.net)))
      wave_card(`Recorded nodes${net ? " of " + net : ""}`, "V", 1, w.probes.filter((curve) => curve.net === net),
                limits_of_voltages(net));
    if (w.probes.length < w.probes_count)
      document.getElementById("waveforms").append(element("p", {class: "muted"},
        `The first ${grouped(w.probes.length)} of ${grouped(w.probes_count)} recorded waveforms; waveforms.csv has ` +
          `all.`));
  }

  return {waveforms};
}
