// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engines/psc/direct_solver.hpp"
#include "support/stopwatch.hpp"

namespace gridiron::bench {

/// One row: PSC for k right-hand sides.
struct PscSpeed {
  double seconds = 0;           ///< for all k, the median
  double flops = 0;             ///< of its dense products, by exact count
  double gemm_flops_per_s = 0;  ///< of a large product in the same precision, measured before
  double setup_seconds = 0;
  std::vector<double> first;  ///< solution of the first column
};

struct PscCase {
  const RefinedMesh* mesh = nullptr;
  int level = 0;
  PscParams params;
  std::vector<double> b;         ///< the first right-hand side; the others are random
  std::vector<int64_t> columns;  ///< k of each row
};

inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// Multiplications and additions per second of C = A B, n × n each.
template <class D, class T>
double gemm_rate(int64_t n) {
  using psc::Sum;
  psc::Gemm<D> gemm;
  std::vector<T> numbers(static_cast<size_t>(n * n));
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = T(static_cast<Sum<T>>(0.001 * static_cast<double>(i % 997) - 0.5));
  const Array<D, T> a(numbers), b(numbers);
  Array<D, Sum<T>> c(n * n);
  std::vector<double> seconds;
  for (int round = 0; round < 7; ++round) {
    D::synchronize();
    const Stopwatch watch;
    gemm.template operator()<T>({n, n, n, false, n, n, n}, 1, a.view(), b.view(), 0, c.view());
    D::synchronize();
    if (round > 0) seconds.push_back(watch.seconds());
  }
  return 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) / median(seconds);
}

/// Columns from the first on: numbers in [−½, ½) that depend on their place only.
template <class D>
void fill_columns(View<D, double> b, int64_t first) {
  D::for_each(
      b.size() - first, GRIDIRON_KERNEL(int64_t at) {
        auto x = static_cast<uint64_t>(at) * 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
        b[first + at] = static_cast<double>(x >> 11) * 0x1p-53 - 0.5;
      });
}

/// Columns that are solved at once.
inline constexpr int64_t kColumnsAtOnce = 1024;

template <class D, class T>
std::vector<PscSpeed> psc_speed(const PscCase& what, int64_t gemm_size) {
  const double rate = gemm_rate<D, T>(gemm_size);
  const Stopwatch since_start;
  const auto n = static_cast<int64_t>(what.b.size());
  psc::DirectSolver<D, T> solver(psc::prehandle(*what.mesh, what.level, false, psc::eliminate_for<D>()), n,
                                 what.params);
  D::synchronize();
  const double setup = since_start.seconds();
  std::vector<PscSpeed> rows;
  for (const int64_t k : what.columns) {
    Array<D, double> b(n * k), x(n * k);
    D::copy_to_device(b.view().data(), what.b.data(), n);
    fill_columns<D>(b.view(), n);
    std::vector<double> seconds;
    const Stopwatch all;
    for (int round = 0; round < 12 && (round < 4 || all.seconds() < 5); ++round) {
      D::synchronize();
      const Stopwatch watch;
      solver.apply(std::as_const(b).view(), x.view(), k, kColumnsAtOnce);
      D::synchronize();
      if (round > 0) seconds.push_back(watch.seconds());  // the first one records
    }
    std::vector<double> solution(what.b.size());
    D::copy_to_host(solution.data(), x.view().data(), n);
    rows.push_back(
        {median(seconds), solver.flops_per_column() * static_cast<double>(k), rate, setup, std::move(solution)});
  }
  return rows;
}

template <class D>
std::vector<PscSpeed> psc_speed_on(const PscCase& what, int64_t gemm_size) {
  return psc::with_stored(what.params.precision, [&]<class T>(T) { return psc_speed<D, T>(what, gemm_size); });
}

std::vector<PscSpeed> psc_speed_on_cpu(const PscCase& what);
/// Throws in a build without CUDA.
std::vector<PscSpeed> psc_speed_on_cuda(const PscCase& what);

}  // namespace gridiron::bench
