// Draws the page of a static run from the JSON in #data, with the tools of page.js.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const report = data.report;
  data.worst_nodes.sort((a, b) => b.drop_v - a.drop_v);
  const byId = (id) => document.getElementById(id);
  const page = makePage(data), charts = makeCharts(page);
  const {
    element, grouped, of_them, quantity, volts, amperes, length, day, bytes, percent, drop_word, drops_title,
    failing_nets, net_of, supply_of, figure,
    net_figures, table_card, field, fact_columns, shown, pill, limits_card, findings_card, instance_columns, em_card,
    over_em_card, limits_badge,
  } = page;

  const megapascals = (pa) => (pa === null ? "n/a" : (1e-6 * pa).toFixed(3) + " MPa");

  /// Of all nets: what is no drop and no current, as rows of the table of limits.
  function limits_on_metal() {
    const rows = [], {em, stress} = report;
    const add = (limit, quantity, value_v, limit_v, words) =>
      rows.push({net: "all", quantity, value_v, limit_v, failed: limit.failed, exceeded: limit.exceeded,
        undecided: limit.undecided, words});
    if (em?.limit) add(em.limit, "em", em.limit.value, em.limit.limit,
      {value: percent(em.limit.value, 1), limit: percent(em.limit.limit, 1),
      failed: of_them(em.limit.failed, "segment")});
    if (stress?.limit)
      add(stress.limit, "stress", stress.limit.value_pa, stress.limit.limit_pa,
        {value: megapascals(stress.limit.value_pa), limit: megapascals(stress.limit.limit_pa),
        failed: of_them(stress.limit.failed, "tree")});
    for (const limit of stress?.lifetime_limits ?? []) {
      const time = (s) => {
        if (s === null) return "none found";
        const [scale, unit] = unit_of_time(s);
        return (s / scale).toPrecision(4) + " " + unit;
      };
      const of = {first_void: "first void", ir_drop_failure: "IR-drop failure",
        samples: `${limit.percent} % of samples`}[limit.of];
      add(limit, `lifetime, ${of}`, limit.value_s ?? Infinity, limit.limit_s,
        {value: time(limit.value_s), limit: `${time(limit.limit_s)} at least`,
        failed: limit.of === "first_void" ? of_them(limit.failed, "tree") : ""});
    }
    return rows;
  }
  const limits = [...report.limits, ...limits_on_metal()];

  // ---- verdict and figures ------------------------------------------------------------------------------------------
  function verdict() {
    const badges = [limits_badge];
    if (!report.solve.converged) badges.push(["bad", "Not converged"]);
    if (report.certificate.kind === "estimated") badges.push(["warn", "Accuracy estimated"]);
    else if (!report.certificate.valid) badges.push(["warn", "Not certified"]);
    else if (report.certificate.max_error_v > report.certificate.tolerance_v && report.certificate.tolerance_v > 0)
      badges.push(["warn", "Tolerance not reached"]);
    return badges.map(([kind, text]) => element("span", {class: "badge " + kind}, text));
  }

  function figures() {
    const cards = net_figures((net) => {
      const exceeded = report.limits.filter((limit) => limit.exceeded && limit.net === net.name);
      const limits = exceeded.map((l) => (l.limit_a === undefined
        ? `; ${l.quantity} ${volts(l.value_v)} exceeds ${volts(l.limit_v)}`
        : `; ${l.layer} ${amperes(l.value_a)} exceeds ${amperes(l.limit_a)}`)).join("");
      return `at ${net.worst_node}${limits}`;
    });
    const c = report.certificate;
    if (c.kind === "estimated")
      cards.push(figure("Accuracy, estimated", "± " + volts(c.estimated_error_v),
        "of every node voltage; nothing is proved"));
    else cards.push(figure("Accuracy, guaranteed", c.valid ? "± " + volts(c.max_error_v) : "none",
                      c.valid ? "bound on the error of every node voltage" : "no error bound could be proved"));
    const seconds = report.timings_s.total, memory = report.peak_memory_bytes;
    cards.push(figure("Solved by", report.engine.name,
                      [`on ${report.engine.device}`, seconds > 0 ? quantity(seconds, "s") : null,
                        memory > 0 ? bytes(memory) + " at most" : null]
                          .filter((part) => part).join(", ")));
    return cards;
  }

  // ---- tables -------------------------------------------------------------------------------------------------------
  function tables() {
    const show_on_map = {applies: (row) => data.maps.length && row.x_um !== null, act: (row) => map.show_row(row),
      point: (row) => map.point_at(row)};
    const cards = [];
    cards.push(...limits_card(limits));

    cards.push(...vectors_card(show_on_map), ...em_card(show_on_map), ...over_em_card(show_on_map));
    if (report.budget) {
      const {nets, nodes, blocks} = report.budget;
      const open = nets.filter((net) => !net.is_certain).map((net) => net.net);
      cards.push(table_card("Worst case over the budget", [
        field("Net", "net"), field("Node", "node"), field("Layer", "layer"), field("Worst case", "drop_v", volts),
        {title: "Of supply", value: (n) => (supply_of(n.net) ? n.drop_v / supply_of(n.net) : null),
          show: (v, n) => percent(n.drop_v, supply_of(n.net))},
        field("Certified to", "bound_v", volts), field("Deck's loads", "deck_drop_v", volts),
        {title: "Full sums", value: (n) => n.full_blocks.map((block) => blocks[block].members).join("; ")},
      ], [...nets.flatMap((net) => net.worst), ...nodes], {
        on_row: show_on_map,
        note: open.length ? `the search ended early on ${open.join(", ")}: another node may be worse`
          : "the first of each net is the worst of all its nodes",
      }));
    }

    const stress = report.stress;
    if (stress) {
      const mpa = megapascals;
      const curves = data.stress_curves ?? [], rows = [...(data.voids ?? []), ...(data.failures ?? [])];
      const [scale, unit] = unit_of_time(
        Math.max(...rows.map((row) => row.time_s ?? 0), ...curves.flatMap((curve) => curve.time_s))
        || stress.lifetime?.horizon_s);
      const time = (s) => (s === null ? "n/a" : (s / scale).toPrecision(4) + " " + unit);
      const of_tree = [field("Tree", "tree"), field("Net", "net"), field("Layer", "layer"), field("Node", "node")];
      cards.push(table_card("Stress of metal", [
        ...of_tree, field("Stress", "stress_pa", mpa), field("Certified to", "bound_pa", (pa) => quantity(pa, "Pa")),
        field("Verdict", "verdict"),
        field("Segments", "segments", grouped),
      ], data.stress_trees, {
        on_row: show_on_map,
        note: `of ${of_them(stress.trees, "tree")} ${grouped(stress.immortal)} immortal, ${grouped(stress.mortal)} ` +
          `mortal, ` +
              `${grouped(stress.undecided)} undecided; critical: ${mpa(stress.parameters.critical_stress_pa)}`,
      }));
      if (curves.length) cards.push(stress_chart(stress, curves, data.voids, scale, unit));
      if (stress.lifetime)
        cards.push(table_card("First voids in metal",
          [...of_tree, field("Time", "time_s", time), field("Error", "error_s", time)], data.voids, {
          on_row: show_on_map,
          note: `until ${time(stress.lifetime.horizon_s)} in ${grouped(stress.lifetime.nucleating)} of ` +
            `${of_them(stress.lifetime.followed, "tree")} followed`,
        }));
      const samples = stress.lifetime?.samples;
      if (samples)
        cards.push(table_card("Lifetimes of the grid with random diffusivities", [
          field("Failed", "percent", (p) => p + " %"), field("By", "time_s", time), field("From", "low_s", time),
          field("To", "high_s", time),
        ], samples.percentiles, {
          note: `${of_them(samples.samples, "sample")}, sigma ${samples.sigma}; in ${grouped(samples.censored)} no ` +
            `void until ${time(stress.lifetime.horizon_s)}; from … to: 95 %`,
        }));
      if (stress.cascade) cards.push(failures_card(stress, time, show_on_map));
    }

    const where = makeWhere(report, page);
    cards.push(...where.hot_spots(show_on_map), ...where.drop_shares(), ...where.pad_gains(), ...where.explanations(),
               ...where.segments(), ...where.power_card());

    const node_columns = [
      field("Node", "node"), field("Net", "net"), field("Layer", "layer"),
      field(`x, ${length.unit}`, "x_um", length.show),
      field(`y, ${length.unit}`, "y_um", length.show),
      field("Voltage", "voltage_v", (v) => (v === null ? "n/a" : v.toFixed(6) + " V")),
      field(drops_title, "drop_v", volts),
      {title: "Of supply", value: (n) => (supply_of(n.net) ? n.drop_v / supply_of(n.net) : null),
        show: (v, n) => percent(n.drop_v, supply_of(n.net))},
    ];
    if (data.worst_nodes.length) cards.push(
      table_card("Worst nodes", node_columns, data.worst_nodes, {on_row: show_on_map, note: "the worst of each net"}));

    if (report.nets.length) cards.push(table_card("Nets", [
      field("Net", "name"), {title: "Kind", value: drop_word}, field("Worst", "worst_drop_v", volts),
      {title: "Of supply", value: (n) => (n.supply_v ? n.worst_drop_v / n.supply_v : null),
        show: (v, n) => percent(n.worst_drop_v, n.supply_v)},
      field("Average", "average_drop_v", volts),
      ...["p50", "p95", "p99", "p99.9"].map((p) => ({title: p, value: (n) => n.percentiles_v[p], show: volts})),
      field("Power", "total_power_w", (w) => quantity(w, "W")), field("Pad current", "pad_current_a", amperes),
      field("Load current", "load_current_a", amperes), field("Nodes", "nodes", grouped),
      field("Loads", "loads", grouped), field("Pads", "pads", grouped),
    ], report.nets));

    const layers = report.nets.flatMap((net) => net.layers.map((layer) => ({net: net.name, ...layer})));
    if (layers.length)
      cards.push(table_card("Layers", [
        field("Net", "net"), {title: "Layer", value: (l) => l.name ?? "none"}, field("Worst", "worst_drop_v", volts),
        field("Average", "average_drop_v", volts),
        field("Least", "least_drop_v", volts), field("Nodes", "nodes", grouped), field("Worst node", "worst_node"),
      ], layers));

    if (data.instances.length)
      cards.push(table_card("Instances", [
        field("Instance", "name"), ...(data.instances[0].cell ? [field("Cell", "cell")] : []), ...instance_columns,
        field("Current", "current_a", amperes), field(`x, ${length.unit}`, "x_um", length.show),
        field(`y, ${length.unit}`, "y_um", length.show),
      ], data.instances, {note: shown(data.instances.length, report.instances.count), on_row: show_on_map}));

    if (report.opens?.count)
      cards.push(table_card("Opens", [
        field("Kind", "kind"), field("Net", "net"), field("Layer", "layer"),
        {title: "Name", value: (o) => o.name ?? ""},
        ...[["Left", "left_um"], ["Bottom", "bottom_um"], ["Right", "right_um"], ["Top", "top_um"]]
          .map(([title, key]) => field(`${title}, ${length.unit}`, key, length.show)),
      ], report.opens.listed, {note: report.opens.listed.length < report.opens.count
        ? `the first ${grouped(report.opens.listed.length)} of ${grouped(report.opens.count)}` : null}));

    if (data.pads.length)
      cards.push(table_card("Pads", [
        field("Source", "name"), field("Net", "net"), field("Node", "node"), field("Layer", "layer"),
        field("Voltage", "voltage_v", volts),
        field("Current into the grid", "current_a", amperes),
        field("Share of its net", "share", (s) => (100 * s).toFixed(2) + " %"),
        field(`x, ${length.unit}`, "x_um", length.show), field(`y, ${length.unit}`, "y_um", length.show),
        field("Card", "place"),
      ], data.pads, {note: shown(data.pads.length, report.pads.count), on_row: show_on_map}));

    cards.push(...findings_card());

    const golden = report.golden;
    if (golden)
      cards.push(table_card("Golden map", fact_columns, [
        ["File", golden.path], ["Pixels", `${grouped(golden.nx)} × ${grouped(golden.ny)}`],
        ["Of net", golden.layer ? `${golden.net}, layer ${golden.layer}` : golden.net],
        ["Mean absolute error", volts(golden.mean_error_v)], ["Largest error", volts(golden.largest_error_v)],
        ["F1 of pixels above 90 % of the maximum", golden.f1.toFixed(3)],
      ], {whole: true}));

    const c = report.certificate;
    const facts = element("div", {class: "columns"});
    facts.append(
      table_card("Certificate", fact_columns, [
        ["Every voltage is within",
          c.valid ? volts(c.max_error_v) : c.kind === "estimated" ? `about ${volts(c.estimated_error_v)}, estimated`
          : "no bound proved"], ["Asked for", c.tolerance_v > 0 ? volts(c.tolerance_v) : "nothing"],
        ["Largest residual", amperes(c.max_residual_a)], ["Barrier w, largest", quantity(c.max_w_ohm, "Ω")],
        ["δ in G w ≥ 1 − δ", c.delta === null ? "n/a" : c.delta.toPrecision(3)],
        ["Pad currents minus loads", amperes(c.current_imbalance_a)],
        ["Relative residual", report.solve.relative_residual?.toExponential(2) ?? "n/a"],
        ...(data.engine_is_direct && report.solve.iterations === 0 ? []
          : [["Iterations", grouped(report.solve.iterations)]]),
      ], {whole: true}),
      table_card("Run", fact_columns, [
        ...(report.run.date ? [["Date", day(report.run.date)]] : []),
        ...(report.run.command ? [["Command", report.run.command]] : []),
        ...Object.entries(report.run.options),
        ["Version", "Gridiron " + report.tool_version],
        ["Input", `${report.input.path}, ${bytes(report.input.bytes)}`],
        ...report.run.files.map((file) => ["SHA-256 of " + file.path, file.sha256 || "not known"]),
        ...(report.input.dbu_per_um ? [["Lengths", `${report.input.dbu_per_um} database units per µm` +
          (report.input.dbu_is_guess ? ", a guess: the deck does not tell, so the page shows database units" : "")]]
          : []),
        ["Netlist", [["nodes", "node"], ["resistors", "resistor"], ["current_sources", "current source"],
          ["voltage_sources", "voltage source"]]
          .map(([key, what]) => of_them(report.input[key], what)).join(", ")],
        ["Unknowns", `${grouped(report.reduced.unknowns)}, ${of_them(report.reduced.nonzeros, "nonzero")}`],
        ["Reduction", `${of_them(report.reduced.merged_shorts, "short")} merged, ` +
          `${of_them(report.reduced.eliminated, "node")} eliminated, ` +
          `${of_them(report.reduced.floating_nodes, "floating node")} left out`],
        ["Engine", `${report.engine.name} on ${report.engine.device}, ${of_them(report.engine.threads, "thread")}, ` +
          `${bytes(report.solve.bytes)}`],
        ...Object.entries(report.engine.parameters).map(([key, value]) => ["  " + key, value]),
        ["Peak memory", bytes(report.peak_memory_bytes)],
      ], {whole: true}),
      table_card("Time", [field("Step", 0), field("Seconds", 1, (s) => s.toFixed(4))],
        Object.entries(report.timings_s), {whole: true}));
    const hybrid = report.solve.hybrid;
    if (hybrid)
      facts.append(table_card("Parts of the solve",
        [field("Part", 0), field("Seconds", 1, (s) => s.toFixed(4)), field("Memory", 2, bytes)], [
        ["original grid", hybrid.original_grid_s, hybrid.original_grid_bytes],
        ["regular grids", hybrid.regular_grid_s, hybrid.regular_grid_bytes],
        ["transfers", hybrid.transfers_s, 0],
      ], {whole: true}));
    cards.push(facts);
    return cards;
  }

  /// Each load vector at the net that needs attention most, by its limit where there is one.
  function vectors_card(on_row) {
    if (!data.vectors) return [];
    const {rows, count, exceeded, has_limits} = data.vectors;
    return [table_card("Load vectors", [
      field("Vector", "vector"), field(`Worst ${page.drops}`, "drop_v", volts), field("Node", "node"),
      field("Net", "net"), field("Average", "average_v", volts),
      ...(has_limits ? [field("Limit", "limit_v", (v) => (v === null ? "none" : volts(v)))] : []),
      field("Verdict", "verdict",
        (text) => pill({ok: "good", undecided: "warn", exceeded: "bad"}[text] ?? "neutral", text)),
    ], rows, {on_row, note: [`${of_them(count, "vector")}, worst first`,
      has_limits ? `${grouped(exceeded)} above a limit on the worst drop` : "",
                             rows.length < count ? `the first ${grouped(rows.length)} are here, report.json has all`
                               : ""].filter((part) => part).join("; ")})];
  }

  /// The unit of times up to this one.
  function unit_of_time(last_s) {
    const year = 365.25 * 86400;
    return last_s > 0.1 * year ? [year, "years"] : last_s > 8640 ? [86400, "days"] : [1, "s"];
  }

  function why_not_certain(stages, time) {
    const open = stages.find((stage) => stage.verdict === "undecided");
    return open ? `; undecided from stage ${open.stage} on, after ${time(open.time_s)}, whose drop keeps a limit by ` +
      `less than its bound` : "";
  }

  function failures_card(stress, time, show_on_map) {
    const {end, failure_s, horizon_s, unjudged_trees, has_limit, exceeded, stages} = stress.cascade;
    const ohms = (r) => (r === null ? "open" : quantity(r, "Ω"));
    const open = why_not_certain(stages, time);
    const why = {limit: `a limit is exceeded, ${exceeded}`, cut_off: "loads are cut off"}[end];
    const when = stages.length ? `after ${time(failure_s)}, at stage ${stages.length}`
      : "today, without any failure of metal";
    const until = end === "stages" ? "in so many stages" : `until ${time(horizon_s)}`;
    const unjudged = unjudged_trees ? `; in ${of_them(unjudged_trees, "tree")} of unknown geometry no segment fails`
      : "";
    const note = why ? `IR-drop failure ${when}: ${why}`
      : unjudged_trees === stress.trees ? "nothing was judged: no metal of known geometry"
      : has_limit ? `no ${open ? "certain " : ""}IR-drop failure ${until}${open}`
      : `no load is cut off ${until}; no limit on drops was given, and so none is judged`;
    return table_card("Segments that fail by voids", [
      field("Stage", "stage"), field("Time", "time_s", time), field("Error", "error_s", time), field("Net", "net"),
      field("Layer", "layer"),
      field("Void at", "node"), field("Segment", "segment"), field("Before", "before_ohm", ohms),
      field("After", "after_ohm", ohms),
      field("Worst drop", "worst_drop_v", volts), field("Certified to", "bound_v", volts), field("At", "worst_node"),
      field("Limits", "verdict"),
    ], data.failures, {on_row: show_on_map, note: note + unjudged});
  }

  // ---- charts -------------------------------------------------------------------------------------------------------
  /// Of the trees in which voids nucleate first, at the nodes of these, with the critical stress.
  function stress_chart(stress, curves, voids, scale, unit) {
    const last = Math.max(...curves.flatMap((curve) => curve.time_s));
    const canvas = element("canvas", {"aria-label": "Stress over time", role: "img"});
    const card = element("div", {class: "card"},
      element("div", {class: "bar"}, element("h2", {}, "Stress over time where voids nucleate first"),
        element("span", {class: "muted"}, "as if there were no void; click a name to hide its line")),
      element("div", {class: "chart waves"}, canvas));
    const {prepare_charts, net_colour, dash, axis} = charts;
    prepare_charts();
    const critical = stress.parameters.critical_stress_pa;
    const first = Math.min(...curves.flatMap((curve) => curve.time_s.filter((t) => t > 0)));
    const line = (label, points, color, more) => ({
      label, data: points.map(([t, pa]) => ({x: t / scale, y: 1e-6 * pa})), borderColor: color, backgroundColor: color,
      pointRadius: 0, pointHitRadius: 6, borderWidth: 1.4, ...more,
    });
    const draw = () => new Chart(canvas, {
      type: "line",
      data: {datasets: [
        ...curves.map((curve, i) => line(`tree ${curve.tree}`,
          curve.time_s.map((t, k) => [t, curve.stress_pa[k]]).filter(([t]) => t > 0), net_colour(i),
          {borderDash: dash(i)})),
        line("critical", [[first, critical], [last, critical]], page.style("--muted"), {borderDash: [2, 3]}),
      ]},
      options: {
        parsing: false, normalized: true, interaction: {mode: "nearest", axis: "x", intersect: false},
        plugins: {
          legend: {labels: {boxWidth: 26}},
          tooltip: {callbacks: {
            title: ([item]) => `${item.parsed.x.toPrecision(4)} ${unit}`,
            label: (item) => item.dataset.label +
              (voids[item.datasetIndex] ? `, ${voids[item.datasetIndex].node}` : "") +
              `: ${item.parsed.y.toFixed(3)} MPa`,
          }},
        },
        scales: {x: {type: "logarithmic", min: first / scale, max: last / scale, ...axis(`time, ${unit}`)},
          y: axis("stress, MPa")},
      },
    });
    requestAnimationFrame(draw);  // once the card is on the page
    return card;
  }

  byId("title").textContent = data.name;
  byId("subtitle").textContent =
    ["Static IR drop", report.input.path, of_them(report.input.nodes, "node"), day(report.run.date)]
    .filter((part) => part).join(" · ");
  byId("verdict").append(...verdict());
  byId("figures").append(...figures());
  if (data.views) {
    byId("map-view-label").hidden = false;
    byId("map-view").append(...data.views.map((view) => element("option", {value: view}, view)));
  }
  const map = makeMap({data, roving, ...page});
  drop_charts(data, {...page, ...charts});
  byId("tables").append(...tables());
  byId("footer").textContent = [`Gridiron ${report.tool_version}`, day(report.run.date), report.run.command]
    .filter((part) => part).join(" · ");
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => location.reload());
})();
