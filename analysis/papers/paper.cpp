// SPDX-License-Identifier: Apache-2.0
#include "analysis/papers/paper.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "support/error_text.hpp"
#include "support/nearest_names.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

const Paper kPapers[] = {
    {"sgml",
     "J. T. Becerra-Sagredo, F. Mandujano, C. Málaga: A GPU-based multi-level algorithm for boundary value problems, "
     "2017",
     sgml_tables, sgml_exhibits()},
    {"gpuhmd", "Z. Feng, P. Li: Multigrid on GPU: Tackling Power Grid Analysis on Parallel SIMT Platforms, ICCAD 2008",
     gpuhmd_tables, gpuhmd_exhibits()},
    {"aggamg",
     "R. Gandham, K. Esler, Y. Zhang: A GPU Accelerated Aggregation Algebraic Multigrid Method (GAMPACK), 2014",
     aggamg_tables, aggamg_exhibits()},
    {"psc",
     "D. Ruda, S. Turek, D. Ribbrock, P. Zajac: Very fast finite element Poisson solvers on lower precision "
     "accelerator hardware, 2022",
     psc_tables, psc_exhibits()},
    {"stokes",
     "L. Spies, L. Olson, S. MacLachlan: Exploiting mesh structure to improve multigrid performance for saddle point "
     "problems, 2024",
     stokes_tables, stokes_exhibits()},
};

/// A number as printed, "1'512", "23.9" or "1.590e-6", and half a unit of its last digit.
struct Printed {
  double value = 0, half_unit = 0;
};
Printed printed(std::string text) {
  std::erase(text, '\'');
  const size_t end = std::min(text.find('e'), text.size()), point = text.find('.');
  const int decimals = point == std::string::npos ? 0 : static_cast<int>(end - point - 1);
  const int exponent = end < text.size() ? std::atoi(text.c_str() + end + 1) : 0;
  return {std::strtod(text.c_str(), nullptr), 0.5 * std::pow(10.0, exponent - decimals)};
}

}  // namespace

bool agrees(const PaperColumn& column, const PaperCell& cell) {
  if (column.rule == Rule::shown || cell.paper.empty() || cell.is_given) return true;
  if (std::isnan(cell.ours)) return false;
  const Printed paper = printed(cell.paper);
  const double difference = std::abs(cell.ours - paper.value);
  constexpr double kRounding = 1e-9;
  switch (column.rule) {
    case Rule::as_printed:
      return difference <= (1 + kRounding) * paper.half_unit + column.tolerance * std::abs(paper.value);
    case Rule::at_most:
      return cell.ours <= paper.value * (1 + column.tolerance);
    case Rule::at_least:
      return cell.ours >= paper.value * (1 - column.tolerance);
    default:
      return difference <= column.tolerance;
  }
}

std::string_view name_of(Rule rule) {
  constexpr std::string_view kNames[] = {"shown", "as_printed", "at_most", "at_least", "within"};
  return kNames[static_cast<size_t>(rule)];
}

std::string_view name_of(Coverage coverage) {
  constexpr std::string_view kNames[] = {"whole", "partly", "elsewhere", "none"};
  return kNames[static_cast<size_t>(coverage)];
}

std::string_view verdict(const PaperColumn& column, const PaperRow& row, const PaperCell& cell) {
  if (column.rule == Rule::shown || cell.paper.empty() || cell.is_given) return "";
  if (agrees(column, cell)) return "agrees";
  constexpr double kNear = 0.1;
  const bool is_known = std::abs(cell.ours - cell.known) <= kNear * std::abs(cell.known);
  return is_known && !row.explanation.empty() ? "explained" : "missed";
}

bool has_explained(const PaperTable& table, const PaperRow& row) {
  for (size_t k = 0; k < row.cells.size(); ++k)
    if (verdict(table.columns[k], row, row.cells[k]) == "explained") return true;
  return false;
}

std::span<const Paper> papers() { return kPapers; }

const Paper& find_paper(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Paper& paper : kPapers) {
    if (paper.name == name) return paper;
    names.push_back(paper.name);
  }
  throw input_error("there are no tables of \"{}\"; there are those of {}{}", name, fmt::join(names, ", "),
                    did_you_mean(name, names));
}

PaperResult::Tally PaperResult::tally() const {
  Tally tally;
  for (const PaperTable& table : tables)
    for (const PaperRow& row : table.rows)
      for (size_t k = 0; k < row.cells.size(); ++k) {
        const std::string_view found = verdict(table.columns[k], row, row.cells[k]);
        if (!found.empty()) ++tally.judged, ++tally.by_source[table.columns[k].source];
        tally.missed += found == "missed" || found == "explained";
        tally.explained += found == "explained";
      }
  return tally;
}

PaperResult run_paper(const Paper& paper, const PaperOptions& options) {
  const Stopwatch watch;
  PaperResult result{&paper, paper.run(options)};
  result.seconds = watch.seconds();
  return result;
}

}  // namespace gridiron
