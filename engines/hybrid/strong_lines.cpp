// SPDX-License-Identifier: Apache-2.0
#include "engines/hybrid/strong_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr int kRounds = 12;
constexpr std::int32_t kNone = -1;

using Pair = std::array<std::int32_t, 2>;

bool is_full(const Pair& p) { return p[1] != kNone; }
bool has(const Pair& p, std::int32_t i) { return p[0] == i || p[1] == i; }

std::uint32_t scattered(std::int32_t i) {
  const std::uint32_t h = static_cast<std::uint32_t>(i) * 0x9e3779b9u;
  return (h ^ (h >> 15)) * 0x85ebca6bu;
}

/// How much an edge is wanted. The order is the same seen from both ends: of equal couplings the one between close
/// numbers comes first, so that a uniform mesh falls into rows, then chance decides, so that equals do not all wait for
/// the first of them.
struct Wish {
  double strength = 0;
  std::int32_t other = kNone;

  bool beats(const Wish& rival, std::int32_t self) const {
    if (rival.other == kNone || strength != rival.strength) return strength > rival.strength;
    const std::int32_t near = std::abs(self - other), far = std::abs(self - rival.other);
    return near != far ? near < far : scattered(std::min(self, other)) < scattered(std::min(self, rival.other));
  }
};

/// Paths that grow at their ends. A node without a path is one of length 1 with both ends free.
class Paths {
 public:
  Paths(const CsrMatrix& a, int longest)
      : a_(a),
        longest_(longest),
        inverse_diagonal_(a.rows),
        partners_(a.rows),
        wanted_(a.rows),
        other_end_(a.rows),
        length_(a.rows, 1),
        growing_(a.rows) {
    parallel_ranges(a.rows, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        partners_[i] = {kNone, kNone};
        other_end_[i] = growing_[i] = static_cast<std::int32_t>(i);
        for (std::int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
          if (a.col[k] == i) inverse_diagonal_[i] = 1 / a.value[k];
      }
    });
  }

  void grow() {
    for (int round = 0; round < kRounds && !growing_.empty(); ++round) {
      parallel_ranges(static_cast<std::int64_t>(growing_.size()), [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t k = first; k < last; ++k) propose(growing_[k]);
      });
      for (const std::int32_t i : growing_)
        for (const std::int32_t j : wanted_[i])
          if (j > i && has(wanted_[j], i) && may_join(i, j)) join(i, j);
      std::erase_if(growing_, [&](std::int32_t i) { return is_full(partners_[i]) || wanted_[i][0] == kNone; });
    }
  }

  StrongLines lines() const {
    StrongLines lines;
    lines.order.reserve(partners_.size());
    lines.begin.push_back(0);
    for (std::int32_t i = 0; i < a_.rows; ++i) {
      if (is_full(partners_[i]) || other_end_[i] < i) continue;  // each path once, from its lower end
      for (std::int32_t before = kNone, at = i; at != kNone;) {
        lines.order.push_back(at);
        const Pair& p = partners_[at];
        const std::int32_t next = p[0] != before ? p[0] : p[1];
        before = std::exchange(at, next);
      }
      lines.begin.push_back(static_cast<std::int64_t>(lines.order.size()));
    }
    return lines;
  }

 private:
  /// Both are ends of paths: these are different ones, and short enough together.
  bool may_join(std::int32_t i, std::int32_t j) const {
    return !is_full(partners_[i]) && !is_full(partners_[j]) && other_end_[i] != j &&
           length_[i] + length_[j] <= longest_;
  }

  void propose(std::int32_t i) {
    Wish best, second;
    for (std::int64_t k = a_.row_ptr[i]; k < a_.row_ptr[i + 1]; ++k) {
      const std::int32_t j = a_.col[k];
      if (j == i || a_.value[k] >= 0 || !may_join(i, j)) continue;
      Wish wish{a_.value[k] * a_.value[k] * (inverse_diagonal_[i] * inverse_diagonal_[j]), j};
      if (wish.beats(best, i)) std::swap(wish, best);
      if (wish.other != kNone && wish.beats(second, i)) second = wish;
    }
    wanted_[i] = {best.other, partners_[i][0] == kNone ? second.other : kNone};
  }

  void join(std::int32_t i, std::int32_t j) {
    partners_[i][partners_[i][0] == kNone ? 0 : 1] = j;
    partners_[j][partners_[j][0] == kNone ? 0 : 1] = i;
    const std::int32_t first = other_end_[i], last = other_end_[j];
    other_end_[first] = last;
    other_end_[last] = first;
    length_[first] = length_[last] = length_[i] + length_[j];
  }

  const CsrMatrix& a_;
  const int longest_;
  std::vector<double> inverse_diagonal_;
  std::vector<Pair> partners_, wanted_;
  std::vector<std::int32_t> other_end_, length_;  ///< of the path, valid at its ends
  std::vector<std::int32_t> growing_;             ///< nodes with a free end and somebody to ask
};

}  // namespace

StrongLines find_strong_lines(const CsrMatrix& a, int longest) {
  Paths paths(a, longest);
  paths.grow();
  return paths.lines();
}

}  // namespace gridiron
