// SPDX-License-Identifier: Apache-2.0
#pragma once

// What PSC must do on every device.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "engines/psc/gemm.hpp"
#include "engines/psc/psc_on.hpp"
#include "support/error.hpp"
#include "tests/engines/psc/fem_systems.hpp"

namespace gridiron::test {

inline std::vector<double> random_numbers(int64_t n, unsigned seed) { return random_block(n, seed); }

// How many entries the matrices of a product take.
inline int64_t size_a(const psc::GemmShape& s) {
  return (s.batch - 1) * s.stride_a + ((s.transpose_a ? s.m : s.k) - 1) * s.lda + (s.transpose_a ? s.k : s.m);
}
inline int64_t size_b(const psc::GemmShape& s) { return (s.batch - 1) * s.stride_b + (s.n - 1) * s.ldb + s.k; }
inline int64_t size_c(const psc::GemmShape& s) { return (s.batch - 1) * s.stride_c + (s.n - 1) * s.ldc + s.m; }

/// Products of every kind against sums in double of the same rounded operands.
template <class D, class T>
void multiplies_like_the_definition(double tolerance) {
  using psc::GemmShape, psc::Sum;
  psc::Gemm<D> gemm;
  const GemmShape shapes[] = {
      {8, 1, 8, false, 8, 8, 8},
      {64, 5, 40, false, 64, 48, 72},
      {60, 33, 232, true, 232, 296, 64},
      {24, 7, 16, false, 24, 16, 24, 3, 24 * 16, 16 * 7, 24 * 7},
      {16, 3, 24, true, 24, 24, 16, 4, 24 * 16, 24 * 3, 16 * 3},
      {800, 520, 24, false, 800, 24, 800},  // more than a block of the CPU
  };
  for (const GemmShape& s : shapes)
    for (const double beta : {0.0, 1.0}) {
      const auto round = [](const std::vector<double>& x) {
        std::vector<T> out;
        for (const double v : x) out.push_back(T(static_cast<Sum<T>>(v)));
        return out;
      };
      const std::vector<T> a = round(random_numbers(size_a(s), 1)), b = round(random_numbers(size_b(s), 2));
      std::vector<Sum<T>> c;
      for (const double v : random_numbers(size_c(s), 3)) c.push_back(static_cast<Sum<T>>(v));
      const Array<D, T> on_a(a), on_b(b);
      Array<D, Sum<T>> on_c(c);
      gemm.template operator()<T>(s, 0.5, on_a.view(), on_b.view(), beta, on_c.view());
      const std::vector<Sum<T>> got = on_c.to_host();
      for (int64_t g = 0; g < s.batch; ++g)
        for (int64_t j = 0; j < s.n; ++j)
          for (int64_t i = 0; i < s.m; ++i) {
            double sum = 0;
            for (int64_t p = 0; p < s.k; ++p)
              sum += static_cast<double>(
                         static_cast<Sum<T>>(a[g * s.stride_a + (s.transpose_a ? i * s.lda + p : p * s.lda + i)])) *
                     static_cast<double>(static_cast<Sum<T>>(b[g * s.stride_b + j * s.ldb + p]));
            const int64_t at = g * s.stride_c + j * s.ldc + i;
            ASSERT_NEAR(got[at], 0.5 * sum + beta * c[at], tolerance * std::sqrt(static_cast<double>(s.k)))
                << s.m << " x " << s.n << " x " << s.k << ", " << i << ", " << j;
          }
    }
}

template <class D>
void multiplies_in_every_precision() {
  multiplies_like_the_definition<D, double>(1e-14);
  multiplies_like_the_definition<D, float>(1e-6);
  multiplies_like_the_definition<D, psc::TFloat>(1e-6);
  multiplies_like_the_definition<D, psc::Half>(1e-6);
  multiplies_like_the_definition<D, psc::BFloat>(1e-6);
}

/// A symmetric matrix with eigenvalues from 1 to about n.
inline std::vector<double> definite_matrix(int64_t n) {
  std::vector<double> a = random_numbers(n * n, 1);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i <= j; ++i) a[j * n + i] = a[i * n + j] = i == j ? 1.0 + static_cast<double>(n) : a[j * n + i];
  return a;
}

/// Inverses made of products against LAPACK's, around the size of the blocks that are not divided.
template <class D>
void inverts_like_lapack(std::vector<int64_t> sizes) {
  for (const int64_t n : sizes) {
    std::vector<double> expected = definite_matrix(n);
    Array<D, double> a(expected);
    psc::invert_spd(n, expected.data(), "a matrix");
    psc::SpdInverse<D>()(n, a.view(), "a matrix");
    const std::vector<double> got = a.to_host();
    double largest = 0, worst = 0;
    for (int64_t i = 0; i < n * n; ++i) {
      largest = std::max(largest, std::abs(expected[i]));
      worst = std::max(worst, std::abs(got[i] - expected[i]));
    }
    EXPECT_LE(worst, 1e-13 * largest) << n;
  }
  std::vector<double> indefinite = definite_matrix(150);
  indefinite[101 * 150 + 101] = -1;
  Array<D, double> a(indefinite);
  try {
    psc::SpdInverse<D>()(150, a.view(), "the matrix of a cell");
    FAIL();
  } catch (const SolverError& error) {
    EXPECT_NE(std::string(error.what()).find("the matrix of a cell is not positive definite"), std::string::npos);
  }
}

/// max |x − y| relative to max |y|.
inline double distance(const std::vector<double>& x, const std::vector<double>& y) {
  double worst = 0, largest = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    worst = std::max(worst, std::abs(x[i] - y[i]));
    largest = std::max(largest, std::abs(y[i]));
  }
  return worst / largest;
}

/// Columns of a block solved two at a time are what they are together.
template <class D>
void parts_are_the_block() {
  const Problem problem = problem_on(unit_square_mesh(4, 1), 5);
  const int64_t n = problem.matrix.rows, k = 5;
  const psc::Prehandled p = psc::prehandle(*problem.refined_mesh(), 2, false);
  const Array<D, double> b(random_numbers(n * k, 11));
  for (const char* method : {"m1", "m2", "m3"}) {
    PscParams params;
    params.method = method;
    params.precision = "double";
    psc::DirectSolver<D, double> solver(p, n, params);
    Array<D, double> together(n * k), in_parts(n * k);
    solver.apply(b.view(), together.view(), k, k);
    solver.apply(b.view(), in_parts.view(), k, 2);
    EXPECT_LE(distance(in_parts.to_host(), together.to_host()), 1e-11) << method;
  }
}

struct PscMesh {
  const char* name;
  CoarseMesh coarse;
  int levels;
};
inline std::vector<PscMesh> psc_meshes() {
  return {{"square q1", unit_square_mesh(4, 1), 5},
          {"square p1", unit_square_mesh(3, 1), 5},
          {"three by three q1", unit_square_mesh(4, 3), 3},
          {"flow around a square", flow_around_square_mesh(), 3},
          {"rectangles", strip_of_rectangles(), 4}};
}

/// Every method, form and level on every mesh, in fp64 without refinement, against a sparse factorization.
template <class D>
void solves_like_cholmod() {
  for (PscMesh& mesh : psc_meshes()) {
    const Problem problem = problem_on(mesh.coarse, mesh.levels);
    const int64_t n = problem.matrix.rows, columns = 3;
    const auto b = random_numbers(n * columns, 7);
    const auto reference = find_engine("cholmod").make({});
    reference->setup(problem);
    const std::vector<double> expected = solve(*reference, problem, b).x;
    for (const psc::LevelCost& cost : psc::level_costs(*problem.refined_mesh(), {}))
      for (const char* method : {"m1", "m2", "m3"})
        for (const char* form : {"stored", "paper"}) {
          SCOPED_TRACE(std::string(mesh.name) + ", h0=1/" + std::to_string(1 << cost.level) + ", " + method + ", " +
                       form);
          const auto engine = psc::make_psc_on<D>({{"precision", "double"},
                                                   {"method", method},
                                                   {"form", form},
                                                   {"refine", "no"},
                                                   {"h0", "1/" + std::to_string(1 << cost.level)}});
          engine->setup(problem);
          const auto got = solve(*engine, problem, b);
          EXPECT_LE(distance(got.x, expected), 1e-12);
          EXPECT_LE(got.stats.relative_residual, 1e-11);
        }
  }
}

/// Stored precisions reach 1e-10 in the steps that an independent prototype took, columns of very different magnitude
/// included.
template <class D>
void refines_to_any_tolerance() {
  const Problem problem = problem_on(unit_square_mesh(4, 1), 6);
  const int64_t n = problem.matrix.rows;
  auto b = random_numbers(4 * n, 3);
  for (int64_t i = 0; i < n; ++i) {
    b[n + i] *= 1e-30;
    b[2 * n + i] *= 1e30;
    b[3 * n + i] = i == n / 3 ? 1 : 0;
  }
  const std::pair<const char*, int> most_steps[] = {
      {"double", 1}, {"single", 2}, {"tf32", 5}, {"half", 5}, {"bfloat", 7}};
  for (const auto& [precision, most] : most_steps)
    for (const char* method : {"m1", "m3"}) {
      SCOPED_TRACE(std::string(precision) + " " + method);
      const auto engine = psc::make_psc_on<D>({{"precision", precision}, {"method", method}, {"h0", "1/8"}});
      engine->setup(problem);
      const auto got = solve(*engine, problem, b, {.relative_residual = 1e-10});
      EXPECT_TRUE(got.stats.converged);
      EXPECT_LE(got.stats.relative_residual, 1e-10);
      EXPECT_LE(got.stats.iterations, most);
    }
}

/// Each column of a block is what it is alone, up to the order of sums.
template <class D>
void blocks_are_their_columns() {
  const Problem problem = problem_on(flow_around_square_mesh(), 4);
  const int64_t n = problem.matrix.rows, columns = 9;
  const auto b = random_numbers(n * columns, 5);
  const auto engine = psc::make_psc_on<D>({{"precision", "half"}, {"refine", "no"}, {"h0", "1/2"}});
  engine->setup(problem);
  const auto together = solve(*engine, problem, b).x;
  for (int64_t j = 0; j < columns; ++j) {
    const auto alone = solve(*engine, problem, {b.begin() + j * n, b.begin() + (j + 1) * n}).x;
    EXPECT_LE(distance({together.begin() + j * n, together.begin() + (j + 1) * n}, alone), 2e-3) << j;
  }
}

}  // namespace gridiron::test
