// SPDX-License-Identifier: Apache-2.0
#include "engines/superlu/library_calls.hpp"

#include <slu_ddefs.h>

#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "support/error_text.hpp"

namespace gridiron {
namespace {

thread_local SuperluCalls* calls_of_thread = nullptr;

/// The rows of a column that have not been pivots: those of its supernode from its own place on.
struct PivotColumn {
  PivotColumn(int column, GlobalLU_t& lu) {
    const auto first = lu.xsup[lu.supno[column]], begin = lu.xlsub[first];
    place = static_cast<int64_t>(column - first);
    height = static_cast<int64_t>(lu.xlsub[first + 1] - begin);
    rows = lu.lsub + begin;
    block = static_cast<double*>(lu.lusup) + lu.xlusup[first];
    values = static_cast<double*>(lu.lusup) + lu.xlusup[column];
  }

  /// −1: none of them.
  int64_t find(int row) const {
    for (int64_t k = place; k < height; ++k)
      if (rows[k] == row) return k;
    return -1;
  }
  /// −1: no entry is above zero; one that is not a number is not.
  int64_t find_largest() const {
    int64_t at = -1;
    for (int64_t k = place; k < height; ++k)
      if (std::abs(values[k]) > (at < 0 ? 0.0 : std::abs(values[at]))) at = k;
    return at;
  }
  /// Exchanges the row at `k` for the one at the place of the column, in the whole supernode, and divides.
  void eliminate(int64_t k) {
    if (k != place) {
      std::swap(rows[k], rows[place]);
      for (int64_t c = 0; c <= place; ++c) std::swap(block[c * height + k], block[c * height + place]);
    }
    const double reciprocal = 1 / values[place];
    for (int64_t i = place + 1; i < height; ++i) values[i] *= reciprocal;
  }

  int64_t place, height;
  decltype(GlobalLU_t::lsub) rows;
  double *block, *values;
};

/// A column without a pivot: its first row if it has one, or else its own number, is as good as any for callers other
/// than ours, who look at what dgstrf returns.
int without_pivot(const PivotColumn& p, int column, int own_row, int* position, int* pivot_row) {
  if (calls_of_thread) throw SuperluCalls::NoPivot{own_row};
  *pivot_row = p.place < p.height ? static_cast<int>(p.rows[p.place]) : own_row;
  position[*pivot_row] = column;
  return column + 1;
}

/// `k`, the row to prefer, or `largest` where that is too small.
int64_t chosen(const PivotColumn& p, int64_t k, int64_t largest, double threshold) {
  if (k < 0) return largest;
  const double size = std::abs(p.values[k]);
  return size > 0 && size >= threshold * std::abs(p.values[largest]) ? k : largest;
}

}  // namespace

SuperluCalls::SuperluCalls(const Pivots& pivots) : pivots_(pivots) { calls_of_thread = this; }

SuperluCalls::~SuperluCalls() {
  calls_of_thread = nullptr;
  for (void* const at : held_) std::free(at);
}

}  // namespace gridiron

extern "C" {

#pragma GCC visibility push(default)

/// Threshold pivoting (Demmel et al., the paper at SuperluParams): the preferred row if it is at least `threshold`
/// times the largest, or else the largest. Where `*use_given`, `given` has the rows of an earlier factorization.
int dpivotL(const int column, const double threshold, int* use_given, int* position, int* given, int* number,
            int* pivot_row, GlobalLU_t* lu, SuperLUStat_t* statistics) {
  using gridiron::SuperluCalls;
  gridiron::PivotColumn p(column, *lu);
  const int own_row = number[column];
  const int64_t largest = p.find_largest();
  if (largest < 0) {
    *use_given = 0;
    return gridiron::without_pivot(p, column, own_row, position, pivot_row);
  }
  const SuperluCalls* const calls = gridiron::calls_of_thread;
  const int preferred = calls && calls->pivots().preferred ? calls->pivots().preferred[own_row] : own_row;
  int64_t pivot = -1;
  if (*use_given) {
    const int64_t k = p.find(given[column]);
    pivot = gridiron::chosen(p, k, largest, threshold);
    if (k < 0 || pivot != k) *use_given = 0;
  }
  if (!*use_given) pivot = gridiron::chosen(p, p.find(preferred), largest, threshold);
  statistics->ops[FACT] += static_cast<flops_t>(p.height - p.place);
  if (calls) {
    const SuperluCalls::Pivots& rule = calls->pivots();
    if (rule.only_preferred && !(p.rows[pivot] == preferred && p.values[pivot] > 0)) throw SuperluCalls::OtherPivot{};
    const flops_t* const done = statistics->ops;  // additions count as well
    if (done[FACT] + done[TRSV] + done[GEMV] > 2 * rule.most_operations) throw SuperluCalls::TooMuchWork{};
  }
  *pivot_row = static_cast<int>(p.rows[pivot]);
  position[*pivot_row] = column;
  p.eliminate(pivot);
  return 0;
}

void* superlu_malloc(size_t bytes) {
  void* const at = std::malloc(bytes);
  if (at && gridiron::calls_of_thread) gridiron::calls_of_thread->allocated(at);
  return at;
}

void superlu_free(void* at) {
  if (gridiron::calls_of_thread) gridiron::calls_of_thread->freed(at);
  std::free(at);
}

/// Called where an allocation fails, and where SuperLU finds its own arguments or arrays at fault.
void superlu_abort_and_exit(char* message) {
  const std::string_view text = message ? message : "";
  if (text.find("alloc") != text.npos || text.find("ALLOC") != text.npos || text.find("emory") != text.npos)
    throw gridiron::ResourceError("superlu: the factors do not fit into memory; try an iterative engine");
  throw gridiron::solver_error("superlu: the factorization failed ({}); try another engine",
                               text.substr(0, text.find('\n')));
}

#pragma GCC visibility pop

}  // extern "C"
