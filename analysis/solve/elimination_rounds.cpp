// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/elimination_rounds.hpp"

#include <algorithm>
#include <atomic>

#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// The items of [0, n) whose round is at least 0, by round and otherwise in their order; `first`: where every round
/// begins, and the end.
template <class RoundOf>
std::vector<int32_t> by_round(int64_t n, int64_t rounds, RoundOf round_of, std::vector<int64_t>& first) {
  const GroupedByKey grouped(n, rounds, round_of);
  first.resize(rounds + 1);
  for (int64_t r = 0; r <= rounds; ++r) first[r] = grouped.start(r);
  std::vector<int32_t> items;
  resize_untouched(items, first[rounds]);
  grouped.for_each_place(round_of, [&](int64_t i, int64_t place) { items[place] = static_cast<int32_t>(i); });
  return items;
}

int32_t latest_of(std::span<const int32_t> rounds) {
  return joined_ranges<int32_t>(
      std::ssize(rounds),
      [&](int64_t begin, int64_t end) { return *std::max_element(rounds.begin() + begin, rounds.begin() + end); },
      [](int32_t& all, int32_t some) { all = std::max(all, some); });
}

void raise(int32_t& round, int32_t least) {
  std::atomic_ref shared(round);
  int32_t before = shared.load(std::memory_order_relaxed);
  while (before < least && !shared.compare_exchange_weak(before, least, std::memory_order_relaxed))
    ;
}

}  // namespace

SumRounds::SumRounds(int64_t numbers, std::span<const Contribution> contributions) {
  std::vector<int32_t> complete(numbers, 0);
  for (const auto& [from, to, weight] : contributions)
    if (to >= 0) complete[to] = std::max(complete[to], complete[from] + 1);
  *this = SumRounds(contributions, complete);
}

SumRounds::SumRounds(std::span<const Contribution> contributions, std::span<const int32_t> complete) {
  const auto to = [&](int64_t k) { return contributions[k].to; };
  const ItemsByNode<uint32_t> terms(std::ssize(contributions), std::ssize(complete), to);
  receiver = by_round(
      std::ssize(complete), latest_of(complete), [&](int64_t n) { return complete[n] - 1; }, first_of_round);
  resize_untouched(first_term, receiver.size() + 1);
  first_term.back() = 0;
  parallel_each(std::ssize(receiver),
                [&](int64_t r) { first_term[r] = terms.start[receiver[r] + 1] - terms.start[receiver[r]]; });
  first_term.back() = parallel_scan(first_term.data(), std::ssize(receiver));
  resize_untouched(term, first_term.back());
  parallel_each(std::ssize(receiver), [&](int64_t r) {
    for (int64_t k = 0; k < first_term[r + 1] - first_term[r]; ++k) {
      const Contribution& some = contributions[terms.item[terms.start[receiver[r]] + k]];
      term[first_term[r] + k] = {some.from, some.weight};
    }
  });
}

EliminationRounds::EliminationRounds(const Elimination& elimination) {
  const auto nodes = std::ssize(elimination.unknown), count = std::ssize(elimination.steps);
  const auto blocks = static_cast<int64_t>(elimination.blocks());
  using Step = Elimination::Step;
  std::vector<SumRounds::Contribution> contributions;
  resize_untouched(contributions, 2 * static_cast<size_t>(count));
  parallel_each(count, [&](int64_t s) {
    const Step& step = elimination.steps[s];
    contributions[2 * s] = {step.node, step.j, step.weight_j};
    contributions[2 * s + 1] = {step.node, step.k, step.weight_k};
  });
  // The round after which a node's current is complete. Neighbours of a block's nodes are its own.
  std::vector<int32_t> complete;
  assign_in_parallel(complete, nodes);
  const auto pass_on = [&](const Step& step) {
    for (const int32_t to : {step.j, step.k})
      if (to >= 0) raise(complete[to], complete[step.node] + 1);
  };
  parallel_tasks(blocks, [&](int64_t b) { std::ranges::for_each(elimination.block(b), pass_on); });
  for (size_t r = 0; r < elimination.rounds(); ++r) {
    const std::span<const Step> round = elimination.round(r);
    parallel_each(std::ssize(round), [&](int64_t s) { pass_on(round[s]); });
  }
  down = SumRounds(contributions, complete);

  // The round after which a node's voltage is known.
  std::vector<int32_t>& known = complete;
  assign_in_parallel(known, nodes);
  const auto recover = [&](const Step& step) {
    int32_t before = 0;
    for (const int32_t node : {step.j, step.k})
      if (node >= 0) before = std::max(before, known[node]);
    known[step.node] = before + 1;
  };
  for (size_t r = elimination.rounds(); r-- > 0;) {
    const std::span<const Step> round = elimination.round(r);
    parallel_each(std::ssize(round), [&](int64_t s) { recover(round[s]); });
  }
  parallel_tasks(blocks, [&](int64_t b) {
    const std::span<const Step> block = elimination.block(b);
    std::for_each(block.rbegin(), block.rend(), recover);
  });
  const std::vector<int32_t> order = by_round(
      count, latest_of(known), [&](int64_t s) { return known[elimination.steps[s].node] - 1; }, first_of_up);
  resize_untouched(steps, order.size());
  parallel_each(count, [&](int64_t s) { steps[s] = elimination.steps[order[s]]; });
}

}  // namespace gridiron
