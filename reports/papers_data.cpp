// SPDX-License-Identifier: Apache-2.0
#include "reports/json/json.hpp"
#include "reports/papers_report.hpp"
#include "reports/tables/csv_line.hpp"

namespace gridiron {
namespace {

Json json_table(const PaperTable& table) {
  Json columns = Json::array(), rows = Json::array();
  for (const PaperColumn& column : table.columns)
    columns.push_back({{"name", column.name},
                       {"rule", name_of(column.rule)},
                       {"tolerance", column.tolerance},
                       {"reason", name_or_null(column.reason)},
                       {"source", column.source}});
  for (const PaperRow& row : table.rows) {
    Json cells = Json::array();
    for (size_t k = 0; k < row.cells.size(); ++k)
      cells.push_back({{"printed", name_or_null(row.cells[k].paper)},
                       {"ours", number_or_null(row.cells[k].ours)},
                       {"verdict", name_or_null(verdict(table.columns[k], row, row.cells[k]))}});
    rows.push_back({{"name", row.name},
                    {"explanation", name_or_null(has_explained(table, row) ? row.explanation : "")},
                    {"cells", std::move(cells)}});
  }
  return {{"title", table.title},
          {"note", table.note},
          {"decks", table.decks},
          {"columns", std::move(columns)},
          {"rows", std::move(rows)}};
}

Json json_paper(const PaperResult& result) {
  Json exhibits = Json::array(), tables = Json::array();
  for (const Exhibit& exhibit : result.paper->exhibits)
    exhibits.push_back({{"name", exhibit.name},
                        {"shows", exhibit.shows},
                        {"coverage", name_of(exhibit.coverage)},
                        {"note", exhibit.note}});
  for (const PaperTable& table : result.tables) tables.push_back(json_table(table));
  const PaperResult::Tally tally = result.tally();
  return {{"name", result.paper->name},   {"citation", result.paper->citation}, {"seconds", result.seconds},
          {"judged", tally.judged},       {"judged_by", tally.by_source},       {"missed", tally.missed},
          {"explained", tally.explained}, {"exhibits", std::move(exhibits)},    {"tables", std::move(tables)}};
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
              .text(name_of(column.rule))
              .number(column.tolerance)
              .text(verdict(column, row, row.cells[k]))
              .text(row.cells[k].paper.empty() ? "" : column.source);
        }
  return text;
}

std::string paper_exhibits_csv(std::span<const PaperResult> results) {
  std::string text = "paper,exhibit,shows,coverage,note\n";
  for (const PaperResult& result : results)
    for (const Exhibit& exhibit : result.paper->exhibits)
      CsvLine(text)
          .text(result.paper->name)
          .text(exhibit.name)
          .text(exhibit.shows)
          .text(name_of(exhibit.coverage))
          .text(exhibit.note);
  return text;
}

}  // namespace gridiron
