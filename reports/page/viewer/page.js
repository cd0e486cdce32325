// What the pages of static and dynamic runs share: numbers for people, figures, the tables that both have. Names come
// from the netlist and are untrusted: they enter the page as text nodes only, never as markup.
"use strict";
function makePage(data) {
  const report = data.report;

  function element(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
      else if (value !== null && value !== undefined) node.setAttribute(key, value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
  }

  // ---- numbers for people -------------------------------------------------------------------------------------------
  const count = new Intl.NumberFormat("en", {useGrouping: true});
  const of_them = (n, what) => `${grouped(n)} ${what}${n === 1 ? "" : "s"}`;
  const grouped = (n) => count.format(n).replaceAll(",", "\u202f");

  function quantity(value, unit) {
    if (value === null || value === undefined) return "n/a";
    if (value === 0) return "0 " + unit;
    const prefixes = ["f", "p", "n", "µ", "m", "", "k", "M", "G"];
    const exponent = Number(value.toExponential(3).split("e")[1]);
    const step = Math.max(-5, Math.min(3, Math.floor(exponent / 3)));
    return (value / 10 ** (3 * step)).toPrecision(4) + " " + prefixes[step + 5] + unit;
  }
  const volts = (v) => quantity(v, "V");
  const amperes = (a) => quantity(a, "A");
  const length = {  // coordinates: µm, or database units where their size is not known
    unit: data.length.unit,
    number: (um) => um * data.length.per_um,
    show: (um) => (um === null ? "" : (um * data.length.per_um).toFixed(data.length.unit === "µm" ? 3 : 0)),
  };
  const day = (date) => date.replace("T", " ").replace("Z", " UTC");
  const bytes = (b) => quantity(b, "B");
  const percent = (v, supply) => (Number.isFinite(v / supply) ? ((100 * v) / supply).toFixed(2) + " %" : "n/a");
  const drop_word = (net) => (net.is_ground ? "bounce" : "drop");

  const net_of = new Map(report.nets.map((net) => [net.name, net]));
  const supply_of = (name) => net_of.get(name)?.supply_v ?? null;
  const has_ground = report.nets.some((net) => net.is_ground);
  const drops = has_ground ? "drop or bounce" : "drop";
  const drops_title = has_ground ? "Drop or bounce" : "Drop";
  const failing_nets = [...new Set(report.limits.filter((limit) => limit.exceeded).map((limit) => limit.net))];
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function figure(label, value, note, exceeded = false) {
    return element("div", {class: exceeded ? "figure exceeded" : "figure"}, element("div", {class: "label"}, label),
                   element("div", {class: "value"}, value), element("div", {class: "note"}, note));
  }

  /// Cards of nets, those that exceed a limit first and then by their worst drop; of many, the last card tells of all
  /// others. `note` says where and when.
  function net_figures(note) {
    const most = 8, is_failing = (net) => failing_nets.includes(net.name);
    const worst_first = [...report.nets]
      .sort((a, b) => is_failing(b) - is_failing(a) || b.worst_drop_v - a.worst_drop_v);
    const listed = worst_first.slice(0, worst_first.length > most ? most - 1 : most),
      others = worst_first.slice(listed.length);
    const cards = listed.map((net) => {
      const share = net.supply_v ? percent(net.worst_drop_v, net.supply_v) + " of " + volts(net.supply_v) + ", " : "";
      return figure(`${net.name} · worst ${drop_word(net)}${is_failing(net) ? " · limit exceeded" : ""}`,
        volts(net.worst_drop_v), share + note(net), is_failing(net));
    });
    if (others.length) {
      const failing = others.filter(is_failing).length;
      cards.push(figure(`${of_them(others.length, "more net")}`,
        volts(Math.max(...others.map((net) => net.worst_drop_v))),
                        `the worst of them${failing ? `; ${grouped(failing)} exceed a limit` : ""}; the table Nets ` +
                          `has all`, failing > 0));
    }
    return cards.length ? cards : [figure("Nets", "none", "no net with a source: nothing to report")];
  }

  /// What all limits come to: [kind, text] of a badge.
  const limits_badge = {
    exceeded: ["bad", "Limit exceeded"], undecided: ["warn", "Limits undecided"], kept: ["good", "Within limits"],
    none: ["neutral", "No limit set"],
  }[data.verdict];

  // ---- tables that both pages have ----------------------------------------------------------------------------------
  const {table_card, field, fact_columns} = makeTables({element, of_them});
  const shown = (part, whole) =>
    (part < whole ? `the first ${grouped(part)} of ${grouped(whole)}; the CSV file has all` : null);
  const pill = (kind, text) => element("span", {class: "pill " + kind}, text);

  const failed_text = (l) => (l.failed === undefined || l.failed === null ? "" :
    `${grouped(l.failed)} of ${l.segments === undefined ? of_them(l.nodes, "node") : of_them(l.segments, "segment")}` +
    (l.failed_instances ? `, ${of_them(l.failed_instances, "instance")}` : ""));
  const first_names = (names) =>
    `${names.slice(0, 12).join(", ")}${names.length > 12 ? ` and ${grouped(names.length - 12)} more` : ""}`;
  const unjudged_text = ({nets, unlimited_nets = [], floating_nodes, layers = []} = report.unjudged
    ?? {nets: [], floating_nodes: 0}) => [
    ...[...new Set(layers.map((l) => l.quantity))].map((quantity) => {
      const of_quantity = layers.filter((l) => l.quantity === quantity).map((l) => l.layer ?? "no known layer");
      return `segments on ${first_names(of_quantity)} without a limit of the ${quantity}`;
    }),
    nets.length ? `${first_names(nets)}, left out of this report` : "",
    unlimited_nets.length ? `${first_names(unlimited_nets)} without a limit` : "",
    floating_nodes ? `${of_them(floating_nodes, "node")} without a path to a source` : "",
  ].filter((text) => text).map((text, k) => (k ? text : `not judged: ${text}`)).join("; ") || null;
  const limits_card = (limits = report.limits) => !limits.length ? [] : [table_card("Limits", [
    field("Net", "net"), {title: "Layer", value: (l) => l.layer ?? "", show: (text) => text},
    field("Quantity", "quantity"),
    {title: "Value", value: (l) => l.value_a ?? l.value_v,
      show: (v, l) => l.words?.value ?? (l.limit_a === undefined ? volts(v) : amperes(v))},
    {title: "Limit", value: (l) => l.limit_a ?? l.limit_v,
      show: (v, l) => l.words?.limit ?? (l.limit_a === undefined ? volts(v) : amperes(v))},
    {title: "Above", value: (l) => l.failed ?? -1, show: (n, l) => l.words?.failed ?? failed_text(l)},
    {title: "Verdict", value: (l) => (l.exceeded ? "exceeded" : l.undecided ? "undecided" : "ok"),
     show: (text) => pill({ok: "good", undecided: "warn", exceeded: "bad"}[text], text)},
  ], limits, {note: unjudged_text()})];
  const findings_card = () => !report.findings.length ? [] : [table_card("Findings", [
    {title: "Severity", value: (f) => f.severity,
      show: (s) => pill({error: "bad", warning: "warn", info: "neutral"}[s], s)},
    field("Finding", "message"), field("Location", "place"), field("Code", "code"),
  ], report.findings, {note: report.findings.length < data.findings_count
    ? `the first of ${grouped(data.findings_count)}; report.json has all` : null})];

  // Drops of instances: those of their power and ground pins, where there are ground nets.
  const instance_columns = has_ground
    ? [field("Drop", "vdd_drop_v", volts), field("Bounce", "gnd_bounce_v", volts),
      field("Combined", "combined_v", volts)]
    : [field("Drop", "vdd_drop_v", volts)];

  /// Segments by their rules, nearest to violating them first.
  const em_card = (on_row) => !report.em ? [] : [table_card("Electromigration", [
    field("Segment", "name"), field("Net", "net"), field("Layer", "layer"), field("Rule", "rule"),
    {title: "Verdict", value: (row) => (row.em_verdict),
      show: (text) => pill({ok: "good", undecided: "warn", violated: "bad"}[text], text)},
    field("Of its limit", "ratio", (r) => percent(r, 1)), field("Peak current", "current_a", amperes),
    field("Width, µm", "width_um"),
    field(`x, ${length.unit}`, "x_um", length.show), field(`y, ${length.unit}`, "y_um", length.show),
  ], data.em_segments, {
    on_row, note: `of ${of_them(report.em.segments, "segment")} ${grouped(report.em.violated)} above their limit, ` +
      `${grouped(report.em.undecided)} undecided, ${grouped(report.em.unknown)} not judged`,
  })];

  /// Segments beyond the limits of their layers.
  const over_em_card = (on_row, rows = data.over_em_limits) => !rows?.length ? []
    : [table_card("Currents above their limit", [
    field("Segment", "name"), field("Net", "net"), field("Layer", "layer"),
    ...(rows[0].quantity ? [field("Over time", "quantity")] : []),
    field("Current", "current_a", amperes), field("Limit", "limit_a", amperes),
    field("Of its limit", "ratio", (r) => percent(r, 1)),
    field(`x, ${length.unit}`, "x_um", length.show), field(`y, ${length.unit}`, "y_um", length.show),
  ], rows, {on_row, note: shown(rows.length, report.limits.reduce((sum, l) => sum + (l.limit_a ? l.failed : 0), 0))})];

  return {
    element, grouped, of_them, quantity, volts, amperes, length, day, bytes, percent, drop_word, drops, drops_title,
    has_ground, failing_nets, net_of,
    supply_of, figure, net_figures, table_card, field, fact_columns, shown, pill, style, limits_card, findings_card,
    instance_columns, em_card, over_em_card, limits_badge,
  };
}
