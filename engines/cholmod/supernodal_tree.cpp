// SPDX-License-Identifier: Apache-2.0
#include "engines/cholmod/supernodal_tree.hpp"

#include <algorithm>

namespace gridiron {
namespace {

/// Subtrees of at most this share of the arithmetic are one task each.
constexpr double kShareOfTask = 1.0 / 64;

const SupernodalTree::Index* indices(const void* data) { return static_cast<const SupernodalTree::Index*>(data); }

}  // namespace

SupernodalTree::SupernodalTree(const cholmod_factor& factor)
    : unknowns(static_cast<int64_t>(factor.n)),
      count(static_cast<int64_t>(factor.nsuper)),
      first(indices(factor.super)),
      rows_at(indices(factor.pi)),
      values_at(indices(factor.px)),
      row(indices(factor.s)),
      order(indices(factor.Perm)),
      of_column(factor.n),
      parent(factor.nsuper, -1) {
  for (Index s = 0; s < count; ++s)
    std::fill(of_column.begin() + first[s], of_column.begin() + first[s + 1], static_cast<int32_t>(s));
  for (Index s = 0; s < count; ++s)
    if (rows(s) > columns(s)) parent[s] = of_column[rows_of(s)[columns(s)]];
  divide();
}

void SupernodalTree::divide() {
  std::vector<double> work(count, 0.0);
  double total = 0;
  for (Index s = 0; s < count; ++s) {
    const double own = static_cast<double>(columns(s)) * rows(s) * rows(s);
    total += own;
    work[s] += own;
    if (parent[s] >= 0) work[parent[s]] += work[s];
  }
  const auto is_in_subtree = [&](Index s) { return work[s] <= kShareOfTask * total; };
  std::vector<int32_t> roots;
  for (Index s = count - 1; s >= 0; --s)
    if (is_in_subtree(s) && (parent[s] < 0 || !is_in_subtree(parent[s]))) roots.push_back(static_cast<int32_t>(s));
  std::ranges::stable_sort(roots, std::ranges::greater{}, [&](int32_t root) { return work[root]; });
  subtree_of.assign(count, -1);
  for (size_t t = 0; t < roots.size(); ++t) subtree_of[roots[t]] = static_cast<int32_t>(t);
  for (Index s = count - 1; s >= 0; --s)  // parents first
    if (is_in_subtree(s) && subtree_of[s] < 0) subtree_of[s] = subtree_of[parent[s]];

  subtrees.resize(roots.size());
  std::vector<int32_t> height(count, 0);
  for (Index s = 0; s < count; ++s) {
    if (subtree_of[s] >= 0) {
      subtrees[subtree_of[s]].push_back(static_cast<int32_t>(s));
      continue;
    }
    if (std::ssize(levels) <= height[s]) levels.resize(height[s] + 1);
    levels[height[s]].push_back(static_cast<int32_t>(s));
    if (parent[s] >= 0) height[parent[s]] = std::max(height[parent[s]], height[s] + 1);
  }
}

int64_t SupernodalTree::bytes() const {
  const size_t entries = of_column.size() + parent.size() + 2 * subtree_of.size();  // each is in a list, too
  return static_cast<int64_t>(entries * sizeof(int32_t));
}

}  // namespace gridiron
