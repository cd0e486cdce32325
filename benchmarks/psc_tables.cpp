// SPDX-License-Identifier: Apache-2.0
// Tables 1 to 4 of the PSC paper, its figures beside ours:
//   bench_psc_tables [1] [2] [3] [4] [tiles] [lu] [large]
// Tables 2 and 3 are asymptotic estimates in the paper; ours are its formulas and the exact numbers of unknowns.
// `tiles`: how much of the inverse of Pi vanishes. `lu`: (M1) to (M3) in fp64 against a sparse LU factorization.
// `large` adds rows of h = 1/1024 and L = 8, and those whose cells take gigabytes.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "analysis/pde/finite_elements.hpp"
#include "engines/engine.hpp"
#include "engines/psc/choose_level.hpp"
#include "engines/psc/dense.hpp"
#include "engines/psc/gemm_cpu.hpp"
#include "engines/psc/prehandled.hpp"
#include "engines/psc/stored_matrices.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

using namespace gridiron;

namespace {

struct PaperRow {
  int levels, level;
  std::int64_t coarse, edge, interior;
  double cond_cell, cond_schur, cells_share,
      schur_share;  ///< nonzeros of the inverses over those of the stiffness matrix
  bool is_large = false;
};

constexpr PaperRow kTable1[] = {
    {8, 2, 9, 1'512, 63'504, 23.9, 24.1, 27.06, 3.93},
    {8, 3, 49, 3'472, 61'504, 16.9, 19.5, 1.59, 20.71},
    {8, 4, 225, 7'200, 57'600, 11.1, 14.5, 0.09, 89.05},
    {8, 5, 961, 13'888, 50'176, 6.6, 10.1, 0.004, 331.31},
    {9, 2, 9, 3'048, 258'064, 32.2, 30.7, 110.99, 3.96, true},
    {9, 3, 49, 7'056, 254'016, 23.9, 25.5, 6.72, 21.24},
    {9, 4, 225, 14'880, 246'016, 16.9, 19.8, 0.39, 94.46},
    {9, 5, 961, 29'760, 230'400, 11.1, 14.6, 0.02, 377.85},
    {10, 3, 49, 14'224, 1'032'256, 32.2, 32.3, 27.66, 21.51, true},
    {10, 4, 225, 30'240, 1'016'064, 23.9, 25.9, 1.67, 97.22, true},
    {10, 5, 961, 61'504, 984'064, 16.9, 19.9, 0.10, 402.14, true},
};
constexpr PaperRow kTable4[] = {
    {7, 0, 7, 4'445, 224'028, 121.9, 61.0, 137.14, 14.11, true},
    {7, 1, 42, 9'702, 218'736, 82.3, 82.7, 8.17, 67.21},
    {7, 2, 196, 19'964, 208'320, 45.9, 69.0, 0.46, 284.60},
    {7, 3, 840, 39'480, 188'160, 23.2, 48.9, 0.02, 1'113.00},
    {8, 1, 42, 19'558, 896'112, 121.9, 111.2, 34.18, 68.08, true},
    {8, 2, 196, 40'572, 874'944, 82.3, 97.3, 2.04, 292.95, true},
    {8, 3, 840, 81'592, 833'280, 45.9, 74.1, 0.12, 1'184.79, true},
};

/// Of the stiffness matrix, without entries that are zeros, as between the ends of a hypotenuse.
double stiffness_nonzeros(const RefinedMesh& mesh) {
  const CsrMatrix a = assemble(mesh);
  return static_cast<double>(std::ranges::count_if(a.value, [](double v) { return std::abs(v) > 1e-12; }));
}

void print_cardinalities(const char* title, const CoarseMesh& coarse, std::span<const PaperRow> rows, bool with_large) {
  fmt::print("{}\n{:>9} {:>5} {:>6} {:>7} {:>9}  {:>15} {:>15}  {:>17} {:>19}\n", title, "unknowns", "level", "|C|",
             "|E|", "|I|", "cond C paper", "cond Pi paper", "nnz C^-1 paper", "nnz Pi^-1 paper");
  for (const PaperRow& row : rows) {
    if (row.is_large && !with_large) continue;
    const RefinedMesh mesh(coarse, row.levels);
    const psc::Prehandled p = psc::prehandle(mesh, row.level, true);
    const psc::Extremes e =
        psc::extreme_eigenvalues(p.cells.edge(), [&](const double* x, double* y) { p.multiply_schur(x, y); });
    const double nonzeros = stiffness_nonzeros(mesh), inside = static_cast<double>(p.cells.lattice.interior());
    const bool agrees =
        p.cells.coarse() == row.coarse && p.cells.edge() == row.edge && p.cells.interior() == row.interior;
    fmt::print(
        "{:>9} {:>5} {:>6} {:>7} {:>9}  {:>8.2f} {:>6.1f} {:>8.2f} {:>6.1f}  {:>9.3f} {:>7.3f} {:>10.2f} {:>8.2f}{}\n",
        mesh.unknowns(), row.level, p.cells.coarse(), p.cells.edge(), p.cells.interior(), p.largest_condition(),
        row.cond_cell, e.largest / e.least, row.cond_schur,
        static_cast<double>(p.groups.size()) * inside * inside / nonzeros, row.cells_share,
        std::pow(static_cast<double>(p.cells.edge()), 2) / nonzeros, row.schur_share,
        agrees ? "" : "  NUMBERS OF UNKNOWNS DIFFER");
    std::fflush(stdout);
  }
}

void print_storage() {
  constexpr double kPaper[4][5] = {{4080, 1021, 271, 320, 4112},
                                   {16368, 4093, 1039, 512, 4160},
                                   {9180, 2295, 578, 207, 1060},
                                   {36828, 9207, 2306, 639, 1168}};
  fmt::print("\nTable 2: nonzeros of Pi^-1 and C_i^-1 in multiples of N: the paper's, its formula, exact\n");
  int table = 0;
  for (const int corners : {4, 3})
    for (const int levels : {8, 10}) {
      const RefinedMesh mesh(unit_square_mesh(corners, 1), levels);
      const double n = static_cast<double>(mesh.unknowns());
      for (int lambda = -1; lambda <= 3; ++lambda) {
        const int level = levels / 2 - lambda;
        const psc::Counts counts = psc::count_macro_cells(mesh, level);
        const psc::CellLattice lattice{corners, std::int64_t{1} << (levels - level)};
        const double four = std::pow(4.0, lambda), inside = static_cast<double>(lattice.interior());
        const double formula =
            corners == 4 ? 4 / four * std::sqrt(n) + four * four : 9 / four * std::sqrt(n) + four * four / 4;
        const double exact =
            (std::pow(static_cast<double>(counts.edge), 2) + static_cast<double>(counts.groups) * inside * inside) / n;
        fmt::print("{} h = 1/{:<5} lambda {:>2}: {:>7.0f} {:>9.1f} {:>9.1f}\n", corners == 4 ? "Q1" : "P1", 1 << levels,
                   lambda, kPaper[table][lambda + 1], formula, exact);
      }
      ++table;
    }
}

void print_operations() {
  constexpr double kPaper[2][5] = {{33.0, 12.0, 18.0, 64.5, 256.1}, {72.5, 20.0, 12.5, 33.1, 128.3}};
  fmt::print(
      "\nTable 3: operations in multiples of N^1.5: the paper's, its formula, exact for h = 1/1024 in its form and "
      "with G\n");
  for (const int corners : {4, 3}) {
    const RefinedMesh mesh(unit_square_mesh(corners, 1), 10);
    const double n15 = std::pow(static_cast<double>(mesh.unknowns()), 1.5);
    PscParams paper, stored;
    paper.form = "paper";
    const auto in_paper = psc::level_costs(mesh, paper), in_stored = psc::level_costs(mesh, stored);
    for (int lambda = -1; lambda <= 3; ++lambda) {
      const auto level = static_cast<std::size_t>(5 - lambda);
      const double four = std::pow(4.0, lambda), formula = corners == 4 ? 8 / four + 4 * four : 18 / four + 2 * four;
      fmt::print("{} lambda {:>2}: {:>7.1f} {:>9.2f} {:>9.2f} {:>9.2f}\n", corners == 4 ? "Q1" : "P1", lambda,
                 kPaper[corners == 4 ? 0 : 1][lambda + 1], formula, in_paper[level].flops / n15,
                 in_stored[level].flops / n15);
    }
  }
}

/// Shares of Π⁻¹ whose entries are all smaller than a threshold, as single entries and as tiles; E in the order of
/// edges, or sorted by level: nodes in the middle of their edge first, then those in the middle of the halves, and so
/// on.
void print_vanishing_tiles(int levels, int level) {
  const psc::Prehandled p = psc::prehandle(RefinedMesh(unit_square_mesh(4, 1), levels), level, false);
  const std::int64_t n = p.cells.edge(), on_edge = p.cells.lattice.m - 1;
  Array<CpuDevice, double> pi = psc::dense_schur_on<CpuDevice>(p, true);
  psc::invert_on<CpuDevice>(n, pi, "Pi");
  const auto inverse = std::as_const(pi).view();
  std::vector<std::int64_t> by_edge(static_cast<std::size_t>(n)), by_level;
  for (std::int64_t i = 0; i < n; ++i) by_edge[i] = i;
  by_level = by_edge;
  std::ranges::stable_sort(by_level, std::greater(), [&](std::int64_t i) {
    return std::countr_zero(static_cast<std::uint64_t>(i % on_edge + 1));
  });
  fmt::print("Q1 h = 1/{}, h0 = 1/{}, {} unknowns on edges: share of entries and tiles below a threshold\n",
             1 << levels, 1 << level, n);
  fmt::print("  {:>10} {:>8}   {:>14} {:>14}   {:>14} {:>14}\n", "threshold", "entries", "64², by edge", "by level",
             "128², by edge", "by level");
  // The first is half of the least positive number of fp16: what is smaller is stored as 0. In the others nothing is.
  for (const double threshold : {0x1p-25, 1e-6, 1e-5, 1e-4, 1e-3}) {
    std::int64_t small = 0;
    for (std::int64_t i = 0; i < n * n; ++i) small += std::abs(inverse[i]) < threshold;
    const auto tiles = [&](const std::vector<std::int64_t>& order, std::int64_t size) {
      const std::int64_t count = (n + size - 1) / size;
      std::vector<bool> is_full(static_cast<std::size_t>(count * count), false);
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t i = 0; i < n; ++i)
          if (std::abs(inverse[order[j] * n + order[i]]) >= threshold) is_full[j / size * count + i / size] = true;
      return 1 - static_cast<double>(std::ranges::count(is_full, true)) / static_cast<double>(is_full.size());
    };
    fmt::print("  {:>10.1e} {:>7.1f}%   {:>12.1f}% {:>13.1f}%   {:>13.1f}% {:>13.1f}%\n", threshold,
               100 * static_cast<double>(small) / (static_cast<double>(n) * static_cast<double>(n)),
               100 * tiles(by_edge, 64), 100 * tiles(by_level, 64), 100 * tiles(by_edge, 128),
               100 * tiles(by_level, 128));
  }
}

/// (M1), (M2) and (M3) in fp64 without refinement for two random right-hand sides: largest difference to superlu
/// relative to the largest entry, for h = 1/512 and for the flow around a square with L = 7.
void print_differences_to_lu() {
  struct Row {
    const char* name;
    CoarseMesh coarse;
    int levels;
    const char* h0;
  };
  const Row rows[] = {{"Q1 h = 1/512, h0 = 1/8", unit_square_mesh(4, 1), 9, "1/8"},
                      {"P1 h = 1/512, h0 = 1/8", unit_square_mesh(3, 1), 9, "1/8"},
                      {"flow L = 7, L0 = 1", flow_around_square_mesh(), 7, "1/2"}};
  fmt::print("\n(M1), (M2), (M3) in fp64 against sparse LU\n");
  for (const Row& row : rows) {
    const auto problem = std::make_shared<Problem>();
    const auto mesh = std::make_shared<const RefinedMesh>(row.coarse, row.levels);
    problem->matrix = assemble(*mesh);
    problem->structure = mesh;
    const std::int64_t n = problem->matrix.rows;
    std::mt19937 random(1);
    std::vector<double> b(static_cast<std::size_t>(2 * n));
    for (double& v : b) v = random() / 4294967296.0 - 0.5;
    const auto solve = [&](const char* name, const Settings& settings) {
      const auto engine = find_engine(name).make(settings);
      engine->setup(problem);
      std::vector<double> x(b.size(), 0.0);
      engine->solve({b.data(), n, 2}, {x.data(), n, 2}, {});
      return x;
    };
    // With a step of refinement: its own error is that of the condition number else.
    std::vector<double> expected(b.size(), 0.0), r = b;
    const auto lu = find_engine("superlu").make({});
    lu->setup(problem);
    for (int step = 0; step < 2; ++step) {
      std::vector<double> d(b.size(), 0.0);
      lu->solve({r.data(), n, 2}, {d.data(), n, 2}, {});
      for (std::size_t i = 0; i < b.size(); ++i) expected[i] += d[i];
      for (std::int64_t j = 0; j < 2; ++j)
        for (std::int64_t i = 0; i < n; ++i) {
          long double sum = b[j * n + i];
          for (std::int64_t e = problem->matrix.row_ptr[i]; e < problem->matrix.row_ptr[i + 1]; ++e)
            sum -= static_cast<long double>(problem->matrix.value[e]) * expected[j * n + problem->matrix.col[e]];
          r[j * n + i] = static_cast<double>(sum);
        }
    }
    double largest = 0;
    for (const double v : expected) largest = std::max(largest, std::abs(v));
    for (const char* method : {"m1", "m2", "m3"}) {
      const std::vector<double> got = solve(
          "psc", {{"method", method}, {"precision", "double"}, {"refine", "no"}, {"condition", "no"}, {"h0", row.h0}});
      double worst = 0;
      for (std::size_t i = 0; i < b.size(); ++i) worst = std::max(worst, std::abs(got[i] - expected[i]));
      fmt::print("  {:<24} {} {:>9.2e}\n", row.name, method, worst / largest);
      std::fflush(stdout);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    bool wants[5] = {}, any = false, large = false, tiles = false, lu = false;
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (word == "large")
        large = true;
      else if (word == "tiles")
        tiles = any = true;
      else if (word == "lu")
        lu = any = true;
      else if (word.size() == 1 && word[0] >= '1' && word[0] <= '4')
        wants[word[0] - '0'] = any = true;
      else
        throw InputError("usage: bench_psc_tables [1] [2] [3] [4] [tiles] [lu] [large]");
    }
    if (wants[1] || !any)
      print_cardinalities("Table 1: unit square, Q1; level: h0 = 1/2^level", unit_square_mesh(4, 1), kTable1, large);
    if (wants[2] || !any) print_storage();
    if (wants[3] || !any) print_operations();
    if (wants[4] || !any)
      print_cardinalities("\nTable 4: flow around a square, P1; level: L0", flow_around_square_mesh(), kTable4, large);
    if (lu) print_differences_to_lu();
    if (tiles)
      for (const int level : {3, 4}) print_vanishing_tiles(8, level);
  } catch (const Error& error) {
    fmt::print(stderr, "bench_psc_tables: {}\n", error.what());
    return static_cast<int>(error.code());
  }
}
