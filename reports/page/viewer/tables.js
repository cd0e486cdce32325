// Tables that can be sorted, whose rows may lead to places on the map. A table is one stop of the Tab key: arrow keys
// move between its headers and rows, Enter sorts or shows the place.
"use strict";
function makeTables({element, of_them}) {
  const rows_on_paper = 16;  // report.css hides the others

  /// The buttons of a table, line by line, of lines that have any.
  const lines_of = (table) => [...table.rows].map((row) => [...row.querySelectorAll("button")])
    .filter((line) => line.length);

  function move_focus(table, key) {
    const lines = lines_of(table), focused = document.activeElement;
    const at = lines.findIndex((line) => line.includes(focused));
    if (at < 0) return false;
    const column = lines[at].indexOf(focused);
    const line = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1}[key] ?? at;
    const step = {ArrowRight: 1, ArrowLeft: -1}[key] ?? 0;
    const next = line === at ? lines[at][column + step] : lines[line]?.[0];
    if (!next || next === focused) return false;
    focused.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    return true;
  }

  /// A box without buttons is a stop only while it has something to scroll to.
  function keep_reachable(scroll, title) {
    new ResizeObserver(() => {
      const scrolls = scroll.scrollWidth > scroll.clientWidth || scroll.scrollHeight > scroll.clientHeight;
      for (const [key, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", title]])
        if (scrolls) scroll.setAttribute(key, value); else scroll.removeAttribute(key);
    }).observe(scroll);
  }

  // A column: title, value of a row (sorted by), and how it is shown. Numbers are aligned to the right. `on_row` says
  // which rows have a place, points at it, and goes there.
  function table_card(title, columns, rows, {note = null, on_row = null, whole = false} = {}) {
    const body = element("tbody");
    const is_sorted_by_hand = !whole && rows.length > 1;
    const text_of = (column, row) => {
      const value = column.value(row);
      return column.show ? column.show(value, row) : (value ?? "");
    };
    const cell = (column, row, place) => {
      const value = column.value(row);
      const kind = typeof value === "number" ? "number" : String(value ?? "").length > 18 ? "long" : null;
      return element("td", {class: kind}, place ? place(text_of(column, row)) : text_of(column, row));
    };
    const place_button = (row) => (text) => element("button", {
      type: "button", class: "place", title: "Show on the map", tabindex: -1,
      onclick: () => on_row.act(row), onfocus: () => on_row.point(row), onblur: () => on_row.point(null),
    }, text);
    const fill = (list) => body.replaceChildren(...list.map((row) => {
      const has_place = on_row && on_row.applies(row);
      const line = element("tr", {},
        ...columns.map((column, k) => cell(column, row, has_place && k === 0 ? place_button(row) : null)));
      if (has_place) {
        line.classList.add("jumps");
        line.addEventListener("click", (event) => { if (!event.target.closest("button")) on_row.act(row); });
        line.addEventListener("pointerenter", ({pointerType}) => { if (pointerType === "mouse") on_row.point(row); });
        line.addEventListener("pointerleave", () => on_row.point(null));
      }
      return line;
    }));

    const headers = columns.map((column) => {
      const numeric = rows.some((row) => typeof column.value(row) === "number");
      const sort = () => {
        const up = header.getAttribute("aria-sort") === "descending";
        headers.forEach((other) => other.removeAttribute("aria-sort"));
        header.setAttribute("aria-sort", up ? "ascending" : "descending");
        const order = (a, b) => (typeof a === "number" && typeof b === "number")
          ? a - b : String(a ?? "").localeCompare(String(b ?? ""), "en", {numeric: true});
        fill([...rows].sort((a, b) => (up ? 1 : -1) * order(column.value(a), column.value(b))));
      };
      const header = element("th", {class: numeric ? "number" : null, scope: "col"},
                             is_sorted_by_hand ? element("button", {type: "button", tabindex: -1, onclick: sort},
                               column.title) : column.title);
      return header;
    });
    fill(rows);
    const has_titles = columns.some((column) => column.title);
    const table = element("table", {"aria-label": title},
      has_titles ? element("thead", {}, element("tr", {}, ...headers)) : null, body);
    const first = lines_of(table)[0]?.[0];
    if (first) {
      first.tabIndex = 0;
      table.setAttribute("aria-describedby", "table-help");
      table.addEventListener("keydown", (event) => { if (move_focus(table, event.key)) event.preventDefault(); });
    }
    const scroll = element("div", {class: whole ? "scroll" : "scroll abridged"}, table);
    if (!first) keep_reachable(scroll, title);
    const hidden = whole ? 0 : rows.length - rows_on_paper;
    return element("div", {class: "card table-card"},
                   element("div", {class: "bar"}, element("h2", {}, title),
                     note ? element("span", {class: "muted"}, note) : null),
                   scroll,
                   hidden > 0 ? element("p", {class: "on-paper muted"},
                     `${of_them(hidden, "more row")} in the page itself`) : null);
  }

  const field = (title, key, show, more = {}) => ({title, value: (row) => row[key], show, ...more});
  const fact_columns = [{title: "", value: (row) => row[0]}, {title: "", value: (row) => row[1]}];

  return {table_card, field, fact_columns};
}
