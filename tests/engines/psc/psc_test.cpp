// SPDX-License-Identifier: Apache-2.0
// PSC: its parts against plain forms, the figures of the paper and of an independent prototype, and what it refuses.
#include "engines/psc/psc_engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <bit>
#include <cmath>
#include <numbers>
#include <set>

#include "device/checking_device.hpp"
#include "device/divider.hpp"
#include "engines/psc/dense.hpp"
#include "engines/psc/gemm_cpu.hpp"
#include "support/error.hpp"
#include "tests/engines/psc/psc_checks.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

TEST(PscShortFloats, HalvesRoundToNearest) {
  // All finite halves come back, and numbers between two neighbours go to the nearer one, in the middle to the even
  // one.
  for (uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const psc::Half low = std::bit_cast<psc::Half>(static_cast<uint16_t>(bits));
    const psc::Half high = std::bit_cast<psc::Half>(static_cast<uint16_t>(bits + 1));
    const float a = low, b = high, middle = (a + b) / 2;
    ASSERT_LT(a, b);
    ASSERT_EQ(std::bit_cast<uint16_t>(psc::Half(a)), bits);
    ASSERT_EQ(std::bit_cast<uint16_t>(psc::Half(std::nextafter(middle, a))), bits);
    ASSERT_EQ(std::bit_cast<uint16_t>(psc::Half(std::nextafter(middle, b))), bits + 1);
    ASSERT_EQ(std::bit_cast<uint16_t>(psc::Half(middle)), bits % 2 == 0 ? bits : bits + 1);
    ASSERT_EQ(std::bit_cast<uint16_t>(psc::Half(-a)), bits | 0x8000);
  }
  EXPECT_EQ(static_cast<float>(psc::Half(65504.0f)), 65504.0f);
  EXPECT_EQ(static_cast<float>(psc::Half(65520.0f)), INFINITY);
  EXPECT_EQ(static_cast<float>(psc::Half(-1e30f)), -INFINITY);
  EXPECT_TRUE(std::isnan(static_cast<float>(psc::Half(NAN))));
  EXPECT_EQ(static_cast<float>(psc::Half(1.0f + 1.0f / 1024)), 1.0f + 1.0f / 1024);
  EXPECT_EQ(static_cast<float>(psc::Half(std::ldexp(1.0f, -24))), std::ldexp(1.0f, -24));
}

TEST(PscShortFloats, OthersKeepTheirBits) {
  EXPECT_EQ(static_cast<float>(psc::BFloat(1.0f + 1.0f / 128)), 1.0f + 1.0f / 128);
  EXPECT_EQ(static_cast<float>(psc::BFloat(1.0f + 1.0f / 256)), 1.0f) << "to even";
  EXPECT_EQ(static_cast<float>(psc::BFloat(1.0f + 3.0f / 256)), 1.0f + 1.0f / 64);
  EXPECT_EQ(static_cast<float>(psc::TFloat(1.0f + 1.0f / 1024)), 1.0f + 1.0f / 1024);
  EXPECT_EQ(static_cast<float>(psc::TFloat(1.0f + 1.0f / 2048)), 1.0f);
  for (const float odd : {INFINITY, -INFINITY}) {
    EXPECT_EQ(static_cast<float>(psc::BFloat(odd)), odd);
    EXPECT_EQ(static_cast<float>(psc::TFloat(odd)), odd);
  }
  EXPECT_TRUE(std::isnan(static_cast<float>(psc::BFloat(NAN))));
  EXPECT_TRUE(std::isnan(static_cast<float>(psc::TFloat(NAN))));
}

TEST(PscGemm, OfTheCpuIsTheDefinition) { test::multiplies_in_every_precision<CpuDevice>(); }
TEST(PscGemm, OfTheCheckingDeviceIsTheDefinition) { test::multiplies_in_every_precision<CheckingDevice>(); }

TEST(PscDense, InvertsAroundTheSizeOfItsBlocks) {
  for (const int64_t n : {1, 2, 7, 383, 384, 385, 900}) {
    const std::vector<double> a = test::definite_matrix(n);
    std::vector<double> inverse = a, product(a.size(), 0.0);
    psc::invert_spd(n, inverse.data(), "a matrix");
    psc::add_product({n, n, n}, 1, a.data(), n, inverse.data(), n, product.data(), n);
    double worst = 0;
    for (int64_t i = 0; i < n * n; ++i) worst = std::max(worst, std::abs(product[i] - (i % (n + 1) == 0)));
    EXPECT_LE(worst, 1e-13) << n;
  }
  std::vector<double> indefinite{1, 2, 2, 1};
  try {
    psc::invert_spd(2, indefinite.data(), "the matrix of a cell");
    FAIL();
  } catch (const SolverError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the matrix of a cell is not positive definite"));
  }
}

TEST(PscDense, InvertsByProducts) {
  test::inverts_like_lapack<CpuDevice>({1, 2, 7, 63, 64, 65, 128, 135, 200, 260, 333, 700});
  test::inverts_like_lapack<CheckingDevice>({5, 64, 65, 135, 150});
}

TEST(PscOnTheCpu, PartsAreTheBlock) { test::parts_are_the_block<CpuDevice>(); }
TEST(PscOnTheCheckingDevice, PartsAreTheBlock) { test::parts_are_the_block<CheckingDevice>(); }

TEST(Divider, IsADivision) {
  for (const int64_t by :
       {1, 2, 3, 4, 5, 7, 15, 60, 63, 64, 65, 252, 1000, 1023, 1024, 1025, 65535, 65536, 0x3fffffff, 0x7fffffff}) {
    const Divider divider(by);
    for (const int64_t near : {int64_t{0}, by, 2 * by, 1000 * by, int64_t{0x7fffffff} / by * by, int64_t{0x7fffffff}})
      for (int64_t n = std::max<int64_t>(near - 2, 0); n <= std::min<int64_t>(near + 2, 0x7fffffff); ++n)
        ASSERT_EQ(divider.quotient(static_cast<uint32_t>(n)), n / by) << n << " / " << by;
  }
}

TEST(PscDense, FindsExtremeEigenvalues) {
  const int64_t n = 3000;
  const auto extremes = psc::extreme_eigenvalues(n, [&](const double* x, double* y) {
    for (int64_t i = 0; i < n; ++i) y[i] = (2 + std::cos(static_cast<double>(i))) * x[i];
  });
  EXPECT_NEAR(extremes.least, 1, 1e-4);  // three digits of their ratio are asked for
  EXPECT_NEAR(extremes.largest, 3, 1e-4);
}

TEST(PscCells, EveryUnknownIsInOneSet) {
  for (test::PscMesh& shape : test::psc_meshes()) {
    const RefinedMesh mesh(shape.coarse, shape.levels);
    for (const psc::LevelCost& cost : psc::level_costs(mesh, {})) {
      const psc::MacroCells cells = psc::macro_cells(mesh, cost.level);
      SCOPED_TRACE(std::string(shape.name) + ", level " + std::to_string(cost.level));
      std::multiset<int32_t> all(cells.coarse_unknown.begin(), cells.coarse_unknown.end());
      all.insert(cells.edge_unknown.begin(), cells.edge_unknown.end());
      all.insert(cells.interior_unknown.begin(), cells.interior_unknown.end());
      EXPECT_EQ(static_cast<int64_t>(all.size()), mesh.unknowns());
      EXPECT_EQ(static_cast<int64_t>(std::set<int32_t>(all.begin(), all.end()).size()), mesh.unknowns());
      EXPECT_EQ(*all.begin(), 0);
      EXPECT_EQ(cells.coarse(), cost.counts.coarse);
      EXPECT_EQ(cells.edge(), cost.counts.edge);
      EXPECT_EQ(cells.interior(), cost.counts.interior);
      EXPECT_EQ(static_cast<int64_t>(cells.groups.size()), cost.counts.groups);
    }
  }
}

TEST(PscCells, CornersDoNotCoupleToInsides) {
  for (const test::PscMesh& shape : test::psc_meshes())
    for (int64_t c = 0; c < static_cast<int64_t>(shape.coarse.cell.size()); ++c) {
      const RefinedMesh mesh(shape.coarse, 1);
      const auto matrices = psc::cell_matrices({mesh.corners(), 16}, shape_of(mesh.sides(c)));
      EXPECT_LT(matrices.largest_ci, 1e-11) << shape.name;
    }
}

/// Sᵀ K S with K and S written out as dense matrices.
TEST(PscCells, MatricesAreThoseOfTheHierarchicalBasis) {
  for (const int corners : {3, 4}) {
    const psc::CellLattice lattice{corners, 4};
    const CellShape shape{1.5, corners == 3 ? 0.25 : 0.0, 0.75};
    const int64_t n = lattice.size();
    std::vector<double> s(static_cast<size_t>(n * n), 0.0), k(s), ks(s), all(s);
    for (int64_t q = 0; q < n; ++q) {  // a column of S: the basis function that belongs to node q, by interpolation
      std::vector<double> v(static_cast<size_t>(n), 0.0);
      v[q] = 1;
      const int64_t i = q % 5, j = q / 5;
      for (const int64_t t : {2, 1}) {
        if (i % t != 0 || j % t != 0) continue;  // not there yet
        std::vector<double> next = v;
        for (int64_t y = 0; y <= 4; y += t)
          for (int64_t x = 0; x <= 4; x += t)
            if (lattice.has(x, y) && !(t == 2 ? false : i % 2 != 0 || j % 2 != 0))
              next[lattice.at(x, y)] += psc::from_parents<double>(lattice, v, x, y, t);
        v = next;
      }
      for (int64_t p = 0; p < n; ++p) s[q * n + p] = v[p];
    }
    const ElementMatrix element = element_stiffness(corners, shape);
    const auto nodes = element_nodes(corners);
    for_each_element(corners, 4, [&](int64_t i, int64_t j, int sign) {
      for (int a = 0; a < corners; ++a)
        for (int b = 0; b < corners; ++b)
          k[lattice.at(i + sign * nodes[b][0], j + sign * nodes[b][1]) * n +
            lattice.at(i + sign * nodes[a][0], j + sign * nodes[a][1])] += element[a][b];
    });
    psc::add_product({n, n, n}, 1, k.data(), n, s.data(), n, ks.data(), n);
    psc::add_product({n, n, n, true}, 1, s.data(), n, ks.data(), n, all.data(), n);
    const auto matrices = psc::cell_matrices(lattice, shape);
    const auto interior = lattice.interior_positions(), edge = lattice.edge_positions();
    for (size_t p = 0; p < interior.size(); ++p) {
      for (size_t q = 0; q < interior.size(); ++q)
        EXPECT_NEAR(matrices.ii[q * interior.size() + p], all[interior[q] * n + interior[p]], 1e-14);
      for (size_t q = 0; q < edge.size(); ++q)
        EXPECT_NEAR(matrices.ie[q * interior.size() + p], all[edge[q] * n + interior[p]], 1e-14);
    }
    for (size_t p = 0; p < edge.size(); ++p)
      for (size_t q = 0; q < edge.size(); ++q)
        EXPECT_NEAR(matrices.ee[q * edge.size() + p], all[edge[q] * n + edge[p]], 1e-14);
  }
}

struct TableRow {
  CoarseMesh coarse;
  int levels, level;
  int64_t coarse_nodes, edge, interior;
  double cond_cell, cond_schur;
};

/// Rows of Tables 1 and 4 that take a second; benchmarks/psc_tables has all of them.
TEST(PscTables, CountsAndConditionNumbers) {
  const TableRow rows[] = {
      {unit_square_mesh(4, 1), 7, 2, 9, 744, 15'376, 16.89, 18.36},
      {unit_square_mesh(4, 1), 7, 3, 49, 1'680, 14'400, 11.15, 14.28},
      {unit_square_mesh(4, 1), 7, 4, 225, 3'360, 12'544, 6.62, 10.01},
      {unit_square_mesh(4, 1), 8, 3, 49, 3'472, 61'504, 16.9, 19.5},
      {unit_square_mesh(4, 1), 8, 4, 225, 7'200, 57'600, 11.1, 14.5},
      {unit_square_mesh(4, 1), 8, 5, 961, 13'888, 50'176, 6.6, 10.1},
      {flow_around_square_mesh(), 7, 2, 196, 19'964, 208'320, 45.9, 69.0},
      {flow_around_square_mesh(), 7, 3, 840, 39'480, 188'160, 23.2, 48.9},
  };
  for (const TableRow& row : rows) {
    const psc::Prehandled p = psc::prehandle(RefinedMesh(row.coarse, row.levels), row.level, true);
    SCOPED_TRACE(std::to_string(row.edge) + " unknowns on edges");
    EXPECT_EQ(p.cells.coarse(), row.coarse_nodes);
    EXPECT_EQ(p.cells.edge(), row.edge);
    EXPECT_EQ(p.cells.interior(), row.interior);
    // Tables print one digit after the point, the prototype gives two for h = 1/128.
    const double last_digit = row.levels == 7 && row.coarse.corners == 4 ? 0.006 : 0.06;
    EXPECT_NEAR(p.largest_condition(), row.cond_cell, last_digit);
    const auto e = psc::extreme_eigenvalues(row.edge, [&](const double* x, double* y) { p.multiply_schur(x, y); });
    EXPECT_NEAR(e.largest / e.least, row.cond_schur, last_digit);
  }
}

TEST(PscTables, FlowAroundASquareHasThreeGroups) {
  const RefinedMesh mesh(flow_around_square_mesh(), 5);
  for (int level = 0; level < 3; ++level) {
    const psc::MacroCells cells = psc::macro_cells(mesh, level);
    ASSERT_EQ(cells.groups.size(), 3u);
    std::multiset<int64_t> sizes;
    for (const auto& group : cells.groups) sizes.insert(group.cells >> (2 * level));
    EXPECT_THAT(sizes, testing::ElementsAre(8, 8, 12));
  }
}

TEST(PscSchur, DenseIsTheOperator) {
  const psc::Prehandled p = psc::prehandle(RefinedMesh(flow_around_square_mesh(), 3), 1, false);
  const int64_t n = p.cells.edge();
  const std::vector<double> dense = psc::dense_schur_on<CpuDevice>(p, true).to_host();
  std::vector<double> x(static_cast<size_t>(n), 0.0), y(x);
  for (const int64_t j : {int64_t{0}, n / 3, n - 1}) {
    std::ranges::fill(x, 0.0);
    x[j] = 1;
    p.multiply_schur(x.data(), y.data());
    for (int64_t i = 0; i < n; ++i) EXPECT_NEAR(y[i], dense[j * n + i], 1e-13);
    EXPECT_LE(dense[j * n + j], 1.0);
  }
}

TEST(PscOnTheCpu, SolvesLikeCholmod) { test::solves_like_cholmod<CpuDevice>(); }
TEST(PscOnTheCheckingDevice, SolvesLikeCholmod) {
  for (const auto& [coarse, levels] : {std::pair{unit_square_mesh(4, 1), 4}, std::pair{flow_around_square_mesh(), 2}}) {
    const Problem problem = test::problem_on(coarse, levels);
    const auto b = test::random_block(2 * problem.matrix.rows, 7);
    for (const char* precision : {"double", "half"})
      for (const char* method : {"m1", "m2", "m3"})
        for (const char* form : {"stored", "paper"}) {
          const Settings settings{{"precision", precision}, {"method", method}, {"form", form}, {"refine", "no"}};
          const auto on_cpu = psc::make_psc_on<CpuDevice>(settings),
                     checked = psc::make_psc_on<CheckingDevice>(settings);
          on_cpu->setup(problem);
          checked->setup(problem);
          const auto expected = test::solve(*on_cpu, problem, b).x, got = test::solve(*checked, problem, b).x;
          EXPECT_LE(test::distance(got, expected), precision[0] == 'd' ? 1e-12 : 2e-3) << precision << method << form;
        }
  }
}

TEST(PscOnTheCpu, RefinesToAnyTolerance) { test::refines_to_any_tolerance<CpuDevice>(); }
TEST(PscOnTheCpu, BlocksAreTheirColumns) { test::blocks_are_their_columns<CpuDevice>(); }

TEST(PscLevels, CellsThatADeviceCannotTakeAreNotChosen) {
  const RefinedMesh mesh(unit_square_mesh(4, 1), 5);
  PscParams params;
  EXPECT_GE(psc::choose_level(mesh, params, 1e12, 4).level, 3);
  params.h0 = "1/4";
  EXPECT_EQ(psc::choose_level(mesh, params, 1e12, 8).level, 2);
  try {
    psc::choose_level(mesh, params, 1e12, 4);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("h0=1/4: cells of 8 elements along a side do not fit"));
  }
}

/// The algebraic error of the plain method in fp16, bounded by what the prototype measured.
TEST(PscOnTheCpu, HalfIsAccurate) {
  const int levels = 7;
  const Problem problem = test::problem_on(unit_square_mesh(4, 1), levels);
  const int64_t side = (1 << levels) - 1, n = side * side;
  const auto engine = make_psc({{"precision", "half"}, {"refine", "no"}, {"h0", "1/8"}});
  engine->setup(problem);
  for (const auto& [waves, most] : {std::pair{1, 3e-5}, std::pair{7, 6e-4}}) {
    // Products of sines are eigenvectors of the nine-point stencil.
    const double h = 1.0 / (1 << levels), c = std::cos(waves * std::numbers::pi * h);
    const double eigenvalue = 8.0 / 3 - 4.0 / 3 * c - 4.0 / 3 * c * c;
    std::vector<double> u(static_cast<size_t>(n)), b(u);
    for (int64_t i = 0; i < n; ++i) {
      u[i] = std::sin(waves * std::numbers::pi * h * static_cast<double>(i % side + 1)) *
             std::sin(waves * std::numbers::pi * h * static_cast<double>(i / side + 1));
      b[i] = eigenvalue * u[i];
    }
    const auto x = test::solve(*engine, problem, b).x;
    double error = 0, norm = 0;
    for (int64_t i = 0; i < n; ++i) {
      error += (x[i] - u[i]) * (x[i] - u[i]);
      norm += u[i] * u[i];
    }
    EXPECT_LE(std::sqrt(error / norm), most) << waves;
    EXPECT_GE(std::sqrt(error / norm), 1e-7) << "else this is not fp16";
  }
}

TEST(Psc, SameBitsForEveryNumberOfThreads) {
  const Problem problem = test::problem_on(unit_square_mesh(4, 1), 6);
  const auto b = test::random_block(5 * problem.matrix.rows, 5);
  const int threads = omp_get_max_threads();
  const auto solve_on = [&](int count) {
    omp_set_num_threads(count);
    const auto engine = make_psc({});
    engine->setup(problem);
    return test::solve(*engine, problem, b).x;
  };
  const auto one = solve_on(1), three = solve_on(3);
  omp_set_num_threads(threads);
  EXPECT_EQ(one, three);
}

TEST(Psc, UpdateAndTinyMatrices) {
  const auto engine = make_psc({});
  for (const int levels : {1, 2, 3}) {
    const Problem problem = test::problem_on(unit_square_mesh(4, 1), levels);
    engine->update(problem);
    const auto b = test::random_block(problem.matrix.rows, 5);
    const auto x = test::solve(*engine, problem, b, {.relative_residual = 1e-12}).x;
    EXPECT_LE(test::distance(x, test::dense_reference(problem.matrix, b)), 1e-11);
  }
}

TEST(Psc, TellsItsFigures) {
  const Problem problem = test::problem_on(unit_square_mesh(4, 1), 6);
  const auto engine = make_psc({{"h0", "1/4"}});
  engine->setup(problem);
  const MethodFigures figures = engine->figures();
  EXPECT_EQ(figures.method, "psc");
  const auto figure = [&](std::string_view name) {
    return std::ranges::find(figures.figures, name, &std::pair<std::string, double>::first)->second;
  };
  EXPECT_EQ(figure("coarse"), 9);
  EXPECT_EQ(figure("edge"), 2 * 3 * 60);
  EXPECT_EQ(figure("interior"), 60 * 60);
  EXPECT_EQ(figure("groups"), 1);
  EXPECT_EQ(figure("cells"), 16);
  EXPECT_EQ(figure("flops_per_rhs"), 2.0 * 360 * 360 + 16 * (2.0 * 225 * 225 + 4.0 * 225 * 60));
  EXPECT_GT(figure("cond_cell"), 1);
  EXPECT_GT(engine->bytes(), figure("bytes_cells") + figure("bytes_schur"));
}

std::string refusal(const Problem& problem, const Settings& settings) {
  try {
    const auto engine = make_psc(settings);
    engine->setup(problem);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Psc, RefusesWhatItCannotDo) {
  const Problem problem = test::problem_on(unit_square_mesh(4, 1), 4);
  EXPECT_EQ(psc_declines(problem), std::nullopt);
  EXPECT_THAT(*psc_declines(test::poisson(4)), HasSubstr("refined meshes only"));
  EXPECT_THAT(*psc_declines(test::problem_on(unit_square_mesh(4, 5), 0)), HasSubstr("refined once at least"));
  EXPECT_THAT(*psc_declines(test::problem_on(unit_square_mesh(3, 3), 1)), HasSubstr("refined twice at least"));
  const CoarseMesh skew{4, {{0, 0}, {1, 0}, {1.5, 1}, {0.5, 1}}, {{0, 1, 2, 3}}};
  EXPECT_THAT(*psc_declines(test::problem_on(skew, 2)), HasSubstr("right angles"));
  EXPECT_THAT(*psc::mesh_declined(RefinedMesh(unit_square_mesh(4, 1), 10), 1e6),
              HasSubstr("GB at least, this machine has"));
  for (const char* h0 : {"1/3", "8", "1/16", "1/0", "1/", "1/99999999999", "x"})
    EXPECT_THAT(refusal(problem, {{"h0", h0}}), HasSubstr("expected auto or 1/1 to 1/8 in powers of two")) << h0;
  EXPECT_THAT(refusal(problem, {{"method", "m4"}}), HasSubstr("m1"));
  EXPECT_THAT(refusal(problem, {{"precision", "quad"}}), HasSubstr("bfloat"));
  PscParams params;
  params.h0 = "1/32";
  try {
    psc::choose_level(RefinedMesh(unit_square_mesh(4, 1), 10), params, 1e9);
    FAIL();
  } catch (const ResourceError& error) {
    EXPECT_THAT(error.what(), HasSubstr("h0=1/32 has 61504 unknowns on edges and needs"));
  }
}

TEST(Psc, ChoosesTheWidthByOperationsAndMemory) {
  const RefinedMesh mesh(unit_square_mesh(4, 1), 9);
  EXPECT_EQ(psc::choose_level(mesh, {}, 1e12).level, 4);
  const psc::LevelCost tight = psc::choose_level(mesh, {}, 1.5e9);
  EXPECT_EQ(tight.level, 3);
  EXPECT_LE(tight.setup_bytes, 1.5e9);
  EXPECT_THROW(psc::choose_level(mesh, {}, 3e8), ResourceError);
  // Exact operations per unknown^1.5, counted by the prototype: 10.41 for h = 1/512, h0 = 1/16 in the paper's form.
  PscParams paper;
  paper.form = "paper";
  const auto costs = psc::level_costs(mesh, paper);
  EXPECT_NEAR(costs[4].flops / std::pow(mesh.unknowns(), 1.5), 10.41, 0.01);
}

TEST(Psc, SaysOfABadRightHandSide) {
  const Problem problem = test::problem_on(unit_square_mesh(4, 1), 4);
  for (const char* precision : {"double", "half"}) {
    const auto engine = make_psc({{"precision", precision}});
    engine->setup(problem);
    auto b = test::random_block(2 * problem.matrix.rows, 5);
    b[3] = NAN;
    const auto got = test::solve(*engine, problem, b);
    EXPECT_FALSE(got.stats.columns[0].converged);
    EXPECT_TRUE(got.stats.columns[1].converged);
    b.resize(static_cast<size_t>(problem.matrix.rows));
    EXPECT_THROW(test::solve(*engine, problem, b), SolverError);
    const auto zero = test::solve(*engine, problem, std::vector<double>(b.size(), 0.0));
    EXPECT_THAT(zero.x, testing::Each(0.0));
    EXPECT_TRUE(zero.stats.converged);
  }
}

}  // namespace
}  // namespace gridiron
