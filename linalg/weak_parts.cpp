// SPDX-License-Identifier: Apache-2.0
#include "linalg/weak_parts.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "device/disjoint_sets.hpp"
#include "linalg/dense_inverse.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

constexpr size_t kMostParts = 256;

std::vector<double> diagonal_of(const CsrMatrix& a) {
  std::vector<double> diagonal;
  assign_in_parallel(diagonal, a.rows);
  parallel_each(a.rows, [&](int64_t i) {
    const auto row = a.col.begin() + a.row_ptr[i], end = a.col.begin() + a.row_ptr[i + 1];
    if (const auto found = std::lower_bound(row, end, i); found != end && *found == i)
      diagonal[i] = a.value[found - a.col.begin()];
  });
  return diagonal;
}

/// A set of unknowns that strong couplings connect.
struct Cluster : weak::Part {
  int64_t members = 0;
  Cluster& operator+=(const Cluster& other) {
    Part::operator+=(other);
    members += other.members;
    return *this;
  }
  bool is_weaker_than(const Cluster& other) const { return tie * other.diagonal < other.tie * diagonal; }
};

/// A matrix with the clusters of its unknowns.
class Clusters {
 public:
  Clusters(const CsrMatrix& matrix, std::span<const double> row_sums)
      : a_(matrix), row_sums_(row_sums), diagonal_(diagonal_of(matrix)), root_(untouched<int32_t>(matrix.rows)) {
    DisjointSets sets(static_cast<int32_t>(matrix.rows));
    parallel_each(a_.rows, [&](int64_t i) {
      for (int64_t k = a_.row_ptr[i]; k < a_.row_ptr[i + 1] && a_.col[k] < i; ++k)
        if (weak::is_strong(a_.value[k], diagonal_[i], diagonal_[a_.col[k]]))
          sets.unite(static_cast<int32_t>(i), a_.col[k]);
    });
    parallel_each(a_.rows, [&](int64_t i) { root_[i] = sets.find(static_cast<int32_t>(i)); });
    assign_in_parallel(of_root_, a_.rows);
    using Runs = std::vector<Run>;
    joined_ranges<Runs>(
        a_.rows,
        [&](int64_t begin, int64_t end) {
          Runs runs;
          for (int64_t i = begin; i < end; ++i) {
            const int32_t root = root_[i];
            if (root >= begin) {  // no range before this one has a member of the cluster
              of_root_[root] += share_of(i);
              continue;
            }
            if (runs.empty() || runs.back().root != root) runs.push_back({root, {}});
            runs.back().sums += share_of(i);
          }
          return runs;
        },
        [&](Runs&, const Runs& runs) {
          for (const Run& run : runs) of_root_[run.root] += run.sums;
        });
  }

  /// The roots of weak clusters, ascending, kMostParts at most.
  std::vector<int32_t> weak_roots() const {
    auto roots = parallel_list<int32_t>(a_.rows, [&](int64_t i, std::vector<int32_t>& list) {
      if (of_root_[i].is_weak()) list.push_back(static_cast<int32_t>(i));
    });
    if (roots.size() <= kMostParts) return roots;
    std::nth_element(roots.begin(), roots.begin() + kMostParts, roots.end(),
                     [&](int32_t p, int32_t q) { return of_root_[p].is_weaker_than(of_root_[q]); });
    roots.resize(kMostParts);
    std::ranges::sort(roots);
    return roots;
  }
  const Cluster& at(int32_t root) const { return of_root_[root]; }
  int32_t root(int64_t i) const { return root_[i]; }
  double excess(int64_t i) const {
    double couplings = 0;
    for (int64_t k = a_.row_ptr[i]; k < a_.row_ptr[i + 1]; ++k)
      if (a_.col[k] != i) couplings += a_.value[k];
    return excess_of(i, couplings);
  }

 private:
  double excess_of(int64_t i, double couplings) const {
    if (!row_sums_.empty()) return row_sums_[i];
    return weak::excess_of(diagonal_[i], couplings, a_.row_ptr[i + 1] - a_.row_ptr[i]);
  }

  /// What unknowns of one cluster, with none between them of another from before the range, add to it.
  struct Run {
    int32_t root;
    Cluster sums;
  };
  Cluster share_of(int64_t i) const {
    double couplings = 0, leaving = 0;
    for (int64_t k = a_.row_ptr[i]; k < a_.row_ptr[i + 1]; ++k) {
      if (a_.col[k] == i) continue;
      couplings += a_.value[k];
      if (root_[a_.col[k]] != root_[i]) leaving += a_.value[k];
    }
    return {{excess_of(i, couplings) - leaving, diagonal_[i]}, 1};
  }

  const CsrMatrix& a_;
  std::span<const double> row_sums_;
  std::vector<double> diagonal_;
  std::unique_ptr<int32_t[]> root_;  ///< of every unknown: the lowest of its cluster
  std::vector<Cluster> of_root_;
};

/// An entry of A Z.
struct Tie {
  int32_t part, row;
  double value;
};

/// A Z by rows: a row of a part has what leaves the part as its own entry, and every row the couplings to other parts.
std::vector<Tie> ties_of(const CsrMatrix& a, const std::vector<int32_t>& part_of, const Clusters& clusters) {
  auto ties = parallel_list<Tie>(a.rows, [&](int64_t i, std::vector<Tie>& list) {
    const int32_t row = i;
    const int32_t part = part_of[i];
    double leaving = part >= 0 ? clusters.excess(i) : 0;
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
      const int32_t other = part_of[a.col[k]];
      if (other == part) continue;
      if (part >= 0) leaving -= a.value[k];
      if (other >= 0) list.push_back({other, row, a.value[k]});
    }
    if (leaving != 0) list.push_back({part, row, leaving});
  });
  std::ranges::stable_sort(ties, [](const Tie& p, const Tie& q) { return p.part < q.part; });
  return ties;
}

/// ZᵀA Z, row after row.
std::vector<double> galerkin(const std::vector<Tie>& ties, const std::vector<int32_t>& part_of, int64_t count) {
  std::vector<double> matrix(count * count, 0.0);
  for (const Tie& tie : ties)
    if (const int32_t part = part_of[tie.row]; part >= 0) matrix[part * count + tie.part] += tie.value;
  return matrix;
}

/// What ties each part to rows of none and to ground: the row sums of ZᵀA Z.
std::vector<double> grounds_of(const CsrMatrix& a, const std::vector<int32_t>& part_of, const Clusters& clusters,
                               int64_t count) {
  const auto grounds = parallel_list<Tie>(a.rows, [&](int64_t i, std::vector<Tie>& list) {
    if (part_of[i] < 0) return;
    double ground = clusters.excess(i);
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
      if (part_of[a.col[k]] < 0) ground -= a.value[k];
    if (ground != 0) list.push_back({part_of[i], static_cast<int32_t>(i), ground});
  });
  std::vector<double> sums(count, 0.0);
  for (const Tie& ground : grounds) sums[ground.part] += ground.value;
  return sums;
}

PartVectors columns_of(const std::vector<Tie>& ties, int64_t count) {
  PartVectors columns;
  columns.begin.assign(count + 1, 0);
  for (const Tie& tie : ties) {
    ++columns.begin[tie.part + 1];
    columns.row.push_back(tie.row);
    columns.value.push_back(tie.value);
  }
  std::partial_sum(columns.begin.begin(), columns.begin.end(), columns.begin.begin());
  return columns;
}

}  // namespace

WeakParts find_weak_parts(const CsrMatrix& a, std::span<const double> row_sums) {
  const Clusters clusters(a, row_sums);
  const std::vector<int32_t> roots = clusters.weak_roots();
  if (roots.empty()) return {};
  const auto count = std::ssize(roots);
  std::vector<int32_t> part_of_root;
  assign_in_parallel(part_of_root, a.rows, int32_t{-1});
  for (int64_t k = 0; k < count; ++k) part_of_root[roots[k]] = static_cast<int32_t>(k);

  WeakParts parts;
  make_room_in_parallel(parts.of_unknown, a.rows);
  parallel_each(a.rows, [&](int64_t i) { parts.of_unknown[i] = part_of_root[clusters.root(i)]; });
  const std::vector<Tie> ties = ties_of(a, parts.of_unknown, clusters);
  parts.ties = columns_of(ties, count);
  try {
    parts.inverse = invert_by_sums(count, galerkin(ties, parts.of_unknown, count),
                                   grounds_of(a, parts.of_unknown, clusters, count), "deflation");
  } catch (const SolverError&) {  // singular, as is then the matrix
    return {};
  }
  for (const int32_t root : roots)
    parts.shift.push_back(weak::kTie * clusters.at(root).diagonal / clusters.at(root).members);
  return parts;
}

}  // namespace gridiron
