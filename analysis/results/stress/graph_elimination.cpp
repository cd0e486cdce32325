// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/graph_elimination.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace gridiron {
class GraphElimination::Builder {
 public:
  /// Nodes of one round come from several stretches in turn, as those that follow one another in a wire have a
  /// neighbour in common, for which the second would wait.
  Builder(int32_t nodes, GraphElimination& result) : result_(result), spokes_(nodes), round_(nodes, 0) {
    constexpr int32_t kStretches = 4;
    const int32_t stretch = (nodes + kStretches - 1) / kStretches;
    left_.reserve(nodes);
    for (int32_t i = 0; i < stretch; ++i)
      for (int32_t n = i; n < nodes; n += stretch) left_.push_back(n);
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
  joined_ = edges_;
  builder.eliminate_all();
  for (int32_t k = 0; k < nodes; ++k) {
    const int32_t spokes = first_spoke_[k + 1] - first_spoke_[k];
    if (runs_.empty() || runs_.back().spokes != spokes) runs_.push_back({k, k, spokes});
    ++runs_.back().end;
  }
}

GraphFactor::GraphFactor(const GraphElimination& elimination)
    : elimination_(&elimination),
      of_edge_(elimination.edges_),
      share_(elimination.spoke_.size()),
      inverse_(elimination.order_.size()) {}

/// The steps of a run; `kSpokes`, where it is not negative, is how many each has. Most have two, as within a wire.
template <int kSpokes>
void GraphFactor::eliminate(const Run& run) {
  const GraphElimination& e = *elimination_;
  const int32_t spokes = kSpokes < 0 ? run.spokes : kSpokes, pairs = spokes * (spokes - 1) / 2;
  const int32_t *spoke = &e.spoke_[e.first_spoke_[run.begin]], *neighbour = &e.neighbour_[e.first_spoke_[run.begin]];
  const int32_t* pair = e.pair_.data() + e.first_pair_[run.begin];
  const int32_t* const order = e.order_.data();
  double *share = &share_[e.first_spoke_[run.begin]], *const left = left_.data(), *const of_edge = of_edge_.data();
  double* const inverse = inverse_.data();
  for (int32_t k = run.begin; k < run.end; ++k, spoke += spokes, neighbour += spokes, share += spokes, pair += pairs) {
    const double of_node = left[order[k]];
    double pivot = of_node;
    for (int32_t s = 0; s < spokes; ++s) pivot += of_edge[spoke[s]];
    const double inverse_pivot = inverse[k] = 1 / pivot;
    const int32_t* between = pair;
    for (int32_t s = 0; s < spokes; ++s) {
      const double part = share[s] = of_edge[spoke[s]] * inverse_pivot;
      left[neighbour[s]] += part * of_node;
      for (int32_t other = 0; other < s; ++other) of_edge[*between++] += part * of_edge[spoke[other]];
    }
  }
}

template <int kSpokes>
void GraphFactor::gather(const Run& run, double* x) const {
  const GraphElimination& e = *elimination_;
  const int32_t spokes = kSpokes < 0 ? run.spokes : kSpokes, first = e.first_spoke_[run.begin];
  const int32_t *neighbour = &e.neighbour_[first], *const order = e.order_.data();
  const double* share = &share_[first];
  for (int32_t k = run.begin; k < run.end; ++k, neighbour += spokes, share += spokes) {
    const double value = x[order[k]];
    for (int32_t s = 0; s < spokes; ++s) x[neighbour[s]] += share[s] * value;
  }
}

template <int kSpokes>
void GraphFactor::scatter(const Run& run, double* x) const {
  const GraphElimination& e = *elimination_;
  const int32_t spokes = kSpokes < 0 ? run.spokes : kSpokes, first = e.first_spoke_[run.end];
  const int32_t *neighbour = e.neighbour_.data() + first, *const order = e.order_.data();
  const double *share = share_.data() + first, *const inverse = inverse_.data();
  for (int32_t k = run.end; k-- > run.begin;) {
    neighbour -= spokes, share -= spokes;
    double value = x[order[k]] * inverse[k];
    for (int32_t s = 0; s < spokes; ++s) value += share[s] * x[neighbour[s]];
    x[order[k]] = value;
  }
}

void GraphFactor::factor(std::span<const double> surplus, std::span<const double> weight) {
  const GraphElimination& e = *elimination_;
  left_.assign(surplus.begin(), surplus.end());
  if (e.joined_ == std::ssize(weight)) {
    std::ranges::copy(weight, of_edge_.begin());
    std::fill(of_edge_.begin() + e.joined_, of_edge_.end(), 0.0);
  } else {
    std::ranges::fill(of_edge_, 0.0);
    for (size_t i = 0; i < weight.size(); ++i) of_edge_[e.edge_[i]] += weight[i];
  }
  for (const Run& run : e.runs_) {
    if (run.spokes == 0)
      for (int32_t k = run.begin; k < run.end; ++k) inverse_[k] = 1 / left_[e.order_[k]];
    else if (run.spokes == 2)
      eliminate<2>(run);
    else
      eliminate<-1>(run);
  }
}

void GraphFactor::solve(std::span<double> x) const {
  const std::vector<Run>& runs = elimination_->runs_;
  for (const Run& run : runs) {
    if (run.spokes == 2)
      gather<2>(run, x.data());
    else if (run.spokes > 0)
      gather<-1>(run, x.data());
  }
  for (size_t i = runs.size(); i-- > 0;) {
    if (runs[i].spokes == 2)
      scatter<2>(runs[i], x.data());
    else
      scatter<-1>(runs[i], x.data());
  }
}

}  // namespace gridiron
