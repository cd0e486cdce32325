// SPDX-License-Identifier: Apache-2.0
#include "engines/direct/low_rank_update.hpp"

#include <algorithm>

#include "engines/changes.hpp"
#include "linalg/blas.hpp"
#include "linalg/one_thread.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

/// Each pivot of M and T is at least this share of what it was computed from: six digits lost at most, ten left.
constexpr double kLeastPivot = 1e-6;

/// One entry of A − F.
struct Change {
  int32_t row, col;
  double value;
};

/// None if they touch more unknowns than the limit; a diagonal entry that changed names its row, any other both.
std::optional<std::vector<Change>> find_changes(const CsrMatrix& before, const CsrMatrix& now,
                                                std::vector<int32_t>& unknowns) {
  std::vector<Change> changes;
  for (const RowRange& rows : changed_rows(before, now))
    for (int64_t i = rows.first; i < rows.last; ++i)
      for (int64_t k = now.row_ptr[i]; k < now.row_ptr[i + 1]; ++k) {
        if (now.value[k] == before.value[k]) continue;
        const int32_t row = i;
        changes.push_back({row, now.col[k], now.value[k] - before.value[k]});
        for (const int32_t unknown : {row, now.col[k]})
          if (std::ranges::find(unknowns, unknown) == unknowns.end()) unknowns.push_back(unknown);
        if (std::ssize(unknowns) > LowRankUpdate::kMostUnknowns) return std::nullopt;
      }
  std::ranges::sort(unknowns);
  return changes;
}

/// A⁻¹ of a small symmetric matrix; none unless it is safely positive definite. `terms`: a matrix with the magnitudes
/// of the terms that diagonal entries were summed from.
std::optional<std::vector<double>> invert_definite(int n, std::vector<double> a, const std::vector<double>& terms) {
  const OneThread one_thread;
  const char lower = 'L';
  int info = 0;
  dpotrf_(&lower, &n, a.data(), &n, &info);
  if (info != 0) return std::nullopt;
  for (int i = 0; i < n; ++i)
    if (!(a[i * n + i] * a[i * n + i] >= kLeastPivot * terms[i * n + i])) return std::nullopt;
  dpotri_(&lower, &n, a.data(), &n, &info);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) a[i * n + j] = a[j * n + i];  // LAPACK stores the lower triangle by columns
  return a;
}

}  // namespace

std::optional<LowRankUpdate> LowRankUpdate::find(const CsrMatrix& factored, const CsrMatrix& now,
                                                 const ApplyInverse& inverse) {
  LowRankUpdate update;
  const auto changes = find_changes(factored, now, update.unknowns_);
  if (!changes) return std::nullopt;
  const int64_t n = now.rows, s = std::ssize(update.unknowns_);
  if (s == 0) return update;
  const auto index_of = [&](int32_t unknown) {
    return std::ranges::lower_bound(update.unknowns_, unknown) - update.unknowns_.begin();
  };

  std::vector<double> unit(n * s, 0.0), z(unit.size());
  for (int64_t k = 0; k < s; ++k) unit[k * n + update.unknowns_[k]] = 1;
  inverse({unit.data(), n, s}, {z.data(), n, s});

  std::vector<double> m(s * s), delta(m.size(), 0.0);
  for (int64_t i = 0; i < s; ++i)
    for (int64_t j = 0; j < s; ++j)
      m[i * s + j] = 0.5 * (z[j * n + update.unknowns_[i]] + z[i * n + update.unknowns_[j]]);
  for (const Change& change : *changes) delta[index_of(change.row) * s + index_of(change.col)] = change.value;

  const auto schur = invert_definite(static_cast<int>(s), m, m);
  if (!schur) return std::nullopt;
  std::vector<double> t = *schur;
  for (size_t k = 0; k < t.size(); ++k) t[k] += delta[k];
  const auto t_inverse = invert_definite(static_cast<int>(s), std::move(t), *schur);
  if (!t_inverse) return std::nullopt;

  update.core_.assign(m.size(), 0.0);
  for (int64_t i = 0; i < s; ++i)
    for (int64_t k = 0; k < s; ++k)
      for (int64_t j = 0; j < s; ++j) update.core_[i * s + j] += (*t_inverse)[i * s + k] * delta[k * s + j];
  update.extension_.resize(z.size());
  parallel_ranges(n, [&](int64_t begin, int64_t end) {
    for (int64_t j = 0; j < s; ++j)
      for (int64_t row = begin; row < end; ++row) {
        double sum = 0;
        for (int64_t k = 0; k < s; ++k) sum += z[k * n + row] * (*schur)[k * s + j];
        update.extension_[j * n + row] = sum;
      }
  });
  return update;
}

void LowRankUpdate::apply(Block<double> x) const {
  const int64_t s = std::ssize(unknowns_);
  parallel_tasks(x.columns, [&](int64_t column) {
    const std::span<double> entries = x.column(column);
    std::vector<double> step(s, 0.0);
    for (int64_t i = 0; i < s; ++i)
      for (int64_t j = 0; j < s; ++j) step[i] -= core_[i * s + j] * entries[unknowns_[j]];
    for (int64_t j = 0; j < s; ++j) {
      const double* const w = extension_.data() + j * x.rows;
      for (int64_t i = 0; i < x.rows; ++i) entries[i] += step[j] * w[i];
    }
  });
}

int64_t LowRankUpdate::bytes() const {
  return static_cast<int64_t>((extension_.size() + core_.size()) * sizeof(double));
}

}  // namespace gridiron
