// SPDX-License-Identifier: Apache-2.0
// Tables 1 to 4 of the PSC paper, and the condition numbers of its section 4.2.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>

#include "analysis/papers/cheap_tables.hpp"
#include "analysis/papers/paper.hpp"
#include "analysis/papers/psc_conditions.hpp"
#include "analysis/papers/psc_figures.hpp"
#include "analysis/pde/finite_elements.hpp"
#include "engines/psc/dense.hpp"
#include "engines/psc/prehandled.hpp"
#include "engines/psc/stored_matrices.hpp"
#include "support/memory.hpp"

namespace gridiron {
namespace {

/// A row of Tables 1 and 4.
struct Cardinalities {
  int levels, level;
  const char *coarse, *edge, *interior;
  const char *cond_cell, *cond_schur;
  const char *cells_share, *schur_share;  ///< nonzeros of the inverses over those of the stiffness matrix
  bool is_large = false;                  ///< takes gigabytes or minutes

  /// Of the matrix of a cell, beside which all else is small.
  double bytes(int corners) const {
    const psc::CellLattice cell{corners, int64_t{1} << (levels - level)};
    return sizeof(double) * std::pow(cell.interior(), 2);
  }
};

const Cardinalities kTable1[] = {
    {8, 2, "9", "1'512", "63'504", "23.9", "24.1", "27.06", "3.93"},
    {8, 3, "49", "3'472", "61'504", "16.9", "19.5", "1.59", "20.71"},
    {8, 4, "225", "7'200", "57'600", "11.1", "14.5", "0.09", "89.05"},
    {8, 5, "961", "13'888", "50'176", "6.6", "10.1", "0.004", "331.31"},
    {9, 2, "9", "3'048", "258'064", "32.2", "30.7", "110.99", "3.96", true},
    {9, 3, "49", "7'056", "254'016", "23.9", "25.5", "6.72", "21.24"},
    {9, 4, "225", "14'880", "246'016", "16.9", "19.8", "0.39", "94.46"},
    {9, 5, "961", "29'760", "230'400", "11.1", "14.6", "0.02", "377.85"},
    {10, 2, "9", "6'120", "1'040'400", "41.8", "37.9", "449.50", "3.98", true},
    {10, 3, "49", "14'224", "1'032'256", "32.2", "32.3", "27.66", "21.51", true},
    {10, 4, "225", "30'240", "1'016'064", "23.9", "25.9", "1.67", "97.22", true},
    {10, 5, "961", "61'504", "984'064", "16.9", "19.9", "0.10", "402.14", true},
};
const Cardinalities kTable4[] = {
    {7, 0, "7", "4'445", "224'028", "121.9", "61.0", "137.14", "14.11", true},
    {7, 1, "42", "9'702", "218'736", "82.3", "82.7", "8.17", "67.21"},
    {7, 2, "196", "19'964", "208'320", "45.9", "69.0", "0.46", "284.60"},
    {7, 3, "840", "39'480", "188'160", "23.2", "48.9", "0.02", "1'113.00"},
    {8, 0, "7", "8'925", "906'780", "168.2", "80.8", "559.96", "14.18", true},
    {8, 1, "42", "19'558", "896'112", "121.9", "111.2", "34.18", "68.08", true},
    {8, 2, "196", "40'572", "874'944", "82.3", "97.3", "2.04", "292.95", true},
    {8, 3, "840", "81'592", "833'280", "45.9", "74.1", "0.12", "1'184.79", true},
};

/// Of the stiffness matrix, without entries that are zeros, as between the ends of a hypotenuse.
double stiffness_nonzeros(const RefinedMesh& mesh) {
  const CsrMatrix a = assemble(mesh);
  return static_cast<double>(std::ranges::count_if(a.value, [](double v) { return std::abs(v) > 1e-12; }));
}

PaperTable cardinalities_table(const char* title) {
  const PaperColumn count{"", Rule::shown, 0, 9};
  const std::string iterated = "as eigenvalues are iterated here and there", counted = "as entries are counted";
  PaperTable table{title,
                   "Numbers of unknowns in corners, on edges and inside, which follow from the mesh; largest condition "
                   "number of a cell's matrix C and of the Schur complement Pi; nonzeros of their inverses over those "
                   "of the stiffness matrix.",
                   {count, count, count},
                   {}};
  table.columns[0].name = "corners", table.columns[1].name = "edges", table.columns[2].name = "interior";
  for (const char* column : {"cond C", "cond Pi"})
    table.columns.push_back({column, Rule::as_printed, 1e-3, 4, iterated});
  for (const char* column : {"nnz C^-1", "nnz Pi^-1"})
    table.columns.push_back({column, Rule::as_printed, 0, 5, counted});
  return table;
}

/// Entries of the inverses over those of the stiffness matrix, in the last two columns.
void count_entries(const Cardinalities& row, const RefinedMesh& mesh, PaperRow& to) {
  const psc::Counts counts = psc::count_macro_cells(mesh, row.level);
  const double inside = static_cast<double>(counts.interior) / counts.cells, nonzeros = stiffness_nonzeros(mesh);
  to.cells[0] = {row.coarse, static_cast<double>(counts.coarse)};
  to.cells[1] = {row.edge, static_cast<double>(counts.edge)};
  to.cells[2] = {row.interior, static_cast<double>(counts.interior)};
  to.cells[5] = {row.cells_share, counts.groups * inside * inside / nonzeros};
  to.cells[6] = {row.schur_share, std::pow(counts.edge, 2) / nonzeros};
}

PaperTable cardinalities(const char* title, std::string (*name)(const Cardinalities&), const CoarseMesh& coarse,
                         std::span<const Cardinalities> paper, const PaperOptions& options) {
  PaperTable table = cardinalities_table(title);
  for (const Cardinalities& row : paper) {
    if (row.is_large && !options.large) continue;
    const double bytes = row.bytes(coarse.corners);
    options.progress(fmt::format("psc, {}, {:.2g} GB", name(row), 1e-9 * bytes));
    const RefinedMesh mesh(coarse, row.levels);
    table.rows.push_back({name(row), std::vector<PaperCell>(table.columns.size())});
    PaperRow& to = table.rows.back();
    count_entries(row, mesh, to);
    constexpr double kShare = 0.8;  // of the memory of a machine
    if (bytes > kShare * static_cast<double>(usable_memory_bytes())) {
      table.note += fmt::format(" Condition numbers of {}, {} and {}, are left out: its cell's matrix takes {:.3g} GB.",
                                name(row), row.cond_cell, row.cond_schur, 1e-9 * bytes);
      continue;
    }
    const psc::Prehandled p = psc::prehandle(mesh, row.level, true, eliminate_without_inverse);
    const psc::Extremes e =
        psc::extreme_eigenvalues(p.cells.edge(), [&](const double* x, double* y) { p.multiply_schur(x, y); });
    to.cells[3] = {row.cond_cell, p.largest_condition()};
    to.cells[4] = {row.cond_schur, e.largest / e.least};
  }
  return table;
}

PaperTable conditions() {
  const PrehandledConditions ours = prehandled_conditions(8, 4);
  return {
      "Section 4.2: condition numbers of the whole matrix, unit square, Q1, h = 1/256, h0 = 1/16",
      "Of the stiffness matrix, of that in the hierarchical basis, and with the Cholesky factor of the coarse "
      "unknowns and unit diagonals elsewhere, by Lanczos iteration. 'In the order of 2 10^5' at h = 1/1024 is 16 times "
      "the first of them, as it grows by h^-2.",
      {{"condition", Rule::as_printed, 0, 6, "rounded as in the text"}},
      {{"stiffness matrix", {{"13'280", ours.stiffness}}},
       {"in the hierarchical basis", {{"100", ours.hierarchical}}},
       {"with the Cholesky factor", {{"22", ours.prehandled}}}}};
}

PaperTable unit_square(std::span<const Cardinalities> rows, const PaperOptions& options) {
  return cardinalities(
      "Table 1: unit square, Q1",
      [](const Cardinalities& row) { return fmt::format("h = 1/{}, h0 = 1/{}", 1 << row.levels, 1 << row.level); },
      unit_square_mesh(4, 1), rows, options);
}

}  // namespace

PaperTable psc_unit_square(int levels, int level) {
  for (const Cardinalities& row : kTable1)
    if (row.levels == levels && row.level == level) return unit_square({&row, 1}, {});
  throw std::logic_error("the paper has no such row");
}

std::vector<PaperTable> psc_tables(const PaperOptions& options) {
  std::vector<PaperTable> tables = {
      unit_square(kTable1, options), conditions(), psc_storage(), psc_operations(),
      cardinalities(
          "Table 4: flow around a square, P1",
          [](const Cardinalities& row) { return fmt::format("L = {}, L0 = {}", row.levels, row.level); },
          flow_around_square_mesh(), kTable4, options)};
  for (PaperTable& table : psc_figures(options)) tables.push_back(std::move(table));
  return tables;
}

}  // namespace gridiron
