// SPDX-License-Identifier: Apache-2.0
// Two studies of PSC; the tables of its paper are those of `gridiron papers psc`:
//   bench_psc_tables [tiles] [lu]
// `tiles`: how much of the inverse of Pi vanishes. `lu`: (M1) to (M3) in fp64 against a sparse LU factorization.
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

/// Shares of Π⁻¹ whose entries are all smaller than a threshold, as single entries and as tiles; E in the order of
/// edges, or sorted by level: nodes in the middle of their edge first, then those in the middle of the halves, and so
/// on.
void print_vanishing_tiles(int levels, int level) {
  const psc::Prehandled p = psc::prehandle(RefinedMesh(unit_square_mesh(4, 1), levels), level, false);
  const int64_t n = p.cells.edge(), on_edge = p.cells.lattice.m - 1;
  Array<CpuDevice, double> pi = psc::dense_schur_on<CpuDevice>(p, true);
  psc::invert_on<CpuDevice>(n, pi, "Pi");
  const auto inverse = std::as_const(pi).view();
  std::vector<int64_t> by_edge(static_cast<size_t>(n)), by_level;
  for (int64_t i = 0; i < n; ++i) by_edge[i] = i;
  by_level = by_edge;
  std::ranges::stable_sort(by_level, std::greater(),
                           [&](int64_t i) { return std::countr_zero(static_cast<uint64_t>(i % on_edge + 1)); });
  fmt::print("Q1 h = 1/{}, h0 = 1/{}, {} unknowns on edges: share of entries and tiles below a threshold\n",
             1 << levels, 1 << level, n);
  fmt::print("  {:>10} {:>8}   {:>14} {:>14}   {:>14} {:>14}\n", "threshold", "entries", "64², by edge", "by level",
             "128², by edge", "by level");
  // The first is half of the least positive number of fp16: what is smaller is stored as 0. In the others nothing is.
  for (const double threshold : {0x1p-25, 1e-6, 1e-5, 1e-4, 1e-3}) {
    int64_t small = 0;
    for (int64_t i = 0; i < n * n; ++i) small += std::abs(inverse[i]) < threshold;
    const auto tiles = [&](const std::vector<int64_t>& order, int64_t size) {
      const int64_t count = (n + size - 1) / size;
      std::vector<bool> is_full(static_cast<size_t>(count * count), false);
      for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i)
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
    const int64_t n = problem->matrix.rows;
    std::mt19937 random(1);
    std::vector<double> b(static_cast<size_t>(2 * n));
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
      for (size_t i = 0; i < b.size(); ++i) expected[i] += d[i];
      for (int64_t j = 0; j < 2; ++j)
        for (int64_t i = 0; i < n; ++i) {
          long double sum = b[j * n + i];
          for (int64_t e = problem->matrix.row_ptr[i]; e < problem->matrix.row_ptr[i + 1]; ++e)
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
      for (size_t i = 0; i < b.size(); ++i) worst = std::max(worst, std::abs(got[i] - expected[i]));
      fmt::print("  {:<24} {} {:>9.2e}\n", row.name, method, worst / largest);
      std::fflush(stdout);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    bool tiles = argc == 1, lu = argc == 1;
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (word == "tiles")
        tiles = true;
      else if (word == "lu")
        lu = true;
      else
        throw InputError("usage: bench_psc_tables [tiles] [lu]");
    }
    if (lu) print_differences_to_lu();
    if (tiles)
      for (const int level : {3, 4}) print_vanishing_tiles(8, level);
  } catch (const Error& error) {
    fmt::print(stderr, "bench_psc_tables: {}\n", error.what());
    return static_cast<int>(error.code());
  }
}
