// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/any_matrix/nodal_equations.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gridiron {

NodalEquations::NodalEquations(const Merge& merge)
    : merge_(merge), potentials_(merge.unknowns), b_(merge.unknowns, 0.0), parts_(merge.unknowns + 1) {}

void NodalEquations::add_unknown(int64_t row, int64_t column, double value) {
  entries_.push_back({row, static_cast<int32_t>(column), value});
}

/// `value` times the potential of a node, which for merged ones is that of the group and an offset.
void NodalEquations::add(int64_t row, NodeId node, double value) {
  const int32_t column = this->row(node);
  if (column >= 0) add_unknown(row, column, value);
  b_[row] -= value * (column >= 0 ? merge_.offset[node] : merge_.known_volts_of(node));
}

void NodalEquations::join(NodeId a, NodeId b) {
  const auto part = [&](NodeId node) { return row(node) < 0 ? static_cast<int32_t>(potentials_) : row(node); };
  parts_.unite(part(a), part(b));
}

int32_t NodalEquations::add_branch(NodeId a, NodeId b) {
  const auto branch = static_cast<int32_t>(branches_++);
  b_.push_back(0);
  join(a, b);
  if (row(a) >= 0) add_unknown(row(a), potentials_ + branch, 1);
  if (row(b) >= 0) add_unknown(row(b), potentials_ + branch, -1);
  add_gain(branch, a, b, -1);
  return branch;
}

void NodalEquations::add_conductance(NodeId a, NodeId b, double siemens) {
  if (merge_.group[a] != merge_.group[b]) join(a, b);
  add_transconductance(a, b, a, b, siemens);
}

void NodalEquations::add_transconductance(NodeId a, NodeId b, NodeId c, NodeId d, double siemens) {
  if (merge_.group[a] == merge_.group[b]) return;
  for (const auto& [node, sign] : {std::pair(a, 1.0), std::pair(b, -1.0)}) {
    if (row(node) < 0) continue;
    add(row(node), c, sign * siemens);
    add(row(node), d, -sign * siemens);
  }
}

void NodalEquations::add_copy(NodeId a, NodeId b, int32_t branch, double gain) {
  if (row(a) >= 0) add_unknown(row(a), potentials_ + branch, gain);
  if (row(b) >= 0) add_unknown(row(b), potentials_ + branch, -gain);
}

void NodalEquations::add_gain(int32_t branch, NodeId c, NodeId d, double gain) {
  add(potentials_ + branch, c, -gain);
  add(potentials_ + branch, d, gain);
}

void NodalEquations::add_resistance(int32_t branch, int32_t other, double ohm) {
  add_unknown(potentials_ + branch, potentials_ + other, -ohm);
}

void NodalEquations::pin_floating() {
  const int32_t fixed = parts_.find(static_cast<int32_t>(potentials_));
  for (int32_t node = 0; node < potentials_; ++node)
    if (parts_.is_root(node) && node != fixed) add_unknown(node, node, 1);
}

int32_t NodalEquations::floating_part(NodeId node) {
  const int32_t fixed = parts_.find(static_cast<int32_t>(potentials_));
  const int32_t part = row(node) < 0 ? fixed : parts_.find(row(node));
  return part == fixed ? -1 : part;
}

void NodalEquations::add_current(NodeId a, NodeId b, double amperes, std::span<double> right_hand_side) const {
  if (row(a) >= 0) right_hand_side[row(a)] -= amperes;
  if (row(b) >= 0) right_hand_side[row(b)] += amperes;
}

double NodalEquations::voltage(NodeId node, std::span<const double> x) const {
  return row(node) < 0 ? merge_.known_volts_of(node) : x[row(node)] + merge_.offset[node];
}

SummedMatrix NodalEquations::matrix() const {
  SummedMatrix summed;
  CsrMatrix& out = summed.sums;
  out.rows = unknowns();
  out.row_ptr.assign(out.rows + 1, 0);
  for (const Entry& e : entries_) ++out.row_ptr[e.row + 1];
  std::partial_sum(out.row_ptr.begin(), out.row_ptr.end(), out.row_ptr.begin());
  std::vector<Entry> sorted(entries_.size());
  std::vector<int64_t> next(out.row_ptr.begin(), out.row_ptr.end() - 1);
  for (const Entry& e : entries_) sorted[next[e.row]++] = e;
  int64_t kept = 0;
  for (int64_t row = 0; row < out.rows; ++row) {
    const auto begin = sorted.begin() + (row == 0 ? 0 : out.row_ptr[row]), end = sorted.begin() + next[row];
    std::stable_sort(begin, end, [](const Entry& a, const Entry& b) { return a.column < b.column; });
    for (auto e = begin; e != end;) {
      long double sum = 0, size = 0;
      const int32_t column = e->column;
      for (; e != end && e->column == column; ++e) sum += e->value, size += std::abs(e->value);
      out.col.push_back(column);
      out.value.push_back(static_cast<double>(sum));
      summed.sizes.push_back(static_cast<double>(size));
      ++kept;
    }
    out.row_ptr[row] = kept;
  }
  std::rotate(out.row_ptr.begin(), out.row_ptr.end() - 1, out.row_ptr.end());
  out.row_ptr.front() = 0;
  return summed;
}

}  // namespace gridiron
