// What the pages of static and dynamic runs share: numbers for people, figures, tables that can be sorted, charts. Names
// come from the netlist and are untrusted: they enter the page as text nodes only, never as markup.
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
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function figure(label, value, note, exceeded = false) {
    return element("div", {class: exceeded ? "figure exceeded" : "figure"}, element("div", {class: "label"}, label),
                   element("div", {class: "value"}, value), element("div", {class: "note"}, note));
  }

  // ---- tables -------------------------------------------------------------------------------------------------------
  // A column: title, value of a row (sorted by), and how it is shown. Numbers are aligned to the right.
  const rows_on_paper = 16;  // report.css hides the others

  function table_card(title, columns, rows, {note = null, on_row = null, whole = false} = {}) {
    const body = element("tbody");
    const cell = (column, row) => {
      const value = column.value(row);
      const kind = typeof value === "number" ? "number" : String(value ?? "").length > 18 ? "long" : null;
      return element("td", {class: kind}, column.show ? column.show(value, row) : (value ?? ""));
    };
    const fill = (list) => body.replaceChildren(...list.map((row) => {
      const line = element("tr", {}, ...columns.map((column) => cell(column, row)));
      if (on_row && on_row.applies(row)) {
        line.classList.add("jumps");
        line.title = "Show on the map";
        line.addEventListener("click", () => on_row.act(row));
      }
      return line;
    }));

    const headers = columns.map((column) => {
      const numeric = rows.some((row) => typeof column.value(row) === "number");
      const header = element("th", {class: numeric ? "number" : null, scope: "col"}, element("button", {
        type: "button",
        onclick: () => {
          const up = header.getAttribute("aria-sort") === "descending";
          headers.forEach((other) => other.removeAttribute("aria-sort"));
          header.setAttribute("aria-sort", up ? "ascending" : "descending");
          const order = (a, b) => (typeof a === "number" && typeof b === "number")
            ? a - b : String(a ?? "").localeCompare(String(b ?? ""), "en", {numeric: true});
          fill([...rows].sort((a, b) => (up ? 1 : -1) * order(column.value(a), column.value(b))));
        },
      }, column.title));
      return header;
    });
    fill(rows);
    const hidden = whole ? 0 : rows.length - rows_on_paper;
    return element("div", {class: "card table-card"},
                   element("div", {class: "bar"}, element("h2", {}, title),
                           note ? element("span", {class: "muted"}, note) : null),
                   element("div", {class: whole ? "scroll" : "scroll abridged"},
                           element("table", {}, columns.some((column) => column.title) ? element("thead", {}, element("tr", {}, ...headers)) : null, body)),
                   hidden > 0 ? element("p", {class: "on-paper muted"}, `${of_them(hidden, "more row")} in the page itself`) : null);
  }

  const field = (title, key, show, more = {}) => ({title, value: (row) => row[key], show, ...more});
  const fact_columns = [{title: "", value: (row) => row[0]}, {title: "", value: (row) => row[1]}];
  const shown = (part, whole) => (part < whole ? `the first ${grouped(part)} of ${grouped(whole)}; the CSV file has all` : null);
  const pill = (kind, text) => element("span", {class: "pill " + kind}, text);

  const failed_text = (l) => (l.failed === undefined || l.failed === null ? "" :
    `${grouped(l.failed)} of ${l.segments === undefined ? of_them(l.nodes, "node") : of_them(l.segments, "segment")}` +
    (l.failed_instances ? `, ${of_them(l.failed_instances, "instance")}` : ""));
  const first_names = (names) => `${names.slice(0, 12).join(", ")}${names.length > 12 ? ` and ${grouped(names.length - 12)} more` : ""}`;
  const unjudged_text = ({nets, unlimited_nets = [], floating_nodes, layers = []} = report.unjudged ?? {nets: [], floating_nodes: 0}) => [
    ...[...new Set(layers.map((l) => l.quantity))].map((quantity) =>
      `segments on ${first_names(layers.filter((l) => l.quantity === quantity).map((l) => l.layer ?? "no known layer"))} without a limit of the ${quantity}`),
    nets.length ? `${first_names(nets)}, left out of this report` : "",
    unlimited_nets.length ? `${first_names(unlimited_nets)} without a limit` : "",
    floating_nodes ? `${of_them(floating_nodes, "node")} without a path to a source` : "",
  ].filter((text) => text).map((text, k) => (k ? text : `not judged: ${text}`)).join("; ") || null;
  const limits_card = (limits = report.limits) => !limits.length ? [] : [table_card("Limits", [
    field("Net", "net"), {title: "Layer", value: (l) => l.layer ?? "", show: (text) => text}, field("Quantity", "quantity"),
    {title: "Value", value: (l) => l.value_a ?? l.value_v, show: (v, l) => l.words?.value ?? (l.limit_a === undefined ? volts(v) : amperes(v))},
    {title: "Limit", value: (l) => l.limit_a ?? l.limit_v, show: (v, l) => l.words?.limit ?? (l.limit_a === undefined ? volts(v) : amperes(v))},
    {title: "Above", value: (l) => l.failed ?? -1, show: (n, l) => l.words?.failed ?? failed_text(l)},
    {title: "Verdict", value: (l) => (l.exceeded ? "exceeded" : l.undecided ? "undecided" : "ok"),
     show: (text) => pill({ok: "good", undecided: "warn", exceeded: "bad"}[text], text)},
  ], limits, {note: unjudged_text()})];
  const findings_card = () => !report.findings.length ? [] : [table_card("Findings", [
    {title: "Severity", value: (f) => f.severity, show: (s) => pill({error: "bad", warning: "warn", info: "neutral"}[s], s)},
    field("Finding", "message"), field("Location", "place"), field("Code", "code"),
  ], report.findings, {note: report.findings.length < data.findings_count ? `the first of ${grouped(data.findings_count)}; report.json has all` : null})];

  // ---- charts -------------------------------------------------------------------------------------------------------
  const net_colours = ["#8e3aa8", "#e8743b", "#2f7fd1", "#35a06a", "#c9a227", "#c2416b"];
  const net_colour = (index) => net_colours[index % net_colours.length];

  const short = (name) => (name.length > 24 ? name.slice(0, 23) + "…" : name);
  const axis = (text) => ({title: {display: true, text}});

  function prepare_charts() {
    Chart.defaults.color = style("--muted");
    Chart.defaults.borderColor = style("--line");
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.animation = false;
    Chart.defaults.maintainAspectRatio = false;
  }

  return {
    element, grouped, of_them, quantity, volts, amperes, length, day, bytes, percent, drop_word, net_of, supply_of, figure, table_card,
    field, fact_columns, shown, pill, net_colours, net_colour, short, axis, style, prepare_charts, limits_card, findings_card,
  };
}
