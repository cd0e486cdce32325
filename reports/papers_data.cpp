// SPDX-License-Identifier: Apache-2.0
#include "reports/json/json.hpp"
#include "reports/papers_report.hpp"
#include "reports/tables/csv_line.hpp"

namespace gridiron {
namespace {

const char* rule_name(Rule rule) {
  switch (rule) {
    case Rule::as_printed:
      return "as_printed";
    case Rule::at_most:
      return "at_most";
    case Rule::at_least:
      return "at_least";
    case Rule::within:
      return "within";
    default:
      return "shown";
  }
}

const char* coverage_name(Coverage coverage) {
  switch (coverage) {
    case Coverage::whole:
      return "whole";
    case Coverage::partly:
      return "partly";
    case Coverage::elsewhere:
      return "elsewhere";
    default:
      return "none";
  }
}

/// Empty for what is not judged.
const char* verdict(const PaperColumn& column, const PaperRow& row, const PaperCell& cell) {
  if (column.rule == Rule::shown || cell.paper.empty()) return "";
  if (agrees(column, cell)) return "agrees";
  return row.explanation.empty() ? "missed" : "explained";
}

Json json_table(const PaperTable& table) {
  Json columns = Json::array(), rows = Json::array();
  for (const PaperColumn& column : table.columns)
    columns.push_back({{"name", column.name},
                       {"rule", rule_name(column.rule)},
                       {"tolerance", column.tolerance},
                       {"reason", name_or_null(column.reason)},
                       {"source", column.source}});
  for (const PaperRow& row : table.rows) {
    Json cells = Json::array();
    for (size_t k = 0; k < row.cells.size(); ++k)
      cells.push_back({{"printed", name_or_null(row.cells[k].paper)},
                       {"ours", number_or_null(row.cells[k].ours)},
                       {"verdict", name_or_null(verdict(table.columns[k], row, row.cells[k]))}});
    rows.push_back({{"name", row.name}, {"explanation", name_or_null(row.explanation)}, {"cells", std::move(cells)}});
  }
  return {{"title", table.title}, {"note", table.note}, {"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

Json json_paper(const PaperResult& result) {
  Json exhibits = Json::array(), tables = Json::array();
  for (const Exhibit& exhibit : result.paper->exhibits)
    exhibits.push_back({{"name", exhibit.name},
                        {"shows", exhibit.shows},
                        {"coverage", coverage_name(exhibit.coverage)},
                        {"note", exhibit.note}});
  for (const PaperTable& table : result.tables) tables.push_back(json_table(table));
  const PaperResult::Tally tally = result.tally();
  return {{"name", result.paper->name},      {"citation", result.paper->citation},
          {"seconds", result.seconds},       {"judged", tally.judged},
          {"missed", tally.missed},          {"explained", tally.explained},
          {"exhibits", std::move(exhibits)}, {"tables", std::move(tables)}};
}

}  // namespace

std::string papers_json(std::span<const PaperResult> results) {
  Json papers = Json::array();
  for (const PaperResult& result : results) papers.push_back(json_paper(result));
  return json_text(
      {{"schema", "gridiron.papers/1"}, {"tool_version", GRIDIRON_VERSION}, {"papers", std::move(papers)}});
}

std::string papers_csv(std::span<const PaperResult> results) {
  std::string text = "paper,table,row,column,printed,ours,rule,tolerance,verdict,source\n";
  for (const PaperResult& result : results)
    for (const PaperTable& table : result.tables)
      for (const PaperRow& row : table.rows)
        for (size_t k = 0; k < row.cells.size(); ++k) {
          const PaperColumn& column = table.columns[k];
          CsvLine(text)
              .text(result.paper->name)
              .text(table.title)
              .text(row.name)
              .text(column.name)
              .text(row.cells[k].paper)
              .number(row.cells[k].ours)
              .text(rule_name(column.rule))
              .number(column.tolerance)
              .text(verdict(column, row, row.cells[k]))
              .text(row.cells[k].paper.empty() ? "" : column.source);
        }
  return text;
}

}  // namespace gridiron
