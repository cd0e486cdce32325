// SPDX-License-Identifier: Apache-2.0
// Tables 1 to 4 of the PSC paper.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/papers/paper.hpp"
#include "analysis/pde/finite_elements.hpp"
#include "engines/psc/choose_level.hpp"
#include "engines/psc/dense.hpp"
#include "engines/psc/prehandled.hpp"
#include "engines/psc/stored_matrices.hpp"

namespace gridiron {
namespace {

/// A row of Tables 1 and 4.
struct Cardinalities {
  int levels, level;
  const char *coarse, *edge, *interior;
  const char *cond_cell, *cond_schur;
  const char *cells_share, *schur_share;  ///< nonzeros of the inverses over those of the stiffness matrix
  bool is_large = false;
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
    {10, 3, "49", "14'224", "1'032'256", "32.2", "32.3", "27.66", "21.51", true},
    {10, 4, "225", "30'240", "1'016'064", "23.9", "25.9", "1.67", "97.22", true},
    {10, 5, "961", "61'504", "984'064", "16.9", "19.9", "0.10", "402.14", true},
};
const Cardinalities kTable4[] = {
    {7, 0, "7", "4'445", "224'028", "121.9", "61.0", "137.14", "14.11", true},
    {7, 1, "42", "9'702", "218'736", "82.3", "82.7", "8.17", "67.21"},
    {7, 2, "196", "19'964", "208'320", "45.9", "69.0", "0.46", "284.60"},
    {7, 3, "840", "39'480", "188'160", "23.2", "48.9", "0.02", "1'113.00"},
    {8, 1, "42", "19'558", "896'112", "121.9", "111.2", "34.18", "68.08", true},
    {8, 2, "196", "40'572", "874'944", "82.3", "97.3", "2.04", "292.95", true},
    {8, 3, "840", "81'592", "833'280", "45.9", "74.1", "0.12", "1'184.79", true},
};

/// Of the stiffness matrix, without entries that are zeros, as between the ends of a hypotenuse.
double stiffness_nonzeros(const RefinedMesh& mesh) {
  const CsrMatrix a = assemble(mesh);
  return static_cast<double>(std::ranges::count_if(a.value, [](double v) { return std::abs(v) > 1e-12; }));
}

PaperTable cardinalities(const char* title, std::string (*name)(const Cardinalities&), const CoarseMesh& coarse,
                         std::span<const Cardinalities> paper, const PaperOptions& options) {
  constexpr double kTolerance = 1e-3;
  const PaperColumn count{"", Rule::as_printed, 0, 9};
  PaperTable table{
      title,
      "Numbers of unknowns in corners, on edges and inside; largest condition number of a cell's matrix C and "
      "of the Schur complement Pi; nonzeros of their inverses over those of the stiffness matrix.",
      {},
      {}};
  for (const char* column : {"corners", "edges", "interior"}) {
    table.columns.push_back(count);
    table.columns.back().name = column;
  }
  for (const char* column : {"cond C", "cond Pi", "nnz C^-1", "nnz Pi^-1"})
    table.columns.push_back({column, Rule::as_printed, kTolerance});
  for (const Cardinalities& row : paper) {
    if (row.is_large && !options.large) continue;
    options.progress(fmt::format("psc, {}", name(row)));
    const RefinedMesh mesh(coarse, row.levels);
    const psc::Prehandled p = psc::prehandle(mesh, row.level, true);
    const psc::Extremes e =
        psc::extreme_eigenvalues(p.cells.edge(), [&](const double* x, double* y) { p.multiply_schur(x, y); });
    const double nonzeros = stiffness_nonzeros(mesh), inside = p.cells.lattice.interior();
    table.rows.push_back({name(row),
                          {{row.coarse, static_cast<double>(p.cells.coarse())},
                           {row.edge, static_cast<double>(p.cells.edge())},
                           {row.interior, static_cast<double>(p.cells.interior())},
                           {row.cond_cell, p.largest_condition()},
                           {row.cond_schur, e.largest / e.least},
                           {row.cells_share, p.groups.size() * inside * inside / nonzeros},
                           {row.schur_share, std::pow(p.cells.edge(), 2) / nonzeros}}});
  }
  return table;
}

PaperTable storage() {
  constexpr const char* kPaper[4][5] = {{"4080", "1021", "271", "320", "4112"},
                                        {"16368", "4093", "1039", "512", "4160"},
                                        {"9180", "2295", "578", "207", "1060"},
                                        {"36828", "9207", "2306", "639", "1168"}};
  PaperTable table{"Table 2: storage",
                   "Nonzeros of Pi^-1 and of all C^-1 in multiples of N. The paper estimates for large N; beside its "
                   "estimate, evaluated by us, stands the exact number.",
                   {{"estimate", Rule::shown, 0, 6}, {"exact", Rule::shown, 0, 6}},
                   {}};
  int block = 0;
  for (const int corners : {4, 3})
    for (const int levels : {8, 10}) {
      const RefinedMesh mesh(unit_square_mesh(corners, 1), levels);
      const double n = mesh.unknowns();
      for (int lambda = -1; lambda <= 3; ++lambda) {
        const int level = levels / 2 - lambda;
        const psc::Counts counts = psc::count_macro_cells(mesh, level);
        const psc::CellLattice lattice{corners, int64_t{1} << (levels - level)};
        const double four = std::pow(4.0, lambda), inside = lattice.interior();
        const double formula =
            corners == 4 ? 4 / four * std::sqrt(n) + four * four : 9 / four * std::sqrt(n) + four * four / 4;
        const double exact = (std::pow(counts.edge, 2) + counts.groups * inside * inside) / n;
        table.rows.push_back({fmt::format("{} h = 1/{}, lambda {}", corners == 4 ? "Q1" : "P1", 1 << levels, lambda),
                              {{kPaper[block][lambda + 1], formula}, {"", exact}}});
      }
      ++block;
    }
  return table;
}

PaperTable operations() {
  constexpr const char* kPaper[2][5] = {{"33.0", "12.0", "18.0", "64.5", "256.1"},
                                        {"72.5", "20.0", "12.5", "33.1", "128.3"}};
  PaperTable table{
      "Table 3: operations",
      "In multiples of N^1.5: the paper's estimate; exact ones for h = 1/1024 in its form, and in ours, which "
      "stores C^-1 D^T.",
      {{"estimate", Rule::shown, 0, 5}, {"exact", Rule::shown, 0, 5}, {"in our form", Rule::shown, 0, 5}},
      {}};
  for (const int corners : {4, 3}) {
    const RefinedMesh mesh(unit_square_mesh(corners, 1), 10);
    const double n15 = std::pow(mesh.unknowns(), 1.5);
    PscParams paper, stored;
    paper.form = "paper";
    const auto in_paper = psc::level_costs(mesh, paper), in_stored = psc::level_costs(mesh, stored);
    for (int lambda = -1; lambda <= 3; ++lambda) {
      const size_t level = 5 - lambda;
      const double four = std::pow(4.0, lambda), formula = corners == 4 ? 8 / four + 4 * four : 18 / four + 2 * four;
      table.rows.push_back({fmt::format("{} lambda {}", corners == 4 ? "Q1" : "P1", lambda),
                            {{kPaper[corners == 4 ? 0 : 1][lambda + 1], formula},
                             {"", in_paper[level].flops / n15},
                             {"", in_stored[level].flops / n15}}});
    }
  }
  return table;
}

}  // namespace

std::vector<PaperTable> psc_tables(const PaperOptions& options) {
  return {
      cardinalities(
          "Table 1: unit square, Q1",
          [](const Cardinalities& row) { return fmt::format("h = 1/{}, h0 = 1/{}", 1 << row.levels, 1 << row.level); },
          unit_square_mesh(4, 1), kTable1, options),
      storage(), operations(),
      cardinalities(
          "Table 4: flow around a square, P1",
          [](const Cardinalities& row) { return fmt::format("L = {}, L0 = {}", row.levels, row.level); },
          flow_around_square_mesh(), kTable4, options)};
}

}  // namespace gridiron
