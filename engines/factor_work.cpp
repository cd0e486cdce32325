// SPDX-License-Identifier: Apache-2.0
#include "engines/factor_work.hpp"

#include <amd.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <span>
#include <vector>

#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// Operations of a dissection whose first cut has w nodes, divided by w² · max(w, levels): 10 for a square grid, 11 to
/// 28 for cubes of 8,000 to 195,000 nodes.
constexpr double kOperations = 12;
/// Nonzeros of a factor: per unknown and doubling of the width, and per pair of nodes in a cut.
constexpr double kNonzerosPerLevel = 4, kNonzerosOfCut = 15;

/// Levels of a connected part from a node at its rim.
struct Levels {
  int64_t count = 0;
  int64_t cut = 0;  ///< nodes of the smallest level that leaves at least a quarter of all on both sides
};

/// Entries in a row from which on it is a hub.
double entries_of_hubs(const CsrMatrix& matrix) {
  return std::max(64.0, 10 * std::sqrt(static_cast<double>(matrix.rows)));
}

/// The graph of a matrix without its hubs.
class Graph {
 public:
  explicit Graph(const CsrMatrix& matrix) : a_(matrix), reached_(matrix.rows, 0), queue_(matrix.rows) {
    const double widest = entries_of_hubs(a_);
    for (int64_t i = 0; i < a_.rows; ++i)
      if (static_cast<double>(a_.row_ptr[i + 1] - a_.row_ptr[i]) > widest) {
        reached_[i] = INT32_MAX;
        ++hubs_;
      }
  }

  FactorWork work() {
    FactorWork sum;
    for (int64_t i = 0; i < a_.rows; ++i) {
      if (reached_[i] != 0) continue;
      const int32_t rim = last_from(static_cast<int32_t>(i));
      add(levels_from(rim), sum);
    }
    const double hubs = static_cast<double>(hubs_), rows = static_cast<double>(a_.rows);
    sum.nonzeros += hubs * rows;
    sum.operations += hubs * hubs * rows + 2 * hubs * sum.nonzeros;
    return sum;
  }

 private:
  /// Visits the part of `start`, whose nodes then have this round in reached_; members_ of them lie in queue_.
  void visit(int32_t start, int32_t round) {
    begin_of_level_.clear();
    members_ = couplings_ = 0;
    queue_[members_++] = start;
    reached_[start] = round;
    for (int64_t at = 0, end_of_level = 0; at < members_; ++at) {
      if (at == end_of_level) {
        begin_of_level_.push_back(at);
        end_of_level = members_;
      }
      const int32_t i = queue_[at];
      for (int64_t k = a_.row_ptr[i]; k < a_.row_ptr[i + 1]; ++k) {
        const int32_t j = a_.col[k];
        if (j == i || reached_[j] == INT32_MAX) continue;
        ++couplings_;
        if (reached_[j] == round) continue;
        reached_[j] = round;
        queue_[members_++] = j;
      }
    }
  }
  int32_t last_from(int32_t start) {
    visit(start, 1);
    return queue_[members_ - 1];
  }
  Levels levels_from(int32_t rim) {
    visit(rim, 2);
    Levels levels{std::ssize(begin_of_level_), members_};
    begin_of_level_.push_back(members_);
    for (int64_t l = 0; l < levels.count; ++l) {
      const int64_t before = begin_of_level_[l], after = members_ - begin_of_level_[l + 1];
      if (4 * std::min(before, after) >= members_ || (4 * before < members_ && 4 * after < members_))
        levels.cut = std::min(levels.cut, begin_of_level_[l + 1] - begin_of_level_[l]);
    }
    return levels;
  }

  /// A part with few couplings more than a tree has needs no larger cuts than that, and none costs more than if its
  /// factor were full.
  void add(const Levels& levels, FactorWork& sum) const {
    const int64_t loops = couplings_ / 2 - members_ + 1;
    const double cut = static_cast<double>(std::min(levels.cut, loops + 1)), n = static_cast<double>(members_);
    const double operations = kOperations * cut * cut * std::max(cut, static_cast<double>(levels.count));
    const double nonzeros = kNonzerosPerLevel * n * std::log2(1 + cut) + kNonzerosOfCut * cut * cut;
    sum.operations += std::min(operations, n * n * n / 3);
    sum.nonzeros += std::min(nonzeros, n * (n + 1) / 2);
  }

  const CsrMatrix& a_;
  int64_t hubs_ = 0;
  std::vector<int32_t> reached_, queue_;
  std::vector<int64_t> begin_of_level_;
  int64_t members_ = 0, couplings_ = 0;
};

}  // namespace

int64_t hubs_of(const CsrMatrix& matrix) {
  const double widest = entries_of_hubs(matrix);
  return parallel_sum<int64_t>(matrix.rows, [&](int64_t i) {
    return int64_t{static_cast<double>(matrix.row_ptr[i + 1] - matrix.row_ptr[i]) > widest};
  });
}

FactorWork estimate_factor_work(const CsrMatrix& matrix) { return Graph(matrix).work(); }

FactorWork count_factor_work(const CsrMatrix& matrix) {
  std::vector<SuiteSparse_long> start(matrix.row_ptr.begin(), matrix.row_ptr.end()),
      column(matrix.col.begin(), matrix.col.end()), order(matrix.rows);
  double info[AMD_INFO];
  if (amd_l_order(matrix.rows, start.data(), column.data(), order.data(), nullptr, info) < AMD_OK)
    throw std::bad_alloc();
  return {2 * info[AMD_NMULTSUBS_LDL] + info[AMD_NDIV], info[AMD_LNZ] + static_cast<double>(matrix.rows)};
}

}  // namespace gridiron
