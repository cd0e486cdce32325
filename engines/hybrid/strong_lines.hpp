// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "linalg/csr_on.hpp"

namespace gridiron {

/// A coupling of an unknown to a neighbour, as that unknown proposes it; kNone: none.
struct Proposal {
  static constexpr int32_t kNone = -1;
  float strength = 0;
  int32_t to = kNone;
};

/// The priority of a coupling between unknowns low < high, the same from both ends. Among equally strong couplings
/// those between close numbers come first, so that a uniform mesh is divided into rows; remaining ties are broken by a
/// hash, so that equals do not all wait for the first of them.
struct CouplingPriority {
  float strength = 0;
  int32_t low = Proposal::kNone, high = Proposal::kNone;

  CouplingPriority() = default;
  GRIDIRON_HOST_DEVICE CouplingPriority(int32_t from, const Proposal& proposal)
      : strength(proposal.strength),
        low(from < proposal.to ? from : proposal.to),
        high(from < proposal.to ? proposal.to : from) {}

  GRIDIRON_HOST_DEVICE bool beats(const CouplingPriority& rival) const {
    if (strength != rival.strength) return strength > rival.strength;
    if (low < 0 || rival.low < 0) return low >= 0;
    if (high - low != rival.high - rival.low) return high - low < rival.high - rival.low;
    if (scattered(low) != scattered(rival.low)) return scattered(low) < scattered(rival.low);
    return high < rival.high;
  }
  GRIDIRON_HOST_DEVICE static uint32_t scattered(int32_t i) {
    const uint32_t h = static_cast<uint32_t>(i) * 0x9e3779b9u;
    return (h ^ (h >> 15)) * 0x85ebca6bu;
  }
};

/// An unknown on a path, by what kernels ask of it together: neighbours and ends are visited in no order.
struct alignas(16) PathNode {
  static constexpr int32_t kNone = -1;
  int32_t first = kNone, second = kNone;  ///< its neighbours; `second` only where there is a first
  int32_t other_end, length;              ///< of ends: the other one, and how many unknowns the path has

  GRIDIRON_HOST_DEVICE bool is_end() const { return second == kNone; }
  GRIDIRON_HOST_DEVICE void add_neighbour(int32_t i) { (first == kNone ? first : second) = i; }
};

/// Disjoint paths through the graph of a matrix along its strongest couplings, by a_ij² / (a_ii a_jj): straps of a
/// power grid, stacks of vias, or both in turn, whichever coupling is strongest. An unknown that joins no other path is
/// a line by itself.
///
/// All paths begin as single unknowns. In each round a path chooses the strongest coupling that leads from one of its
/// ends to an end of another path, unless the two would exceed `longest` unknowns together; two that choose each other
/// become one. Linear time; independent of the order of threads.
template <class D>
class StrongLines {
 public:
  StrongLines(const CsrOn<D>& matrix, int longest)
      : longest_(longest),
        inverse_diagonal_(matrix.view().rows),
        proposal_(matrix.view().rows),
        nodes_(matrix.view().rows),
        growing_(matrix.view().rows),
        still_growing_(matrix.view().rows) {
    begin(matrix);
    int64_t ends = nodes_.size();
    for (int round = 0; round < kRounds && ends > 0; ++round) {
      propose(matrix, ends);
      join(ends);
      ends = keep_growing(ends);
    }
  }

  View<D, const PathNode> nodes() const { return nodes_.view(); }
  int longest() const { return longest_; }

  // Public, as nvcc takes no kernels from constructors and private functions.

  void begin(const CsrOn<D>& matrix) {
    const CsrView<D> a = matrix.view();
    const auto inverse_diagonal = inverse_diagonal_.view();
    const auto proposal = proposal_.view();
    const auto node = nodes_.view();
    const auto growing = growing_.view();
    D::for_each(
        a.rows, GRIDIRON_KERNEL(int64_t i) {
          double own = 0;
          for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
            if (a.col[k] == i) own = a.value[k];
          inverse_diagonal[i] = own > 0 ? 1 / own : 0;
          const int32_t itself = i;
          growing[i] = itself;
          node[i] = PathNode{.other_end = itself, .length = 1};
          proposal[i] = Proposal();
        });
  }

  /// Each of the growing `ends` finds its strongest admissible coupling.
  void propose(const CsrOn<D>& matrix, int64_t ends) {
    const CsrView<D> a = matrix.view();
    const View<D, const double> inverse_diagonal = inverse_diagonal_.view();
    const View<D, const PathNode> node = nodes();
    const View<D, const int32_t> growing = growing_.view();
    const auto proposal = proposal_.view();
    const int32_t longest = longest_;
    D::for_each(
        ends, GRIDIRON_KERNEL(int64_t k) {
          const int32_t i = growing[k];
          const PathNode own = node[i];
          const auto may_join = [&](int32_t j) {
            const PathNode other = node[j];
            return other.is_end() && own.other_end != j && own.length + other.length <= longest;
          };
          // Inadmissible couplings stay inadmissible, so the best of the last round remains the best while it is
          // admissible.
          const int32_t last = proposal[i].to;
          if (last != Proposal::kNone && may_join(last)) return;
          Proposal best;
          for (int64_t e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e) {
            const int32_t j = a.col[e];
            if (j == i || !(a.value[e] < 0) || !may_join(j)) continue;
            const double strength = a.value[e] * a.value[e] * (inverse_diagonal[i] * inverse_diagonal[j]);
            const Proposal next{static_cast<float>(strength), j};
            if (CouplingPriority(i, next).beats(CouplingPriority(i, best))) best = next;
          }
          proposal[i] = best;
        });
  }

  void join(int64_t ends) {
    const View<D, const Proposal> proposal = proposal_.view();
    const View<D, const int32_t> growing = growing_.view();
    const auto node = nodes_.view();
    const auto partner = still_growing_.view();
    // The partner chosen by the path that ends here, if it is a neighbour of this end.
    D::for_each(
        ends, GRIDIRON_KERNEL(int64_t k) {
          const int32_t i = growing[k], end = node[i].other_end;
          const Proposal mine = proposal[i];
          const bool is_chosen =
              mine.to != Proposal::kNone && !CouplingPriority(end, proposal[end]).beats(CouplingPriority(i, mine));
          partner[i] = is_chosen ? mine.to : Proposal::kNone;
        });
    D::for_each(
        ends, GRIDIRON_KERNEL(int64_t k) {
          const int32_t i = growing[k], j = partner[i];
          if (j < i || partner[j] != i) return;  // each pair once, from its lower number; kNone is below all
          node[i].add_neighbour(j);
          node[j].add_neighbour(i);
          const int32_t a = node[i].other_end, b = node[j].other_end, both = node[i].length + node[j].length;
          node[a].other_end = b;
          node[b].other_end = a;
          node[a].length = node[b].length = both;
        });
  }

  /// Drops ends that now have two neighbours or no candidate left, which is final; returns how many remain.
  int64_t keep_growing(int64_t ends) {
    const View<D, const PathNode> node = nodes();
    const View<D, const int32_t> growing = growing_.view();
    const View<D, const Proposal> proposal = proposal_.view();
    const auto left = still_growing_.view();
    Array<D, int32_t> keep_array(ends), place_array(ends + 1);
    const auto keep = keep_array.view(), place = place_array.view();
    D::for_each(
        ends, GRIDIRON_KERNEL(int64_t k) {
          keep[k] = node[growing[k]].is_end() && proposal[growing[k]].to != Proposal::kNone;
        });
    const int64_t count = D::exclusive_scan(keep, place);
    D::for_each(
        ends, GRIDIRON_KERNEL(int64_t k) {
          if (keep[k]) left[place[k]] = growing[k];
        });
    std::swap(growing_, still_growing_);
    return count;
  }

 private:
  /// Paths at most double in length per round.
  static constexpr int kRounds = 20;

  int32_t longest_;
  Array<D, double> inverse_diagonal_;
  Array<D, Proposal> proposal_;  ///< of ends
  Array<D, PathNode> nodes_;
  Array<D, int32_t> growing_, still_growing_;  ///< ends that may still join and have a candidate
};

}  // namespace gridiron
