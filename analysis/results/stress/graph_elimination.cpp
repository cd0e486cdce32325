// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/graph_elimination.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

namespace gridiron {
class GraphElimination::Builder {
 public:
  Builder(int32_t nodes, GraphElimination& result) : result_(result), spokes_(nodes), round_(nodes, 0), left_(nodes) {
    std::iota(left_.begin(), left_.end(), 0);
  }

  int32_t join(int32_t a, int32_t b) {
    if (const Spoke* known = spokes_[a].find(b)) return known->edge;
    spokes_[a].add({b, result_.edges_});
    spokes_[b].add({a, result_.edges_});
    return result_.edges_++;
  }

  void eliminate_all() {
    constexpr size_t kFew = 2;
    for (int32_t round = 1; !left_.empty(); ++round) {
      size_t least = std::numeric_limits<size_t>::max();
      for (const int32_t n : left_) least = std::min(least, spokes_[n].size());
      const size_t most = std::max(least, kFew);
      std::erase_if(left_, [&](int32_t n) {
        const bool is_chosen = spokes_[n].size() <= most && round_[n] != round;
        if (is_chosen) eliminate(n, round);
        return is_chosen;
      });
    }
  }

 private:
  /// Of a node that is not eliminated yet.
  struct Spoke {
    int32_t neighbour;
    int32_t edge;
  };
  /// Those of a node, of which most have few.
  class Spokes {
   public:
    size_t size() const { return count_; }
    std::span<const Spoke> all() const { return {count_ > kFew ? many_.data() : few_.data(), count_}; }

    const Spoke* find(int32_t neighbour) const {
      const auto found = std::ranges::find(all(), neighbour, &Spoke::neighbour);
      return found == all().end() ? nullptr : &*found;
    }
    void add(Spoke spoke) {
      if (count_ == kFew) many_.assign(few_.begin(), few_.end());
      if (count_ < kFew)
        few_[count_] = spoke;
      else
        many_.push_back(spoke);
      ++count_;
    }
    void remove(int32_t neighbour) {
      const size_t at = find(neighbour) - all().data();
      if (count_ <= kFew) {
        few_[at] = few_[count_ - 1];
      } else {
        many_[at] = many_.back();
        many_.pop_back();
        if (many_.size() == kFew) std::ranges::copy(many_, few_.begin());
      }
      --count_;
    }

   private:
    static constexpr size_t kFew = 4;
    size_t count_ = 0;
    std::array<Spoke, kFew> few_;
    std::vector<Spoke> many_;  ///< all of them where there are more
  };

  /// Its neighbours wait for the next round.
  void eliminate(int32_t n, int32_t round) {
    result_.order_.push_back(n);
    const Spokes spokes = std::move(spokes_[n]);
    const std::span<const Spoke> of_n = spokes.all();
    for (const Spoke& spoke : of_n) {
      result_.neighbour_.push_back(spoke.neighbour);
      result_.spoke_.push_back(spoke.edge);
      spokes_[spoke.neighbour].remove(n);
      round_[spoke.neighbour] = round;
    }
    for (size_t i = 0; i < of_n.size(); ++i)
      for (size_t j = 0; j < i; ++j) result_.pair_.push_back(join(of_n[i].neighbour, of_n[j].neighbour));
    result_.first_spoke_.push_back(static_cast<int32_t>(result_.spoke_.size()));
    result_.first_pair_.push_back(static_cast<int32_t>(result_.pair_.size()));
  }

  GraphElimination& result_;
  std::vector<Spokes> spokes_;
  std::vector<int32_t> round_;  ///< the last one in which a neighbour was eliminated
  std::vector<int32_t> left_;
};

GraphElimination::GraphElimination(int32_t nodes, std::span<const Edge> edges) {
  Builder builder(nodes, *this);
  for (const Edge& edge : edges) edge_.push_back(builder.join(edge.a, edge.b));
  builder.eliminate_all();
}

GraphFactor::GraphFactor(const GraphElimination& elimination)
    : elimination_(&elimination),
      of_edge_(elimination.edges_),
      share_(elimination.spoke_.size()),
      inverse_(elimination.order_.size()) {}

void GraphFactor::factor(std::span<const double> surplus, std::span<const double> weight) {
  const GraphElimination& e = *elimination_;
  left_.assign(surplus.begin(), surplus.end());
  std::ranges::fill(of_edge_, 0.0);
  for (size_t i = 0; i < weight.size(); ++i) of_edge_[e.edge_[i]] += weight[i];
  for (size_t k = 0; k < e.order_.size(); ++k) {
    const int32_t first = e.first_spoke_[k], last = e.first_spoke_[k + 1];
    const double of_node = left_[e.order_[k]];
    double pivot = of_node;
    for (int32_t s = first; s < last; ++s) pivot += of_edge_[e.spoke_[s]];
    inverse_[k] = 1 / pivot;
    int32_t pair = e.first_pair_[k];
    for (int32_t s = first; s < last; ++s) {
      share_[s] = of_edge_[e.spoke_[s]] * inverse_[k];
      left_[e.neighbour_[s]] += share_[s] * of_node;
      for (int32_t other = first; other < s; ++other)
        of_edge_[e.pair_[pair++]] += share_[s] * of_edge_[e.spoke_[other]];
    }
  }
}

void GraphFactor::solve(std::span<double> x) const {
  const GraphElimination& e = *elimination_;
  for (size_t k = 0; k < e.order_.size(); ++k) {
    const double value = x[e.order_[k]];
    for (int32_t s = e.first_spoke_[k]; s < e.first_spoke_[k + 1]; ++s) x[e.neighbour_[s]] += share_[s] * value;
  }
  for (size_t k = e.order_.size(); k-- > 0;) {
    double value = x[e.order_[k]] * inverse_[k];
    for (int32_t s = e.first_spoke_[k]; s < e.first_spoke_[k + 1]; ++s) value += share_[s] * x[e.neighbour_[s]];
    x[e.order_[k]] = value;
  }
}

}  // namespace gridiron
