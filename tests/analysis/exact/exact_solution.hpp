// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tests/analysis/exact/random_circuit.hpp"
#include "tests/analysis/exact/rational.hpp"

namespace gridiron::test {

/// The voltages of a circuit in rational numbers, from Kirchhoff's laws and its cards alone: no rounding, and none of
/// the code under test.
class ExactSolution {
 public:
  explicit ExactSolution(const RandomCircuit& circuit) : ExactSolution(circuit.nodes(), circuit.cards()) {}
  ExactSolution(int nodes, std::vector<Card> cards)
      : nodes_(nodes), cards_(std::move(cards)), group_(nodes, -1), offset_(nodes) {
    join_ties();
    form_equations();
    mark_grounded();
    judge();
    if (is_analysable_) volts_ = solve(row_, right_);
  }

  /// Sources agree, there is one, and no load floats.
  bool is_analysable() const { return is_analysable_; }

  /// None where the node floats.
  std::optional<Rational> voltage(int node) const {
    if (!is_grounded_[group_[node]]) return std::nullopt;
    return volts_[group_[node]] + offset_[node];
  }

  /// The best that can be certified of an answer in double precision, V: the largest w with G w = |r|, where r is what
  /// the exact drops, measured from `reference` and rounded to doubles, leave of Kirchhoff's law.
  double bound_of_rounding(double reference) const {
    std::vector<Rational> error(groups_), residual(groups_);
    for (int k = 1; k < groups_; ++k) {
      const Rational drop = volts_[k] - Rational(reference);
      if (is_grounded_[k]) error[k] = Rational(drop.convert_to<double>()) - drop;
    }
    for (int k = 1; k < groups_; ++k) {
      if (!is_grounded_[k]) continue;
      for (const auto& [other, siemens] : row_[k]) residual[k] += siemens * error[other];
      residual[k] = abs(residual[k]);
    }
    const std::vector<Rational> w = solve(row_, residual);
    return std::max_element(w.begin(), w.end())->convert_to<double>();
  }

 private:
  using Row = std::map<int, Rational>;

  /// v(node) = v(group) + offset; ground is in group 0.
  void join_ties() {
    std::vector<std::vector<const Card*>> ties(nodes_);
    for (const Card& card : cards_) {
      if (!is_tie(card)) continue;
      ties[card.a].push_back(&card);
      ties[card.b].push_back(&card);
    }
    for (int root = 0; root < nodes_; ++root) {
      if (group_[root] >= 0) continue;
      group_[root] = groups_++;
      for (std::vector<int> waiting = {root}; !waiting.empty();) {
        const int node = waiting.back();
        waiting.pop_back();
        for (const Card* tie : ties[node]) {
          const bool is_up = tie->b == node;
          const int next = is_up ? tie->a : tie->b;
          if (group_[next] >= 0) continue;
          group_[next] = group_[node];
          offset_[next] = offset_[node] + (is_up ? volts(*tie) : Rational(-volts(*tie)));
          waiting.push_back(next);
        }
      }
    }
  }

  void form_equations() {
    row_.resize(groups_);
    right_.resize(groups_);
    volts_.resize(groups_);
    for (const Card& card : cards_) {
      const int a = group_[card.a], b = group_[card.b];
      if (card.kind == 'i') {
        right_[a] -= card.value;
        right_[b] += card.value;
      } else if (!is_tie(card) && a != b) {
        const Rational siemens = 1 / card.value;
        const Rational driven = siemens * (offset_[card.a] - offset_[card.b]);
        row_[a][a] += siemens;
        row_[b][b] += siemens;
        row_[a][b] -= siemens;
        row_[b][a] -= siemens;
        right_[a] -= driven;
        right_[b] += driven;
      }
    }
  }

  void mark_grounded() {
    is_grounded_.assign(groups_, false);
    is_grounded_[0] = true;
    for (std::vector<int> waiting = {0}; !waiting.empty();) {
      const int group = waiting.back();
      waiting.pop_back();
      for (const auto& [next, siemens] : row_[group]) {
        if (is_grounded_[next]) continue;
        is_grounded_[next] = true;
        waiting.push_back(next);
      }
    }
  }

  void judge() {
    bool has_source = false, agrees = true;
    std::map<int, Rational> drawn;
    for (const Card& card : cards_) {
      has_source |= card.kind == 'v';
      if (is_tie(card)) agrees &= abs(offset_[card.a] - offset_[card.b] - volts(card)) <= power_of_ten(-9);
      if (card.kind != 'i') continue;
      drawn[card.a] += card.value;
      drawn[card.b] -= card.value;
    }
    is_analysable_ = has_source && agrees;
    for (const auto& [node, amperes] : drawn) is_analysable_ &= is_grounded_[group_[node]] || amperes == 0;
  }

  /// Elimination in the order of least neighbours; ground stays at 0 V.
  std::vector<Rational> solve(std::vector<Row> row, std::vector<Rational> right) const {
    std::vector<bool> is_done(groups_);
    for (int k = 0; k < groups_; ++k) {
      is_done[k] = k == 0 || !is_grounded_[k];
      row[k].erase(0);
    }
    std::vector<int> order;
    for (int pivot = least_neighbours(row, is_done); pivot >= 0; pivot = least_neighbours(row, is_done)) {
      eliminate(pivot, row, right);
      is_done[pivot] = true;
      order.push_back(pivot);
    }
    std::vector<Rational> volts(groups_);
    for (auto group = order.rbegin(); group != order.rend(); ++group) {
      Rational sum = right[*group];
      for (const auto& [other, siemens] : row[*group])
        if (other != *group) sum -= siemens * volts[other];
      volts[*group] = sum / row[*group][*group];
    }
    return volts;
  }

  int least_neighbours(const std::vector<Row>& row, const std::vector<bool>& is_done) const {
    int least = -1;
    for (int k = 0; k < groups_; ++k)
      if (!is_done[k] && (least < 0 || row[k].size() < row[least].size())) least = k;
    return least;
  }

  static void eliminate(int pivot, std::vector<Row>& row, std::vector<Rational>& right) {
    for (const auto& [i, g_i] : row[pivot]) {
      if (i == pivot) continue;
      const Rational factor = g_i / row[pivot][pivot];
      for (const auto& [j, g_j] : row[pivot])
        if (j != pivot) row[i][j] -= factor * g_j;
      right[i] -= factor * right[pivot];
      row[i].erase(pivot);
    }
  }

  static bool is_tie(const Card& card) {
    return card.kind == 'v' || card.kind == 'l' || (card.kind == 'r' && card.value == 0);
  }
  static Rational volts(const Card& card) { return card.kind == 'v' ? card.value : Rational(0); }

  int nodes_;
  std::vector<Card> cards_;
  int groups_ = 0;
  std::vector<int> group_;
  std::vector<Rational> offset_;
  std::vector<Row> row_;
  std::vector<Rational> right_, volts_;
  std::vector<bool> is_grounded_;
  bool is_analysable_ = false;
};

}  // namespace gridiron::test
