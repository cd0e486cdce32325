// SPDX-License-Identifier: Apache-2.0
#include "reports/papers_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "analysis/run/run_facts.hpp"
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
      return "at most the " + column.source + "'s" + (column.tolerance > 0 ? " and " + percent : "");
    case Rule::at_least:
      return "at least the " + column.source + "'s" + (column.tolerance > 0 ? " less " + percent : "");
    case Rule::within:
      return fmt::format("within {:g}", column.tolerance);
    default:
      return "";
  }
}

/// "Judged: edges as printed, as they are counted; cond C as printed within 0.1 %, …". Columns of one rule and reason
/// stand together.
std::string rules_text(const PaperTable& table) {
  std::vector<std::pair<std::string, std::string>> judged;  // rule, columns
  for (const PaperColumn& column : table.columns) {
    std::string rule = rule_text(column);
    if (rule.empty()) continue;
    if (!column.reason.empty()) rule += ", " + column.reason;
    if (!judged.empty() && judged.back().first == rule)
      judged.back().second += ", " + column.name;
    else
      judged.emplace_back(std::move(rule), column.name);
  }
  std::string text;
  for (const auto& [rule, columns] : judged) text += (text.empty() ? "Judged: " : "; ") + columns + " " + rule;
  return text.empty() ? "Nothing of this is judged." : text + ".";
}

/// What is compared, the netlists, and what is judged.
std::string note_text(const PaperTable& table) {
  std::string decks;
  for (const std::string& deck : table.decks) decks += fmt::format("{}`{}`", decks.empty() ? " Decks: " : ", ", deck);
  return fmt::format("{}{} {}", table.note, decks.empty() ? "" : decks + ".", rules_text(table));
}

/// "31 beside the paper's own, 24 beside others (bound 4, prototype 20)"
std::string sources_text(const PaperResult::Tally& tally) {
  std::string others;
  int papers_own = 0;
  for (const auto& [source, judged] : tally.by_source)
    if (source == "paper")
      papers_own = judged;
    else
      others += fmt::format("{}{} {}", others.empty() ? "" : ", ", source, judged);
  return others.empty() ? "all beside the paper's own"
                        : fmt::format("{} beside the paper's own, {} beside others ({})", papers_own,
                                      tally.judged - papers_own, others);
}

/// "55 figures are judged, all beside the paper's own: 54 agree, 1 misses and is explained. The run took 25 s."
std::string tally_text(const PaperResult& result) {
  const PaperResult::Tally tally = result.tally();
  std::string text =
      fmt::format("{} judged, {}: ", tally.judged == 1 ? "1 figure is" : fmt::format("{} figures are", tally.judged),
                  sources_text(tally));
  text += tally.missed == 0 ? "all agree" : fmt::format("{} agree", tally.judged - tally.missed);
  if (tally.unexplained() > 0) text += fmt::format(", {} MISSED", tally.unexplained());
  if (tally.explained > 0)
    text += fmt::format(", {}", tally.explained == 1 ? "1 misses and is explained"
                                                     : fmt::format("{} miss and are explained", tally.explained));
  return fmt::format("{}. The run took {:.0f} s.", text, result.seconds);
}

/// Why rows miss, a sentence each; rows that miss for one reason stand together.
std::vector<std::string> explanations(const PaperTable& table) {
  std::vector<std::pair<std::string, std::string>> reasons;  // reason, rows
  for (const PaperRow& row : table.rows) {
    if (!has_explained(table, row)) continue;
    const auto found = std::ranges::find(reasons, row.explanation, &std::pair<std::string, std::string>::first);
    if (found == reasons.end())
      reasons.emplace_back(row.explanation, row.name);
    else
      found->second += ", " + row.name;
  }
  std::vector<std::string> texts;
  for (const auto& [reason, rows] : reasons) texts.push_back(rows + ": " + reason);
  return texts;
}

struct PrintedTable {
  std::vector<std::string> headers;  ///< numbers' end in '>'
  std::vector<std::vector<std::string>> rows;
};

/// A table with a column of the paper's figures after each of ours that has any.
PrintedTable grid_of(const PaperTable& table, const char* missed, const char* explained) {
  PrintedTable grid;
  grid.headers.emplace_back("");
  for (size_t k = 0; k < table.columns.size(); ++k) {
    grid.headers.push_back(table.columns[k].name + ">");
    if (has_paper(table, k)) grid.headers.emplace_back(table.columns[k].source + ">");
  }
  for (const PaperRow& row : table.rows) {
    std::vector<std::string> cells{row.name};
    for (size_t k = 0; k < row.cells.size(); ++k) {
      const std::string_view found = verdict(table.columns[k], row, row.cells[k]);
      const char* const mark = found == "missed" ? missed : found == "explained" ? explained : "";
      cells.push_back(ours(table.columns[k], row.cells[k]) + mark);
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
    "body{font:15px/1.5 system-ui,sans-serif;max-width:80rem;margin:2rem auto;padding:0 1rem;color:#1c2330;"
    "overflow-wrap:anywhere}"
    "h2{margin-top:2.5rem}div{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "th,td{padding:.2rem .55rem;border-bottom:1px solid #dde3ea;text-align:right;white-space:nowrap;"
    "overflow-wrap:normal}th:first-child,td:first-child{text-align:left}"
    "td.paper,th.paper{color:#667}td.missed{background:#fbd9d3;font-weight:600}td.explained{background:#fdf0c8}"
    ".note{color:#445;max-width:60rem}.exhibits th,.exhibits td{text-align:left;vertical-align:top}"
    ".exhibits td.words{white-space:normal;overflow-wrap:anywhere}"
    "@media(max-width:45rem){td:first-child{white-space:normal;min-width:8rem}"
    ".exhibits thead{display:none}.exhibits,.exhibits tbody,.exhibits tr,.exhibits td{display:block;border:0;"
    "padding:0}.exhibits tr{padding:.4rem 0;border-bottom:1px solid #dde3ea}.exhibits td:first-child,"
    ".exhibits td:first-child+td{display:inline;font-weight:600}.exhibits td:first-child:after{content:\", \"}}"
    "@media(prefers-color-scheme:dark){body{background:#161a20;color:#dde3ea}th,td,.exhibits tr{border-color:#333b46}"
    "td.paper,th.paper{color:#9aa5b5}td.missed{background:#6b2a22}td.explained{background:#574a1d}.note{color:#b4bdca}"
    "}";

/// Text whose words between backticks are code.
std::string html_words(std::string_view text) {
  std::string out;
  bool is_code = false;
  for (size_t at = 0; at <= text.size();) {
    const size_t mark = std::min(text.find('`', at), text.size());
    out += html_text(text.substr(at, mark - at));
    if (mark == text.size()) break;
    out += is_code ? "</code>" : "<code>";
    is_code = !is_code;
    at = mark + 1;
  }
  return is_code ? out + "</code>" : out;
}

std::string html_cell(const PaperColumn& column, const PaperRow& row, const PaperCell& cell) {
  const std::string_view found = verdict(column, row, cell);
  if (found != "missed" && found != "explained") return fmt::format("<td>{}</td>", ours(column, cell));
  return fmt::format("<td class={}>{} {}</td>", found, ours(column, cell), found == "missed" ? "MISSED" : "misses");
}

std::string html_table(const PaperTable& table) {
  std::string out =
      fmt::format("<div tabindex=0 role=region aria-label=\"{}\"><table><thead><tr><td></td>", html_text(table.title));
  for (size_t k = 0; k < table.columns.size(); ++k) {
    out += "<th>" + html_words(table.columns[k].name) + "</th>";
    if (has_paper(table, k)) out += "<th class=paper>" + html_words(table.columns[k].source) + "</th>";
  }
  out += "</tr></thead><tbody>\n";
  for (const PaperRow& row : table.rows) {
    out += "<tr><td>" + html_words(row.name) + "</td>";
    for (size_t k = 0; k < row.cells.size(); ++k) {
      out += html_cell(table.columns[k], row, row.cells[k]);
      if (has_paper(table, k)) out += "<td class=paper>" + html_words(row.cells[k].paper) + "</td>";
    }
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  for (const std::string& text : explanations(table)) out += "<p class=note>" + html_words(text) + ".</p>\n";
  return out;
}

constexpr const char* kExhibits = "Its tables and figures";

std::string html_exhibits(const Paper& paper) {
  std::string out = fmt::format(
      "<h3>{}</h3>\n<table class=exhibits><thead><tr><th>it has</th><th>here</th><th>what it shows</th><th>why, or "
      "where</th></tr></thead><tbody>\n",
      kExhibits);
  for (const Exhibit& exhibit : paper.exhibits)
    out += fmt::format("<tr><td>{}</td><td>{}</td><td class=words>{}</td><td class=words>{}</td></tr>\n",
                       html_words(exhibit.name), name_of(exhibit.coverage), html_words(exhibit.shows),
                       html_words(exhibit.note));
  return out + "</tbody></table>\n";
}

std::string markdown_exhibits(const Paper& paper) {
  std::string out = "\n| it has | here | what it shows | why, or where |\n|---|---|---|---|\n";
  for (const Exhibit& exhibit : paper.exhibits)
    out += markdown_row({std::string(exhibit.name), std::string(name_of(exhibit.coverage)), std::string(exhibit.shows),
                         std::string(exhibit.note)});
  return out;
}

std::string text_exhibits(const Paper& paper) {
  TextTable lines({"", "here", "what it shows: why, or where"});
  for (const Exhibit& exhibit : paper.exhibits)
    lines.add({std::string(exhibit.name), std::string(name_of(exhibit.coverage)),
               fmt::format("{}: {}", exhibit.shows, exhibit.note)});
  return fmt::format("\n{}\n{}", kExhibits, lines.str());
}

std::string introduction() {
  return fmt::format(
      "Made by `gridiron papers` of Gridiron {}. Each figure of a paper stands beside ours; what is judged is said "
      "above every table, and a figure outside its tolerance is marked. Where the reason is known it stands below the "
      "table, and the figure counts as explained. Every table and figure of a paper is listed, with a word for how it "
      "stands here: whole, partly, elsewhere (another page or command has it) or none. Times are of the machine "
      "that made this page.",
      GRIDIRON_VERSION);
}

}  // namespace

std::string papers_text(const PaperResult& result) {
  std::string text = fmt::format("{}: {}\n{}\n{}", result.paper->name, result.paper->citation, tally_text(result),
                                 text_exhibits(*result.paper));
  for (const PaperTable& table : result.tables) {
    const PrintedTable grid = grid_of(table, " MISSED", " misses");
    TextTable lines(grid.headers);
    for (const std::vector<std::string>& row : grid.rows) lines.add(row);
    text += fmt::format("\n{}\n{}\n{}", table.title, note_text(table), lines.str());
    for (const std::string& explanation : explanations(table)) text += explanation + ".\n";
  }
  return text + "\n";
}

std::string papers_markdown(std::span<const PaperResult> results) {
  std::string page = "# The papers side by side\n\n" + introduction() + "\n";
  for (const PaperResult& result : results) {
    page += fmt::format("\n## {}\n\n{}. {}\n", result.paper->name, result.paper->citation, tally_text(result));
    page += markdown_exhibits(*result.paper);
    for (const PaperTable& table : result.tables) {
      PrintedTable grid = grid_of(table, " **missed**", " *misses*");
      page += fmt::format("\n### {}\n\n{}\n\n", table.title, note_text(table));
      std::string rule = "|---|";
      for (size_t k = 1; k < grid.headers.size(); ++k) rule += "--:|";
      for (std::string& header : grid.headers) header = without_mark(header);
      page += markdown_row(grid.headers) + rule + "\n";
      for (const std::vector<std::string>& row : grid.rows) page += markdown_row(row);
      for (const std::string& explanation : explanations(table)) page += "\n" + explanation + ".\n";
    }
  }
  return page;
}

std::string papers_html(std::span<const PaperResult> results) {
  const RunFacts run = facts_of_this_run();
  std::string page =
      "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">"
      "<meta name=color-scheme content=\"light dark\">"
      "<title>Gridiron: the papers side by side</title><style>";
  page += fmt::format(
      "{}</style>\n<main>\n<h1>The papers side by side</h1>\n<p>{}</p>\n<p class=note>{}: <code>{}</code></p>\n",
      kPageStyle, html_words(introduction()), run.date, html_text(run.command));
  for (const PaperResult& result : results) {
    page += fmt::format("<h2>{}</h2>\n<p>{}.<br>{}</p>\n", html_text(result.paper->name),
                        html_words(result.paper->citation), html_words(tally_text(result)));
    page += html_exhibits(*result.paper);
    for (const PaperTable& table : result.tables)
      page += fmt::format("<h3>{}</h3>\n<p class=note>{}</p>\n{}", html_words(table.title),
                          html_words(note_text(table)), html_table(table));
  }
  return page + "</main>\n</html>\n";
}

void write_papers(std::span<const PaperResult> results, const OutputPath& directory, const Formats& formats) {
  make_directory(directory);
  std::string text;
  for (const PaperResult& result : results) text += papers_text(result) + "\n";
  if (formats.contains("text")) write_file(directory / "papers.txt", text);
  if (formats.contains("markdown")) write_file(directory / "papers.md", papers_markdown(results));
  if (formats.contains("html")) write_file(directory / "papers.html", papers_html(results));
  if (formats.contains("json")) write_file(directory / "papers.json", papers_json(results));
  if (!formats.contains("csv")) return;
  write_file(directory / "papers.csv", papers_csv(results));
  write_file(directory / "papers_exhibits.csv", paper_exhibits_csv(results));
}

}  // namespace gridiron
