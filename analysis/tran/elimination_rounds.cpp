// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/elimination_rounds.hpp"

#include <algorithm>
#include <utility>

namespace gridiron {
namespace {

/// The items whose key is at least 0, by key and otherwise in their order; `first`: where every key begins, and the
/// end.
template <class Key>
std::vector<std::int32_t> by_key(std::int64_t items, std::int32_t keys, Key key, std::vector<std::int64_t>& first) {
  first.assign(static_cast<std::size_t>(keys) + 1, 0);
  for (std::int64_t i = 0; i < items; ++i)
    if (key(i) >= 0) ++first[key(i) + 1];
  for (std::size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
  std::vector<std::int64_t> next(first.begin(), first.end());
  std::vector<std::int32_t> order(static_cast<std::size_t>(first.back()));
  for (std::int64_t i = 0; i < items; ++i)
    if (key(i) >= 0) order[next[key(i)]++] = static_cast<std::int32_t>(i);
  return order;
}

}  // namespace

GiftRounds::GiftRounds(std::int64_t numbers, std::span<const Passed> passed) {
  std::vector<std::int32_t> round(static_cast<std::size_t>(numbers), 0), gifts(round);
  std::int32_t rounds = 0;  // from 1 on; in round 0 are those that get nothing
  for (const auto& [from, to, weight] : passed) {
    round[to] = std::max(round[to], round[from] + 1);
    rounds = std::max(rounds, round[to]);
    ++gifts[to];
  }
  receiver = by_key(
      numbers, rounds, [&](std::int64_t n) { return round[n] - 1; }, first_of_round);
  first_gift.assign(1, 0);
  std::vector<std::int64_t> next(static_cast<std::size_t>(numbers), 0);
  for (const std::int32_t to : receiver) {
    next[to] = first_gift.back();
    first_gift.push_back(first_gift.back() + gifts[to]);
  }
  gift.resize(static_cast<std::size_t>(first_gift.back()));
  for (const auto& [from, to, weight] : passed) gift[next[to]++] = {from, weight};
}

EliminationRounds::EliminationRounds(const Elimination& elimination) {
  std::vector<GiftRounds::Passed> passed;
  for (const Elimination::Step& step : elimination.steps) {
    if (step.j >= 0) passed.push_back({step.node, step.j, step.weight_j});
    if (step.k >= 0) passed.push_back({step.node, step.k, step.weight_k});
  }
  const auto nodes = static_cast<std::int64_t>(elimination.unknown.size());
  const auto count = static_cast<std::int64_t>(elimination.steps.size());
  down = GiftRounds(nodes, passed);

  std::vector<std::int32_t> round(static_cast<std::size_t>(nodes), 0), of_step(static_cast<std::size_t>(count));
  std::int32_t rounds = 0;
  for (std::int64_t s = count; s-- > 0;) {
    const Elimination::Step& step = elimination.steps[s];
    for (const std::int32_t known : {step.j, step.k})
      if (known >= 0) round[step.node] = std::max(round[step.node], round[known]);
    of_step[s] = round[step.node]++;
    rounds = std::max(rounds, round[step.node]);
  }
  for (const std::int32_t s : by_key(
           count, rounds, [&](std::int64_t i) { return of_step[i]; }, first_of_up))
    steps.push_back(elimination.steps[s]);
}

}  // namespace gridiron
