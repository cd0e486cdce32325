// SPDX-License-Identifier: Apache-2.0
#include "reports/papers_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/text_table.hpp"
#include "support/output_file.hpp"

namespace gridiron {
namespace {

bool has_paper(const PaperTable& table, size_t column) {
  return std::ranges::any_of(table.rows, [&](const PaperRow& row) { return !row.cells[column].paper.empty(); });
}

std::string ours(const PaperColumn& column, const PaperCell& cell) {
  if (!std::isnan(cell.ours)) return fmt::format("{:.{}g}", cell.ours, column.digits);
  return cell.paper.empty() ? "" : "none";
}

/// How a column is judged, in words.
std::string rule_text(const PaperColumn& column) {
  const std::string percent = fmt::format("{:g} %", 100 * column.tolerance);
  switch (column.rule) {
    case Rule::as_printed:
      return "as printed" + (column.tolerance > 0 ? " within " + percent : "");
    case Rule::at_most:
      return "at most the paper's" + (column.tolerance > 0 ? " and " + percent : "");
    case Rule::at_least:
      return "at least the paper's" + (column.tolerance > 0 ? " less " + percent : "");
    case Rule::within:
      return fmt::format("within {:g}", column.tolerance);
    default:
      return "";
  }
}

/// "Judged: edges as printed; cond C as printed within 0.1 %."; empty where nothing is.
std::string rules_text(const PaperTable& table) {
  std::string text;
  for (const PaperColumn& column : table.columns)
    if (const std::string rule = rule_text(column); !rule.empty())
      text += (text.empty() ? "Judged: " : "; ") + column.name + " " + rule;
  return text.empty() ? "Nothing of this is judged." : text + ".";
}

std::string tally_text(const PaperResult& result) {
  const auto [judged, missed] = result.tally();
  return fmt::format("{} in {:.0f} s",
                     missed == 0 ? fmt::format("All of {} judged figures agree", judged)
                                 : fmt::format("{} of {} judged figures MISSED", missed, judged),
                     result.seconds);
}

struct PrintedTable {
  std::vector<std::string> headers;  ///< numbers' end in '>'
  std::vector<std::vector<std::string>> rows;
};

/// A table with a column of the paper's figures after each of ours that has any.
PrintedTable grid_of(const PaperTable& table, const char* missed) {
  PrintedTable grid;
  grid.headers.emplace_back("");
  for (size_t k = 0; k < table.columns.size(); ++k) {
    grid.headers.push_back(table.columns[k].name + ">");
    if (has_paper(table, k)) grid.headers.emplace_back("paper>");
  }
  for (const PaperRow& row : table.rows) {
    std::vector<std::string> cells{row.name};
    for (size_t k = 0; k < row.cells.size(); ++k) {
      cells.push_back(ours(table.columns[k], row.cells[k]) + (agrees(table.columns[k], row.cells[k]) ? "" : missed));
      if (has_paper(table, k)) cells.push_back(row.cells[k].paper);
    }
    grid.rows.push_back(std::move(cells));
  }
  return grid;
}

std::string without_mark(std::string header) {
  if (header.ends_with('>')) header.pop_back();
  return header;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

constexpr const char* kPageStyle =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:80rem;margin:2rem auto;padding:0 1rem;color:#1c2330}"
    "h2{margin-top:2.5rem}div{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "th,td{padding:.2rem .55rem;border-bottom:1px solid "
    "#dde3ea;text-align:right}th:first-child,td:first-child{text-align:left;white-space:nowrap}"
    "td.paper,th.paper{color:#667}td.missed{background:#fbd9d3;font-weight:600}p.note{color:#445;max-width:60rem}";

std::string html_table(const PaperTable& table) {
  std::string out = "<div><table><thead><tr><th></th>";
  for (size_t k = 0; k < table.columns.size(); ++k) {
    out += "<th>" + html_text(table.columns[k].name) + "</th>";
    if (has_paper(table, k)) out += "<th class=paper>paper</th>";
  }
  out += "</tr></thead><tbody>\n";
  for (const PaperRow& row : table.rows) {
    out += "<tr><td>" + html_text(row.name) + "</td>";
    for (size_t k = 0; k < row.cells.size(); ++k) {
      const bool is_good = agrees(table.columns[k], row.cells[k]);
      out += fmt::format("<td{}>{}</td>", is_good ? "" : " class=missed", ours(table.columns[k], row.cells[k]));
      if (has_paper(table, k)) out += "<td class=paper>" + html_text(row.cells[k].paper) + "</td>";
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string introduction() {
  return fmt::format(
      "Made by `gridiron papers` of Gridiron {}. Each figure of a paper stands beside ours; what is judged is said "
      "above every table, and a figure outside its tolerance is marked and makes the exit code 1. Times are of the "
      "machine "
      "that made this page.",
      GRIDIRON_VERSION);
}

}  // namespace

std::string papers_text(const PaperResult& result) {
  std::string text = fmt::format("{}: {}\n{}\n", result.paper->name, result.paper->citation, tally_text(result));
  for (const PaperTable& table : result.tables) {
    const PrintedTable grid = grid_of(table, " MISSED");
    TextTable lines(grid.headers);
    for (const std::vector<std::string>& row : grid.rows) lines.add(row);
    text += fmt::format("\n{}\n{} {}\n{}", table.title, table.note, rules_text(table), lines.str());
  }
  return text + "\n";
}

std::string papers_markdown(std::span<const PaperResult> results) {
  std::string page = "# The papers side by side\n\n" + introduction() + "\n";
  for (const PaperResult& result : results) {
    page += fmt::format("\n## {}\n\n{}. {}.\n", result.paper->name, result.paper->citation, tally_text(result));
    for (const PaperTable& table : result.tables) {
      PrintedTable grid = grid_of(table, " **missed**");
      page += fmt::format("\n### {}\n\n{} {}\n\n", table.title, table.note, rules_text(table));
      std::string rule = "|---|";
      for (size_t k = 1; k < grid.headers.size(); ++k) rule += "--:|";
      for (std::string& header : grid.headers) header = without_mark(header);
      page += markdown_row(grid.headers) + rule + "\n";
      for (const std::vector<std::string>& row : grid.rows) page += markdown_row(row);
    }
  }
  return page;
}

std::string papers_html(std::span<const PaperResult> results) {
  std::string page =
      "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">"
      "<title>Gridiron: the papers side by side</title><style>";
  page +=
      fmt::format("{}</style>\n<h1>The papers side by side</h1>\n<p>{}</p>\n", kPageStyle, html_text(introduction()));
  for (const PaperResult& result : results) {
    page += fmt::format("<h2>{}</h2>\n<p>{}.<br>{}.</p>\n", html_text(result.paper->name),
                        html_text(result.paper->citation), html_text(tally_text(result)));
    for (const PaperTable& table : result.tables)
      page += fmt::format("<h3>{}</h3>\n<p class=note>{}</p>\n{}", html_text(table.title),
                          html_text(table.note + " " + rules_text(table)), html_table(table));
  }
  return page + "</html>\n";
}

void write_papers(std::span<const PaperResult> results, const OutputPath& directory) {
  make_directory(directory);
  std::string text;
  for (const PaperResult& result : results) text += papers_text(result) + "\n";
  write_file(directory / "papers.txt", text);
  write_file(directory / "papers.md", papers_markdown(results));
  write_file(directory / "papers.html", papers_html(results));
}

}  // namespace gridiron
