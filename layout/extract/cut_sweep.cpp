// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/cut_sweep.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace gridiron::layout {

CutSweep::CutSweep(std::span<const Box> boxes, std::pmr::memory_resource* memory)
    : memory_(memory), begins_(memory), ends_(memory), crossed_(memory), open_(memory), next_(memory) {
  begins_.reserve(boxes.size());
  for (const Box& box : boxes)
    if (box.x0 < box.x1 && box.y0 < box.y1) begins_.push_back(box);
  ends_ = begins_;
  std::sort(begins_.begin(), begins_.end(), [](const Box& a, const Box& b) { return a.x0 < b.x0; });
  std::sort(ends_.begin(), ends_.end(), [](const Box& a, const Box& b) { return a.x1 < b.x1; });
}

bool CutSweep::run(Pieces& out) {
  std::pmr::vector<Box> closed(memory_);  // sorted by where they end
  closed.reserve(begins_.size());
  for (size_t b = 0, e = 0; e < ends_.size();) {
    const Dbu u = b < begins_.size() ? std::min(begins_[b].x0, ends_[e].x1) : ends_[e].x1;
    has_changed_ = false;
    for (; b < begins_.size() && begins_[b].x0 == u; ++b) begin(begins_[b]);
    for (; e < ends_.size() && ends_[e].x1 == u; ++e) end(ends_[e]);
    if (crossed_.size() > kMost) return false;
    if (has_changed_) close_and_open(u, closed);
  }
  std::pmr::vector<int32_t> by_begin(closed.size(), memory_);
  std::iota(by_begin.begin(), by_begin.end(), 0);
  std::sort(by_begin.begin(), by_begin.end(), [&](int32_t i, int32_t j) {
    return std::tie(closed[i].x0, closed[i].y0) < std::tie(closed[j].x0, closed[j].y0);
  });
  out.box.resize(closed.size());
  out.by_end.resize(closed.size());
  for (size_t i = 0; i < closed.size(); ++i) {
    out.box[i] = closed[by_begin[i]];
    out.by_end[by_begin[i]] = static_cast<int32_t>(i);
  }
  return true;
}

void CutSweep::begin(const Box& box) {
  const auto at = std::lower_bound(crossed_.begin(), crossed_.end(), std::pair{box.y0, box.y1},
                                   [](const Extent& x, std::pair<Dbu, Dbu> y) {
                                     return std::pair{x.low, x.high} < y;
                                   });
  if (at != crossed_.end() && at->low == box.y0 && at->high == box.y1) {
    ++at->boxes;
    return;
  }
  crossed_.insert(at, {box.y0, box.y1, 1});
  has_changed_ = true;
}

void CutSweep::end(const Box& box) {
  const auto at = std::find_if(crossed_.begin(), crossed_.end(),
                               [&](const Extent& x) { return x.low == box.y0 && x.high == box.y1; });
  if (--at->boxes > 0) return;
  crossed_.erase(at);
  has_changed_ = true;
}

/// What the union is from u on: pieces that it no longer has end there, others begin.
void CutSweep::close_and_open(Dbu u, std::pmr::vector<Box>& closed) {
  next_.clear();
  for (const Extent& x : crossed_) {
    if (next_.empty() || x.low > next_.back().high)
      next_.push_back({x.low, x.high, u});
    else
      next_.back().high = std::max(next_.back().high, x.high);
  }
  size_t n = 0;
  for (const Open& piece : open_) {
    while (n < next_.size() && next_[n].low < piece.low) ++n;
    if (n < next_.size() && next_[n].low == piece.low && next_[n].high == piece.high)
      next_[n].begin = piece.begin;
    else
      closed.push_back({piece.begin, piece.low, u, piece.high});
  }
  open_.swap(next_);
}

}  // namespace gridiron::layout
