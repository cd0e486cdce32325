// SPDX-License-Identifier: Apache-2.0
#include "engines/superlu/probe.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace gridiron {
namespace {

/// Per unknown a power of two, by which the largest entry of its column of A is near one.
std::vector<double> sizes_of_unknowns(const CsrMatrix& a) {
  std::vector<double> size(a.rows, 0.0);
  for (int64_t k = 0; k < a.nonzeros(); ++k) size[a.col[k]] = std::max(size[a.col[k]], std::abs(a.value[k]));
  for (double& s : size) s = s > 0 && std::isfinite(s) ? std::ldexp(1.0, -std::ilogb(s)) : 1.0;
  return size;
}

/// b − A x, or A x without a b, in long double.
std::vector<double> product(const CsrMatrix& a, const double* b, Block<const double> x) {
  std::vector<double> r(x.rows * x.columns);
  for (int64_t c = 0; c < x.columns; ++c) {
    const double* const of = x.data + c * x.rows;
    for (int64_t row = 0; row < a.rows; ++row) {
      long double sum = 0;
      for (int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1]; ++k)
        sum += static_cast<long double>(a.value[k]) * of[a.col[k]];
      r[c * x.rows + row] = static_cast<double>(b ? b[c * x.rows + row] - sum : sum);
    }
  }
  return r;
}

}  // namespace

double probe_error(const CsrMatrix& a, int64_t columns, const ApplyInverse& apply_inverse) {
  const int64_t n = a.rows;
  const std::vector<double> size = sizes_of_unknowns(a);
  std::mt19937 random(20'240'229);  // the same for every run
  std::vector<double> exact(n * columns), x(n * columns);
  for (int64_t c = 0; c < columns; ++c)
    for (int64_t i = 0; i < n; ++i) {
      const uint32_t bits = random();
      exact[c * n + i] = (bits & 1 ? -1 : 1) * size[i] * (0.5 + bits / 8589934592.0);
    }
  const std::vector<double> b = product(a, nullptr, {exact.data(), n, columns});
  apply_inverse({b.data(), n, columns}, {x.data(), n, columns});
  double worst = 0;
  for (int64_t c = 0; c < columns; ++c)
    for (int64_t i = 0; i < n; ++i) {
      const double error = std::abs(x[c * n + i] - exact[c * n + i]) / size[i];
      if (!(error <= worst)) worst = error;  // so that a NaN persists
    }
  return worst;
}

double refine_once(const CsrMatrix& a, Block<const double> b, Block<double> x, const ApplyInverse& apply_inverse) {
  const std::vector<double> r = product(a, b.data, x);
  std::vector<double> step(r.size());
  apply_inverse({r.data(), x.rows, x.columns}, {step.data(), x.rows, x.columns});
  double worst = 0;
  for (int64_t c = 0; c < x.columns; ++c) {
    double change = 0, size = 0;
    for (int64_t i = c * x.rows; i < (c + 1) * x.rows; ++i) {
      x.data[i] += step[i];
      change = std::max(change, std::abs(step[i]));
      size = std::max(size, std::abs(x.data[i]));
    }
    if (size > 0) worst = std::max(worst, change / size);
  }
  return worst;
}

}  // namespace gridiron
