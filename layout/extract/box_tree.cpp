// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/box_tree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "support/parallel.hpp"

namespace gridiron::layout {
namespace {

constexpr int32_t kLeaf = 8;
constexpr int64_t kTask = 1 << 10;  ///< boxes that are worth a task

int32_t half_way(int32_t first, int32_t last) { return first + (last - first) / 2; }

/// Squared.
double distance(const Box& b, Point p) {
  const auto beyond = [](Dbu low, Dbu high, Dbu at) {
    return at < low ? static_cast<double>(low) - at : at > high ? static_cast<double>(at) - high : 0;
  };
  const double dx = beyond(b.x0, b.x1, p.x), dy = beyond(b.y0, b.y1, p.y);
  return dx * dx + dy * dy;
}

}  // namespace

BoxTree::BoxTree(std::vector<Box> boxes) : boxes_(std::move(boxes)), order_(boxes_.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  if (boxes_.empty()) return;
  branches_.push_back({{}, 0, static_cast<int32_t>(boxes_.size())});
  // Level by level: the branches of one are divided by all threads.
  for (size_t level = 0; level < branches_.size();) {
    const size_t next = branches_.size();
    for (size_t b = level; b < next; ++b) add_halves(b);
    const int64_t boxes_of_branch = branches_[level].last - branches_[level].first;
    parallel_each(
        static_cast<int64_t>(next - level), [&](int64_t b) { arrange(branches_[level + b]); },
        std::max<int64_t>(1, kTask / boxes_of_branch));
    level = next;
  }
}

void BoxTree::add_halves(size_t branch) {
  const auto [unused, first, last, left] = branches_[branch];
  if (last - first <= kLeaf) return;
  branches_[branch].left = static_cast<int32_t>(branches_.size());
  branches_.push_back({{}, first, half_way(first, last)});
  branches_.push_back({{}, half_way(first, last), last});
}

void BoxTree::arrange(Branch& branch) {
  Box all = boxes_[order_[branch.first]];
  for (int32_t i = branch.first; i < branch.last; ++i) {
    const Box& b = boxes_[order_[i]];
    all = {std::min(all.x0, b.x0), std::min(all.y0, b.y0), std::max(all.x1, b.x1), std::max(all.y1, b.y1)};
  }
  branch.box = all;
  if (branch.left < 0) return;
  const bool along_x = int64_t{all.x1} - all.x0 > int64_t{all.y1} - all.y0;
  const auto key = [&](int32_t i) {
    const Box& b = boxes_[i];
    return std::pair{along_x ? int64_t{b.x0} + b.x1 : int64_t{b.y0} + b.y1, i};
  };
  std::nth_element(order_.begin() + branch.first, order_.begin() + half_way(branch.first, branch.last),
                   order_.begin() + branch.last, [&](int32_t a, int32_t b) { return key(a) < key(b); });
}

std::vector<int32_t> BoxTree::meeting(const Box& box) const {
  std::vector<int32_t> found;
  any_meeting(box, [&](int32_t i) {
    found.push_back(i);
    return false;
  });
  std::sort(found.begin(), found.end());
  return found;
}

int32_t BoxTree::nearest(Point place) const {
  std::pair<double, int32_t> best{std::numeric_limits<double>::infinity(), -1};
  std::vector<int32_t> open{0};
  while (!open.empty()) {
    const Branch& branch = branches_[open.back()];
    open.pop_back();
    if (distance(branch.box, place) > best.first) continue;
    if (branch.left < 0) {
      for (int32_t i = branch.first; i < branch.last; ++i)
        best = std::min(best, {distance(boxes_[order_[i]], place), order_[i]});
      continue;
    }
    const bool left_first =
        distance(branches_[branch.left].box, place) <= distance(branches_[branch.left + 1].box, place);
    open.push_back(branch.left + (left_first ? 1 : 0));
    open.push_back(branch.left + (left_first ? 0 : 1));
  }
  return best.second;
}

}  // namespace gridiron::layout
