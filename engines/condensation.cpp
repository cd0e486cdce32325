// SPDX-License-Identifier: Apache-2.0
#include "engines/condensation.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

using Weights = Condensation::Weights;
using Set = Condensation::Set;

/// Couplings of those eliminated; more would leave the others so many that iterations gain nothing.
constexpr int64_t kMost = 5;
/// Smaller sets, as a share of all rows, are not worth a pass over the matrix.
constexpr double kLeastShare = 0.05;

/// What is left of the matrix: conductances between rows, in ascending order.
struct Rows {
  std::vector<int32_t> unknown;
  std::vector<double> pad;
  std::vector<int64_t> first;
  std::vector<int32_t> other;
  std::vector<double> conductance;

  int64_t size() const { return std::ssize(unknown); }
  int64_t couplings(int64_t row) const { return first[row + 1] - first[row]; }
};

Rows rows_of(const CsrMatrix& a, std::vector<double> pads) {
  Rows rows;
  rows.pad = std::move(pads);
  make_room_in_parallel(rows.unknown, a.rows);
  make_room_in_parallel(rows.first, a.rows + 1);
  const auto is_coupling = [&](int64_t i, int64_t k) { return a.col[k] != i && a.value[k] != 0; };
  parallel_each(a.rows, [&](int64_t i) {
    rows.unknown[i] = static_cast<int32_t>(i);
    int64_t count = 0;
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) count += is_coupling(i, k) ? 1 : 0;
    rows.first[i] = count;
  });
  rows.first[a.rows] = 0;
  const int64_t all = parallel_scan(rows.first.data(), a.rows + 1);
  make_room_in_parallel(rows.other, all);
  make_room_in_parallel(rows.conductance, all);
  parallel_each(a.rows, [&](int64_t i) {
    int64_t to = rows.first[i];
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
      if (!is_coupling(i, k)) continue;
      rows.other[to] = a.col[k];
      rows.conductance[to++] = -a.value[k];
    }
  });
  return rows;
}

/// For each row its number among those that stay, or −1 − its number among those to eliminate: in turn each of few
/// couplings, none of them to one chosen before.
struct Choice {
  std::vector<int32_t> number, staying, leaving;

  explicit Choice(const Rows& rows) : number(rows.size(), 0) {
    for (int32_t i = 0; i < rows.size(); ++i) {
      const int64_t couplings = rows.couplings(i);
      const bool leaves = number[i] == 0 && couplings > 0 && couplings <= kMost;
      if (!leaves) {
        number[i] = static_cast<int32_t>(staying.size());
        staying.push_back(i);
        continue;
      }
      for (int64_t k = rows.first[i]; k < rows.first[i + 1]; ++k)
        if (rows.other[k] > i) number[rows.other[k]] = kCoupled;
      leaving.push_back(i);
      number[i] = -static_cast<int32_t>(leaving.size());
    }
  }

 private:
  static constexpr int32_t kCoupled = 1;
};

Set set_of(const Rows& rows, const std::vector<int32_t>& leaving) {
  const auto n = std::ssize(leaving);
  Set set;
  Weights& given = set.given;
  make_room_in_parallel(set.inverse, n);
  make_room_in_parallel(given.unknown, n);
  make_room_in_parallel(given.first, n + 1);
  parallel_each(n, [&](int64_t f) { given.first[f] = rows.couplings(leaving[f]); });
  given.first[n] = 0;
  const int64_t all = parallel_scan(given.first.data(), n + 1);
  make_room_in_parallel(given.other, all);
  make_room_in_parallel(given.weight, all);
  parallel_each(n, [&](int64_t f) {
    const int32_t i = leaving[f];
    double diagonal = rows.pad[i];
    for (int64_t k = rows.first[i]; k < rows.first[i + 1]; ++k) diagonal += rows.conductance[k];
    given.unknown[f] = rows.unknown[i];
    set.inverse[f] = 1 / diagonal;
    int64_t to = given.first[f];
    for (int64_t k = rows.first[i]; k < rows.first[i + 1]; ++k, ++to) {
      given.other[to] = rows.unknown[rows.other[k]];
      given.weight[to] = rows.conductance[k] / diagonal;
    }
  });
  return set;
}

/// Adds up a row. Equal columns are summed in the order in which they come.
class RowSum {
 public:
  struct Term {
    int32_t column;
    double value;
  };

  void clear() { size_ = 0; }
  void add(int32_t column, double value) {
    if (size_ >= kShort) return append(column, value);
    size_t at = size_;
    while (at > 0 && term_[at - 1].column > column) --at;
    if (at > 0 && term_[at - 1].column == column) {
      term_[at - 1].value += value;
      return;
    }
    for (size_t k = size_; k > at; --k) term_[k] = term_[k - 1];
    term_[at] = {column, value};
    ++size_;
  }
  /// In ascending order of columns.
  std::span<const Term> sum() {
    if (size_ >= kShort) sort_and_sum();
    return std::span(term_).first(size_);
  }

 private:
  /// Terms kept in order as they come; those of hubs are sorted at the end.
  static constexpr size_t kShort = 64;

  void append(int32_t column, double value) {
    if (size_ == term_.size()) term_.resize(2 * size_);
    term_[size_++] = {column, value};
  }
  void sort_and_sum() {
    const auto end = term_.begin() + static_cast<std::ptrdiff_t>(size_);
    std::stable_sort(term_.begin(), end, [](const Term& a, const Term& b) { return a.column < b.column; });
    size_t last = 0;
    for (size_t k = 1; k < size_; ++k) {
      if (term_[k].column == term_[last].column)
        term_[last].value += term_[k].value;
      else
        term_[++last] = term_[k];
    }
    size_ = last + 1;
  }

  size_t size_ = 0;
  std::vector<Term> term_ = std::vector<Term>(kShort);
};

/// Consecutive rows of what is left, and what they take from those eliminated.
struct Part {
  std::vector<int64_t> length, takes;
  std::vector<int32_t> other, from;
  std::vector<double> conductance, weight;

  void make_room(int64_t rows) {
    for (auto* lengths : {&length, &takes}) lengths->reserve(rows);
    other.reserve(kLikely * rows);
    conductance.reserve(kLikely * rows);
    from.reserve(kLikely / 2 * rows);
    weight.reserve(kLikely / 2 * rows);
  }

 private:
  static constexpr int64_t kLikely = 10;  ///< couplings of a row
};

/// The row of the one that stays as number `row`, once the others have left. Terms of a sum are in the same order in
/// both rows of a coupling.
void append_row(const Rows& rows, const Choice& choice, const Set& set, int64_t row, RowSum& sum, Part& part,
                double& pad) {
  const int32_t i = choice.staying[row];
  sum.clear();
  for (int64_t k = rows.first[i]; k < rows.first[i + 1]; ++k)
    if (const int32_t j = choice.number[rows.other[k]]; j >= 0) sum.add(j, rows.conductance[k]);
  pad = rows.pad[i];
  const size_t taken = part.from.size();
  for (int64_t k = rows.first[i]; k < rows.first[i + 1]; ++k) {
    const int32_t leaving = rows.other[k];
    if (choice.number[leaving] >= 0) continue;
    const int32_t f = -1 - choice.number[leaving];
    const double siemens = rows.conductance[k], inverse = set.inverse[f];
    for (int64_t m = rows.first[leaving]; m < rows.first[leaving + 1]; ++m)
      if (rows.other[m] != i) sum.add(choice.number[rows.other[m]], siemens * rows.conductance[m] * inverse);
    pad += siemens * rows.pad[leaving] * inverse;
    part.from.push_back(rows.unknown[leaving]);
    part.weight.push_back(siemens * inverse);
  }
  part.takes.push_back(static_cast<int64_t>(part.from.size() - taken));
  const auto terms = sum.sum();
  part.length.push_back(std::ssize(terms));
  for (const auto& [other, siemens] : terms) {
    part.other.push_back(other);
    part.conductance.push_back(siemens);
  }
}

/// The lengths of rows as the places where they begin.
std::vector<int64_t> begins(std::vector<std::vector<int64_t>> lengths) {
  std::vector<int64_t> first = concatenated(std::move(lengths));
  first.push_back(0);
  parallel_scan(first.data(), std::ssize(first));
  return first;
}

/// The rows that stay. Fills set.taken.
Rows rest_of(const Rows& rows, const Choice& choice, Set& set) {
  constexpr int64_t kGrain = 1 << 12;
  const auto n = std::ssize(choice.staying);
  Rows rest;
  make_room_in_parallel(rest.unknown, n);
  make_room_in_parallel(rest.pad, n);
  std::vector<Part> parts((n + kGrain - 1) / kGrain);
  parallel_ranges(
      n,
      [&](int64_t begin, int64_t end) {
        RowSum sum;
        Part& part = parts[begin / kGrain];
        part.make_room(end - begin);
        for (int64_t row = begin; row < end; ++row) {
          rest.unknown[row] = rows.unknown[choice.staying[row]];
          append_row(rows, choice, set, row, sum, part, rest.pad[row]);
        }
      },
      kGrain);
  const auto all = [&](auto Part::*member) {
    std::vector<std::remove_reference_t<decltype(parts.front().*member)>> arrays;
    for (Part& part : parts) arrays.push_back(std::move(part.*member));
    return arrays;
  };
  rest.first = begins(all(&Part::length));
  rest.other = concatenated(all(&Part::other));
  rest.conductance = concatenated(all(&Part::conductance));
  set.taken.unknown = rest.unknown;
  set.taken.first = begins(all(&Part::takes));
  set.taken.other = concatenated(all(&Part::from));
  set.taken.weight = concatenated(all(&Part::weight));
  return rest;
}

/// Rows in the order in which the matrix gets them: among some that follow each other, the shorter ones first, as
/// sliced matrices (linalg/sell.hpp) fill up rows to the longest one next to them.
std::vector<int32_t> order_of(const Rows& rows) {
  constexpr int64_t kTogether = 1024;
  std::vector<int32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  parallel_ranges(
      rows.size(),
      [&](int64_t begin, int64_t end) {
        std::stable_sort(order.begin() + begin, order.begin() + end,
                         [&](int32_t i, int32_t j) { return rows.couplings(i) < rows.couplings(j); });
      },
      kTogether);
  return order;
}

/// The matrix of the rows, in another order.
CsrMatrix matrix_of(const Rows& rows, const std::vector<int32_t>& order) {
  const int64_t n = rows.size();
  std::vector<int32_t> place(n);
  parallel_each(n, [&](int64_t i) { place[order[i]] = static_cast<int32_t>(i); });
  CsrMatrix a;
  a.rows = n;
  make_room_in_parallel(a.row_ptr, n + 1);
  parallel_each(n, [&](int64_t i) { a.row_ptr[i] = rows.couplings(order[i]) + 1; });
  a.row_ptr[n] = 0;
  const int64_t all = parallel_scan(a.row_ptr.data(), n + 1);
  make_room_in_parallel(a.col, all);
  make_room_in_parallel(a.value, all);
  parallel_ranges(n, [&](int64_t begin, int64_t end) {
    RowSum sum;
    for (int64_t i = begin; i < end; ++i) {
      const int32_t row = order[i];
      double diagonal = rows.pad[row];
      sum.clear();
      for (int64_t k = rows.first[row]; k < rows.first[row + 1]; ++k) {
        sum.add(place[rows.other[k]], -rows.conductance[k]);
        diagonal += rows.conductance[k];
      }
      sum.add(static_cast<int32_t>(i), diagonal);
      int64_t to = a.row_ptr[i];
      for (const auto& [column, value] : sum.sum()) {
        a.col[to] = column;
        a.value[to++] = value;
      }
    }
  });
  return a;
}

}  // namespace

Condensation condense(const CsrMatrix& matrix, std::vector<double> pads) {
  Condensation out;
  out.unknowns = matrix.rows;
  Rows rows = rows_of(matrix, std::move(pads));
  for (;;) {
    const Choice choice(rows);
    if (static_cast<double>(choice.leaving.size()) < kLeastShare * static_cast<double>(rows.size())) break;
    Set set = set_of(rows, choice.leaving);
    rows = rest_of(rows, choice, set);
    out.sets.push_back(std::move(set));
  }
  const std::vector<int32_t> order = order_of(rows);
  make_room_in_parallel(out.kept, rows.size());
  make_room_in_parallel(out.pads, rows.size());
  parallel_each(rows.size(), [&](int64_t i) {
    out.kept[i] = rows.unknown[order[i]];
    out.pads[i] = rows.pad[order[i]];
  });
  out.matrix = matrix_of(rows, order);
  return out;
}

void Condensation::reduce(std::span<const double> b, std::span<double> arrived, std::span<double> reduced) const {
  parallel_each(unknowns, [&](int64_t i) { arrived[i] = b[i]; });
  for (const Set& set : sets)
    parallel_each(set.taken.rows(),
                  [&](int64_t row) { arrived[set.taken.unknown[row]] += set.taken.sum(row, arrived); });
  parallel_each(std::ssize(kept), [&](int64_t i) { reduced[i] = arrived[kept[i]]; });
}

void Condensation::recover(std::span<const double> arrived, std::span<const double> reduced,
                           std::span<double> x) const {
  parallel_each(std::ssize(kept), [&](int64_t i) { x[kept[i]] = reduced[i]; });
  for (auto set = sets.rbegin(); set != sets.rend(); ++set)
    parallel_each(set->given.rows(), [&](int64_t row) {
      const int32_t unknown = set->given.unknown[row];
      x[unknown] = set->inverse[row] * arrived[unknown] + set->given.sum(row, x);
    });
}

int64_t Condensation::bytes() const {
  const auto of = [](const auto& array) { return static_cast<int64_t>(array.size() * sizeof(array[0])); };
  int64_t sum = of(kept);
  for (const Set& set : sets) {
    sum += of(set.inverse);
    for (const Weights* weights : {&set.given, &set.taken})
      sum += of(weights->unknown) + of(weights->first) + of(weights->other) + of(weights->weight);
  }
  return sum;
}

}  // namespace gridiron
