// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/analysis/exact/rational.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron::test {

/// A small matrix of the kinds that factorizations stumble over: without a full matching, with rows that depend on
/// others, nearly so, symmetric and not, with zeros on the diagonal or stored, and with scaled rows and columns.
class RandomMatrix {
 public:
  explicit RandomMatrix(uint64_t seed) : random_(seed) {
    const bool is_near = chance(0.1);
    n = integer(1, chance(0.3) ? 6 : is_near ? 20 : 60);
    is_symmetric = chance(0.5);
    rows.resize(n);
    for (int i = 0; i < n; ++i) b.push_back(integer(-9, 9));
    fill();
    if (chance(0.3)) add_diagonal();
    if (chance(0.3) || is_near) make_dependent();
    if (is_near) disturb();
    if (chance(0.1)) clear_a_row();
    if (!is_near && chance(0.2)) scale();
    if (chance(0.2)) rows[integer(0, n - 1)].emplace(integer(0, n - 1), 0.0);
    if (is_symmetric) mirror();
  }

  Problem problem(bool symmetric_positive_definite) const { return problem_of(rows, symmetric_positive_definite); }

  int n = 0;
  bool is_symmetric = false;
  Rows rows;
  std::vector<double> b;

 private:
  int integer(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  bool chance(double p) { return std::uniform_real_distribution(0.0, 1.0)(random_) < p; }

  double value() {
    const double v = real_ ? integer(1, 4095) / 1024.0 : integer(1, 4);
    return chance(0.5) ? v : -v;
  }

  void fill() {
    real_ = chance(0.5);
    const int64_t entries = std::llround(n * std::uniform_real_distribution(0.7, chance(0.3) ? 12.0 : 4.0)(random_));
    for (int64_t k = 0; k < entries; ++k) rows[integer(0, n - 1)][integer(0, n - 1)] = value();
    if (chance(0.6))
      for (int i = 0; i < n; ++i) rows[i].emplace((i + 1) % n, value());
  }

  void add_diagonal() {
    const double shift = chance(0.5) ? 40 : 0.5;
    for (int i = 0; i < n; ++i) rows[i][i] += shift;
  }

  /// A row becomes the sum or difference of two others; of a symmetric matrix, with the column.
  void make_dependent() {
    if (is_symmetric) mirror();
    if (n < 3) return;
    const int at = integer(0, n - 1), p = (at + 1) % n, q = (at + 2) % n;
    const double sign = chance(0.5) ? 1 : -1;
    const auto combine = [&](int column) {
      const auto entry = [&](int row) { return rows[row].contains(column) ? rows[row][column] : 0.0; };
      const double sum = entry(p) + sign * entry(q);
      rows[at].erase(column);
      if (sum != 0) rows[at][column] = sum;
    };
    for (int column = 0; column < n; ++column)
      if (column != at || !is_symmetric) combine(column);
    if (!is_symmetric) return;
    for (int row = 0; row < n; ++row) {
      rows[row].erase(at);
      if (row != at && rows[at].contains(row)) rows[row][at] = rows[at][row];
    }
    combine(at);
  }

  void disturb() {
    const int at = integer(0, n - 1);
    rows[at][at] += std::ldexp(1.0, -integer(10, 60));
  }

  void clear_a_row() {
    const int at = integer(0, n - 1);
    rows[at].clear();
    if (!is_symmetric) return;
    for (auto& row : rows) row.erase(at);
  }

  void scale() {
    for (int i = 0; i < n; ++i) {
      const int of_row = integer(-20, 20);
      for (auto& [column, entry] : rows[i]) entry = std::ldexp(entry, of_row);
      b[i] = std::ldexp(b[i], of_row);
    }
    if (is_symmetric) mirror();
  }

  /// The lower triangle counts.
  void mirror() {
    for (int i = 0; i < n; ++i) std::erase_if(rows[i], [&](const auto& entry) { return entry.first > i; });
    for (int i = 0; i < n; ++i)
      for (const auto& [column, entry] : Rows::value_type(rows[i]))
        if (column != i) rows[column][i] = entry;
  }

  std::mt19937_64 random_;
  bool real_ = false;
};

/// The solution in rational numbers, by elimination without fractions (Bareiss); none if the matrix is singular.
inline std::vector<Rational> exact_solution(const RandomMatrix& matrix) {
  const int n = matrix.n;
  const auto integer = [](double v) {  // times 2^80: doubles of these matrices are multiples of 2^-80
    int exponent = 0;
    const auto digits = static_cast<int64_t>(std::ldexp(std::frexp(v, &exponent), 53));
    const int shift = exponent - 53 + 80;
    return shift >= 0 ? Integer(digits) << shift : Integer(digits) / (Integer(1) << -shift);
  };
  std::vector<std::vector<Integer>> a(n, std::vector<Integer>(n + 1));
  for (int i = 0; i < n; ++i) {
    for (const auto& [column, value] : matrix.rows[i]) a[i][column] = integer(value);
    a[i][n] = integer(matrix.b[i]);
    Integer common = 0;
    for (const Integer& entry : a[i]) common = gcd(common, entry);
    for (Integer& entry : a[i])
      if (common > 1) entry /= common;
  }
  Integer last = 1;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    while (pivot < n && a[pivot][k] == 0) ++pivot;
    if (pivot == n) return {};
    std::swap(a[k], a[pivot]);
    for (int i = k + 1; i < n; ++i) {
      for (int j = k + 1; j <= n; ++j) a[i][j] = (a[k][k] * a[i][j] - a[i][k] * a[k][j]) / last;
      a[i][k] = 0;
    }
    last = a[k][k];
  }
  std::vector<Rational> x(n);
  for (int i = n - 1; i >= 0; --i) {
    Rational sum = Rational(a[i][n]);
    for (int j = i + 1; j < n; ++j)
      if (a[i][j] != 0) sum -= Rational(a[i][j]) * x[j];
    x[i] = sum / Rational(a[i][i]);
  }
  return x;
}

}  // namespace gridiron::test
