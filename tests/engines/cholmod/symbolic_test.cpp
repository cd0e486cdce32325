// SPDX-License-Identifier: Apache-2.0
// The pattern of a factor in a given order, against CHOLMOD's own analysis.
#include "engines/cholmod/symbolic.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "engines/cholmod/supernodal.hpp"
#include "engines/cholmod/triangle.hpp"
#include "tests/engines/regular_grids.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

using Long = SuiteSparse_long;

struct Common : cholmod_common {
  explicit Common(int kind) {
    cholmod_l_start(this);
    print = 0;
    supernodal = kind;
    nmethods = 1;
    method[0].ordering = CHOLMOD_GIVEN;
  }
  ~Common() { cholmod_l_finish(this); }
  Common(const Common&) = delete;
  Common& operator=(const Common&) = delete;
};

Dissected shuffled(int64_t n, unsigned seed) {
  Dissected all;
  all.order.resize(static_cast<size_t>(n));
  std::iota(all.order.begin(), all.order.end(), 0);
  std::ranges::shuffle(all.order, std::mt19937(seed));
  return all;
}

Dissected by_places(const Problem& problem) { return *dissect_well(problem.matrix, *coordinates_of(problem), 1); }

struct CaseOfAnalysis {
  Problem problem;
  Dissected order;
};

std::vector<CaseOfAnalysis> cases() {
  std::vector<CaseOfAnalysis> cases;
  const auto add = [&](Problem problem, Dissected order) { cases.push_back({std::move(problem), std::move(order)}); };
  for (const int32_t n : {0, 1, 2, 3, 20, 60}) add(test::poisson(n), shuffled(n * n, 1));
  for (const unsigned seed : {1U, 2U, 3U}) add(test::random_grid(900, 2, seed), shuffled(900, seed));
  add(test::problem_of({{{0, 2.0}}, {{1, 3.0}}, {{2, 4.0}}}), shuffled(3, 1));
  test::Rows islands(300);
  for (int32_t i = 0; i < 300; ++i) islands[i][i] = 3;
  for (int32_t i = 0; i + 1 < 300; ++i)
    if (i % 10 < 6) islands[i][i + 1] = islands[i + 1][i] = -1;
  add(test::problem_of(islands), shuffled(300, 1));
  for (const int n : {140, 141}) {
    Problem plane = test::problem_on(test::unit_grid(2, n));
    Dissected order = by_places(plane);
    EXPECT_GT(order.parts.size(), 1U);
    add(std::move(plane), std::move(order));
  }
  Problem space = test::problem_on(test::unit_grid(3, 24));
  Dissected order = by_places(space);
  EXPECT_GT(order.parts.size(), 1U);
  add(std::move(space), std::move(order));
  return cases;
}

class Factor {
 public:
  Factor(cholmod_factor* factor, Common& common) : factor_(factor), common_(common) {}
  ~Factor() { cholmod_l_free_factor(&factor_, &common_); }
  Factor(const Factor&) = delete;
  Factor& operator=(const Factor&) = delete;

  cholmod_factor& operator*() const { return *factor_; }
  cholmod_factor* operator->() const { return factor_; }
  std::vector<Long> longs(const void* data, size_t count) const {
    const auto* const from = static_cast<const Long*>(data);
    return {from, from + count};
  }
  /// Largest residual of the solution for a right-hand side of ones.
  double residual(cholmod_sparse a) const {
    cholmod_dense* b = cholmod_l_ones(a.nrow, 1, CHOLMOD_REAL, &common_);
    cholmod_dense* x = cholmod_l_solve(CHOLMOD_A, factor_, b, &common_);
    double one[] = {1, 0}, minus_one[] = {-1, 0};
    cholmod_l_sdmult(&a, 0, one, minus_one, x, b, &common_);
    const double norm = cholmod_l_norm_dense(b, 0, &common_);
    cholmod_l_free_dense(&b, &common_);
    cholmod_l_free_dense(&x, &common_);
    return norm;
  }

 private:
  cholmod_factor* factor_;
  Common& common_;
};

TEST(Symbolic, NonzerosAndOperationsAreThoseOfCholmod) {
  for (const int kind : {CHOLMOD_SIMPLICIAL, CHOLMOD_SUPERNODAL})
    for (const auto& [problem, dissected] : cases()) {
      SCOPED_TRACE(problem.matrix.rows);
      Triangle triangle(problem.matrix);
      cholmod_sparse a = triangle.view();
      std::vector<Long> order(dissected.order.begin(), dissected.order.end());
      Common expected(kind), common(kind);
      const Factor theirs(cholmod_l_analyze_p(&a, order.data(), nullptr, 0, &expected), expected);
      const Factor ours(analyze_dissected(problem.matrix, dissected, common), common);
      if (ours->n > 0) {  // otherwise CHOLMOD does not count
        EXPECT_EQ(common.lnz, expected.lnz);
        EXPECT_EQ(common.fl, expected.fl);
      }
      EXPECT_TRUE(cholmod_l_check_factor(&*ours, &common));
      EXPECT_EQ(ours->is_super, kind == CHOLMOD_SUPERNODAL && problem.matrix.rows > 0);
      const auto counts = ours.longs(ours->ColCount, ours->n);
      EXPECT_EQ(static_cast<double>(std::accumulate(counts.begin(), counts.end(), Long{0})), common.lnz);
      EXPECT_EQ(ours->n > 0 ? counts.back() : 1, 1);
    }
}

TEST(Symbolic, FactorsOfItsPatternSolve) {
  for (const int kind : {CHOLMOD_SIMPLICIAL, CHOLMOD_SUPERNODAL})
    for (const auto& [problem, dissected] : cases()) {
      if (problem.matrix.rows == 0) continue;
      SCOPED_TRACE(problem.matrix.rows);
      Triangle triangle(problem.matrix);
      cholmod_sparse a = triangle.view();
      Common common(kind);
      const Factor factor(analyze_dissected(problem.matrix, dissected, common), common);
      if (kind == CHOLMOD_SUPERNODAL)
        factorize_supernodal(problem.matrix, SupernodalTree(*factor), *factor, common);
      else
        cholmod_l_factorize(&a, &*factor, &common);
      ASSERT_EQ(common.status, CHOLMOD_OK);
      EXPECT_EQ(common.nrealloc_col, 0) << "more nonzeros than were counted";
      EXPECT_LT(factor.residual(a), 1e-9);
    }
}

TEST(Symbolic, AutoTakesDenseBlocksFromTheSwitchOn) {
  const Problem plane = test::problem_on(test::unit_grid(2, 40));
  const Dissected order = by_places(plane);
  Common common(CHOLMOD_AUTO);
  common.supernodal_switch = 1e9;
  EXPECT_FALSE(Factor(analyze_dissected(plane.matrix, order, common), common)->is_super);
  common.supernodal_switch = common.fl / common.lnz;
  EXPECT_TRUE(Factor(analyze_dissected(plane.matrix, order, common), common)->is_super);
}

TEST(Symbolic, ChainsAreMergedIntoBlocks) {
  test::Rows chain(1000);
  for (int32_t i = 0; i < 1000; ++i) chain[i][i] = 3;
  for (int32_t i = 0; i + 1 < 1000; ++i) chain[i][i + 1] = chain[i + 1][i] = -1;
  Dissected natural;
  natural.order.resize(1000);
  std::iota(natural.order.begin(), natural.order.end(), 0);
  Common common(CHOLMOD_SUPERNODAL);
  const Factor factor(analyze_dissected(test::problem_of(chain).matrix, natural, common), common);
  EXPECT_EQ(common.lnz, 1999);
  EXPECT_LT(factor->nsuper, 500U);
  EXPECT_LT(factor->xsize, 10'000U);
}

TEST(Symbolic, SameFactorForEveryNumberOfThreads) {
  const Problem plane = test::problem_on(test::unit_grid(2, 200));
  const Dissected order = by_places(plane);
  const int before = omp_get_max_threads();
  std::vector<std::vector<Long>> patterns;
  for (const int threads : {1, 2, 5}) {
    omp_set_num_threads(threads);
    Common common(CHOLMOD_SUPERNODAL);
    const Factor factor(analyze_dissected(plane.matrix, order, common), common);
    std::vector<Long>& pattern = patterns.emplace_back(factor.longs(factor->s, factor->ssize));
    for (const void* part : {factor->super, factor->pi, factor->px}) {
      const auto more = factor.longs(part, factor->nsuper + 1);
      pattern.insert(pattern.end(), more.begin(), more.end());
    }
    for (const void* part : {factor->Perm, factor->ColCount}) {
      const auto more = factor.longs(part, factor->n);
      pattern.insert(pattern.end(), more.begin(), more.end());
    }
  }
  omp_set_num_threads(before);
  EXPECT_EQ(patterns[0], patterns[1]);
  EXPECT_EQ(patterns[0], patterns[2]);
}

}  // namespace
}  // namespace gridiron
