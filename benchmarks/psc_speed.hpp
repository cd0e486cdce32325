// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engines/psc/direct_solver.hpp"
#include "support/stopwatch.hpp"

namespace gridiron::bench {

/// One row: PSC for k right-hand sides at a time.
struct PscSpeed {
  double seconds = 0;           ///< per block of k, the median
  double flops = 0;             ///< of its dense products, by exact count
  double gemm_flops_per_s = 0;  ///< of a large product in the same precision, measured before
  std::vector<double> first;    ///< solution of the first column
};

struct PscCase {
  const psc::Prehandled* prehandled = nullptr;
  const std::vector<double>* schur_inverse = nullptr;
  std::int64_t unknowns = 0;
  PscParams params;
};

inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// Multiplications and additions per second of C = A B, n × n each.
template <class D, class T>
double gemm_rate(std::int64_t n) {
  using psc::Sum;
  psc::Gemm<D> gemm;
  std::vector<T> numbers(static_cast<std::size_t>(n * n));
  for (std::size_t i = 0; i < numbers.size(); ++i)
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

/// Blocks in the device's memory; `b`: k columns on the host.
template <class D, class T>
std::vector<PscSpeed> psc_speed(const PscCase& what, const std::vector<std::vector<double>>& blocks,
                                std::int64_t gemm_size) {
  psc::DirectSolver<D, T> solver(*what.prehandled, what.unknowns, what.params, what.schur_inverse);
  const double rate = gemm_rate<D, T>(gemm_size);
  std::vector<PscSpeed> rows;
  for (const std::vector<double>& block : blocks) {
    const std::int64_t k = static_cast<std::int64_t>(block.size()) / what.unknowns;
    const Array<D, double> b(block);
    Array<D, double> x(b.size());
    std::vector<double> seconds;
    const Stopwatch all;
    for (int round = 0; round < 12 && (round < 4 || all.seconds() < 10); ++round) {
      D::synchronize();
      const Stopwatch watch;
      solver.apply(b.view(), x.view(), k);
      D::synchronize();
      if (round > 0) seconds.push_back(watch.seconds());  // the first one records
    }
    std::vector<double> solution = x.to_host();
    solution.resize(static_cast<std::size_t>(what.unknowns));
    rows.push_back({median(seconds), solver.flops_per_column() * static_cast<double>(k), rate, std::move(solution)});
  }
  return rows;
}

template <class D>
std::vector<PscSpeed> psc_speed_on(const PscCase& what, const std::vector<std::vector<double>>& blocks,
                                   std::int64_t gemm_size) {
  return psc::with_stored(what.params.precision, [&]<class T>(T) { return psc_speed<D, T>(what, blocks, gemm_size); });
}

std::vector<PscSpeed> psc_speed_on_cpu(const PscCase& what, const std::vector<std::vector<double>>& blocks);
/// Throws in a build without CUDA.
std::vector<PscSpeed> psc_speed_on_cuda(const PscCase& what, const std::vector<std::vector<double>>& blocks);

}  // namespace gridiron::bench
