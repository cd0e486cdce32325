// SPDX-License-Identifier: Apache-2.0
#include "engines/cholmod/supernodal.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "engines/cholmod/columns.hpp"
#include "engines/cholmod/panel.hpp"
#include "engines/direct/refinement.hpp"
#include "linalg/one_thread.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

using Long = SupernodalTree::Index;

/// Columns of a supernode above the subtrees that one thread updates, and multiplications from which all threads factor
/// such a supernode.
constexpr Long kColumnsOfTask = 128;
constexpr Long kManyMultiplications = 1 << 22;

/// Scratch of one thread.
struct Scratch {
  struct Free {
    void operator()(int32_t* memory) const { std::free(memory); }
  };
  /// Row of the matrix → row of the present supernode, or of another one or 0 where the present one has none; in memory
  /// only where a supernode of this thread has rows.
  std::unique_ptr<int32_t[], Free> place;
  std::vector<Long> relative;  ///< row of an update → row of the present supernode
  std::vector<double> update;  ///< as large as the largest one so far
};

class Supernodal {
 public:
  Supernodal(const CsrMatrix& a, std::span<const double> row_sums, const SupernodalTree& tree, double* values)
      : a_(a),
        row_sums_(row_sums),
        tree_(tree),
        x_(values),
        position_(tree.unknowns),
        diagonal_(tree.unknowns),
        next_column_(tree.count),
        next_(tree.count, -1),
        head_(tree.count, -1),
        failed_(tree.unknowns) {
    parallel_each(tree.unknowns, [this](int64_t k) { position_[tree_.order[k]] = static_cast<int32_t>(k); });
    if (!row_sums.empty()) passed_on_.resize(tree.unknowns);
  }

  /// Whether a pivot has too few digits left.
  bool has_lost_digits() const { return has_lost_digits_; }

  /// The first column without a usable pivot; tree.unknowns if there is none.
  Long run() {
    scratch_.resize(omp_get_max_threads());
    factor_subtrees();
    for (const auto& level : tree_.levels)
      if (failed_ == tree_.unknowns) factor_level(level);
    return failed_;
  }

 private:
  double* values_of(Long s) const { return x_ + tree_.values_at[s]; }
  Scratch& own_scratch() { return scratch_[scratch_index_()]; }

  void factor_subtrees() {
    const auto count = std::ssize(tree_.subtrees);
    std::vector<std::vector<int32_t>> waiting(count);  // what updates supernodes above its subtree
    std::vector<Long> failed(count, tree_.unknowns);
    parallel_tasks(count, [&](int64_t t) {
      for (const int32_t s : tree_.subtrees[t]) {
        if (failed[t] < tree_.unknowns) break;
        assemble(s, tree_.first[s], tree_.first[s + 1], own_scratch());
        const auto pass_on = [&](Long d) { tree_.subtree_of[next_super(d)] == t ? link(d) : waiting[t].push_back(d); };
        advance_updates(s, pass_on);
        failed[t] = factor(s);
        begin_updates(s, pass_on);
      }
    });
    for (const auto& of_subtree : waiting) std::ranges::for_each(of_subtree, [this](Long d) { link(d); });
    for (const Long column : failed) failed_ = std::min(failed_, column);
  }

  /// Supernodes that are of no use to each other, divided by their columns.
  void factor_level(const std::vector<int32_t>& level) {
    struct Columns {
      int32_t s;
      Long first, last;
    };
    std::vector<Columns> parts;
    std::vector<int32_t> small, large;
    for (const int32_t s : level) {
      for (Long first = tree_.first[s]; first < tree_.first[s + 1]; first += kColumnsOfTask)
        parts.push_back({s, first, std::min(first + kColumnsOfTask, tree_.first[s + 1])});
      const Long multiplications = tree_.columns(s) * tree_.columns(s) * tree_.rows(s);
      (multiplications < kManyMultiplications || !row_sums_.empty() ? small : large).push_back(s);
    }
    parallel_tasks(std::ssize(parts),
                   [&](int64_t t) { assemble(parts[t].s, parts[t].first, parts[t].last, own_scratch()); });
    std::vector<Long> failed(level.size(), tree_.unknowns);
    parallel_tasks(std::ssize(small), [&](int64_t t) { failed[t] = factor(small[t]); });
    for (const Long s : large)
      failed_ = std::min(failed_, checked(s, factor_panel_in_parallel(values_of(s), tree_.columns(s), tree_.rows(s))));
    for (const Long column : failed) failed_ = std::min(failed_, column);
    const auto pass_on = [this](Long d) { link(d); };
    for (const Long s : level) {
      advance_updates(s, pass_on);
      begin_updates(s, pass_on);
    }
  }

  Long next_super(Long d) const { return tree_.of_column[tree_.rows_of(d)[next_column_[d]]]; }
  void link(Long d) {
    const Long s = next_super(d);
    next_[d] = head_[s];
    head_[s] = static_cast<int32_t>(d);
  }
  /// The first row of d, from `begin` on, that is not before a column.
  Long row_from(Long d, Long begin, Long column) const {
    const Long* const rows = tree_.rows_of(d);
    while (begin < tree_.rows(d) && rows[begin] < column) ++begin;
    return begin;
  }
  /// What has updated s goes on to its next supernode: pass_on(d).
  void advance_updates(Long s, auto pass_on) {
    for (Long d = head_[s], next; d >= 0; d = next) {
      next = next_[d];
      next_column_[d] = static_cast<int32_t>(row_from(d, next_column_[d], tree_.first[s + 1]));
      if (next_column_[d] < tree_.rows(d)) pass_on(d);
    }
  }
  void begin_updates(Long s, auto pass_on) {
    next_column_[s] = static_cast<int32_t>(tree_.columns(s));
    if (next_column_[s] < tree_.rows(s)) pass_on(s);
  }

  /// Factors s, whose columns are assembled; as checked().
  Long factor(Long s) {
    if (row_sums_.empty()) return checked(s, factor_panel(values_of(s), tree_.columns(s), tree_.rows(s)));
    const Long factored =
        factor_panel_by_sums(values_of(s), tree_.columns(s), tree_.rows(s), passed_on_.data() + tree_.first[s]);
    return factored < tree_.columns(s) ? tree_.first[s] + factored : tree_.unknowns;
  }

  /// The first column of s without a usable pivot, tree.unknowns if there is none, after so many were factored.
  Long checked(Long s, Long factored) {
    const Long first = tree_.first[s], rows = tree_.rows(s);
    for (Long j = 0; j < factored; ++j) {
      const double root = values_of(s)[j * rows + j], diagonal = diagonal_[first + j];
      if (!(root * root > kNegligiblePivot * diagonal)) return first + j;
      if (!(root * root > kDoubtfulPivot * diagonal)) has_lost_digits_ = true;
    }
    return factored < tree_.columns(s) ? first + factored : tree_.unknowns;
  }

  /// The matrix in columns of s, less what other supernodes contribute there.
  void assemble(Long s, Long first, Long last, Scratch& scratch) {
    const Long ms = tree_.rows(s);
    if (!scratch.place) {
      scratch.place.reset(static_cast<int32_t*>(std::calloc(tree_.unknowns, sizeof(int32_t))));
      if (!scratch.place) throw std::bad_alloc();
    }
    const Long* const rows_of_s = tree_.rows_of(s);
    for (Long k = first - tree_.first[s]; k < ms; ++k) scratch.place[rows_of_s[k]] = static_cast<int32_t>(k);
    double* const x = values_of(s) + (first - tree_.first[s]) * ms;
    std::fill_n(x, (last - first) * ms, 0.0);
    for (Long column = first; column < last; ++column) {
      const Long row = tree_.order[column];
      double* const of_column = x + (column - first) * ms;
      for (Long e = a_.row_ptr[row]; e < a_.row_ptr[row + 1]; ++e) {
        const int32_t k = position_[a_.col[e]];
        if (k < column) continue;
        const int32_t place = scratch.place[k];  // none for an entry above the diagonal that is not below it, too
        if (place < ms && rows_of_s[place] == k) of_column[place] = a_.value[e];
      }
      diagonal_[column] = of_column[scratch.place[column]];
      if (!row_sums_.empty()) passed_on_[column] = row_sums_[row];
    }
    for (Long d = head_[s]; d >= 0; d = next_[d]) {
      const Long begin = row_from(d, next_column_[d], first);
      update(s, d, begin, row_from(d, begin, last), scratch);
    }
  }

  /// What d passes on to the row sums of its rows from `begin` to `end` − 1.
  void pass_on(Long d, Long begin, Long end) {
    const Long md = tree_.rows(d), kd = tree_.columns(d);
    const double* const of_d = passed_on_.data() + tree_.first[d];
    for (Long i = begin; i < end; ++i)
      subtract_product(&passed_on_[tree_.rows_of(d)[i]], 1, values_of(d) + i, md, of_d, kd, 1);
  }

  /// Subtracts what d contributes to columns of s, those of its rows from `begin` to `end` − 1.
  void update(Long s, Long d, Long begin, Long end, Scratch& scratch) {
    const Long md = tree_.rows(d), kd = tree_.columns(d), ms = tree_.rows(s);
    const Long width = end - begin, height = md - begin;
    if (width == 0) return;
    const double* const from = values_of(d) + begin;
    double* const to = values_of(s);
    if (!row_sums_.empty()) pass_on(d, begin, end);
    scratch.relative.resize(std::max(scratch.relative.size(), static_cast<size_t>(height)));
    Long* const relative = scratch.relative.data();
    for (Long i = 0; i < height; ++i) relative[i] = scratch.place[tree_.rows_of(d)[begin + i]];

    if (width * height * kd < kFewMultiplications) {
      scratch.update.resize(std::max(scratch.update.size(), static_cast<size_t>(height)));
      double* const y = scratch.update.data();
      for (Long j = 0; j < width; ++j) {
        double* const column = to + relative[j] * ms;
        std::fill_n(y, height - j, 0.0);
        subtract_product(y, height - j, from + j, md, from + j, kd, md);
        for (Long i = j; i < height; ++i) column[relative[i]] += y[i - j];
      }
      return;
    }
    if (const size_t size = width * height; scratch.update.size() < size) scratch.update = std::vector<double>(size);
    double* const c = scratch.update.data();
    multiply_by_top(from, height, width, kd, md, c);
    for (Long j = 0; j < width; ++j) {
      double* const column = to + relative[j] * ms;
      for (Long i = j; i < height; ++i) column[relative[i]] -= c[j * height + i];
    }
  }

  const CsrMatrix& a_;
  std::span<const double> row_sums_;  ///< empty: pivots are differences
  const SupernodalTree& tree_;
  double* x_;
  std::vector<double> passed_on_;  ///< per column, with row_sums_: the entry of L⁻¹ A 1
  std::vector<int32_t> position_;  ///< the column of each unknown
  std::vector<double> diagonal_;   ///< of the matrix, per column
  // Supernodes that have yet to update the columns of s: a list from head_[s] on. d goes on at its row next_column_[d].
  std::vector<int32_t> next_column_, next_, head_;
  ScratchIndex scratch_index_;
  std::vector<Scratch> scratch_;  ///< per thread
  std::atomic<bool> has_lost_digits_ = false;
  Long failed_;
};

}  // namespace

Pivots factorize_supernodal(const CsrMatrix& a, const SupernodalTree& tree, cholmod_factor& factor,
                            cholmod_common& common, std::span<const double> row_sums) {
  const OneBlasThread one_blas_thread;
  common.status = CHOLMOD_OK;
  if (factor.xtype == CHOLMOD_PATTERN && !cholmod_l_change_factor(CHOLMOD_REAL, 1, 1, 1, 1, &factor, &common))
    return Pivots::missing;
  Supernodal supernodal(a, row_sums, tree, static_cast<double*>(factor.x));
  factor.minor = static_cast<size_t>(supernodal.run());
  if (factor.minor < factor.n) common.status = CHOLMOD_NOT_POSDEF;
  return factor.minor < factor.n ? Pivots::missing : supernodal.has_lost_digits() ? Pivots::doubtful : Pivots::good;
}

}  // namespace gridiron
