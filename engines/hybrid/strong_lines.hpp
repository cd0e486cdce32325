// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "engines/hybrid/csr_on.hpp"

namespace gridiron {

/// The priority of a coupling between unknowns low < high, the same from both ends. Among equally strong couplings
/// those between close numbers come first, so that a uniform mesh is divided into rows; remaining ties are broken by a
/// hash, so that equals do not all wait for the first of them.
struct Proposal {
  double strength = 0;
  std::int32_t low = -1, high = -1;

  GRIDIRON_HOST_DEVICE bool beats(const Proposal& rival) const {
    if (strength != rival.strength) return strength > rival.strength;
    if (low < 0 || rival.low < 0) return low >= 0;
    if (high - low != rival.high - rival.low) return high - low < rival.high - rival.low;
    if (scattered(low) != scattered(rival.low)) return scattered(low) < scattered(rival.low);
    return high < rival.high;
  }
  GRIDIRON_HOST_DEVICE std::int32_t other(std::int32_t end) const { return low == end ? high : low; }
  GRIDIRON_HOST_DEVICE static std::uint32_t scattered(std::int32_t i) {
    const std::uint32_t h = static_cast<std::uint32_t>(i) * 0x9e3779b9u;
    return (h ^ (h >> 15)) * 0x85ebca6bu;
  }
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
  static constexpr std::int32_t kNone = -1;

  StrongLines(const CsrOn<D>& matrix, int longest)
      : longest_(longest), inverse_diagonal_(matrix.view().rows), proposal_(matrix.view().rows) {
    const std::int64_t n = matrix.view().rows;
    for (Array<D, std::int32_t>* a : {&first_, &second_, &other_end_, &length_, &growing_, &still_growing_})
      *a = Array<D, std::int32_t>(n);
    begin(matrix);
    std::int64_t ends = n;
    for (int round = 0; round < kRounds && ends > 0; ++round) {
      propose(matrix, ends);
      join(ends);
      ends = keep_growing(ends);
    }
  }

  /// Neighbours on the path, kNone where there is none; `second` only where there is a first.
  View<D, const std::int32_t> first() const { return first_.view(); }
  View<D, const std::int32_t> second() const { return second_.view(); }
  /// For the ends of a path: the other one, and how many unknowns there are.
  View<D, const std::int32_t> other_end() const { return other_end_.view(); }
  View<D, const std::int32_t> length() const { return length_.view(); }
  int longest() const { return longest_; }

  // Public, as nvcc takes no kernels from constructors and private functions.

  void begin(const CsrOn<D>& matrix) {
    const CsrView<D> a = matrix.view();
    const View<D, double> inverse_diagonal = inverse_diagonal_.view();
    const View<D, Proposal> proposal = proposal_.view();
    const View<D, std::int32_t> first = first_.view(), second = second_.view(), other_end = other_end_.view(),
                                length = length_.view(), growing = growing_.view();
    D::for_each(
        a.rows, GRIDIRON_KERNEL(std::int64_t i) {
          double own = 0;
          for (std::int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
            if (a.col[k] == i) own = a.value[k];
          inverse_diagonal[i] = own > 0 ? 1 / own : 0;
          first[i] = second[i] = kNone;
          other_end[i] = growing[i] = static_cast<std::int32_t>(i);
          length[i] = 1;
          proposal[i] = Proposal();
        });
  }

  /// Each of the growing `ends` finds its strongest admissible coupling.
  void propose(const CsrOn<D>& matrix, std::int64_t ends) {
    const CsrView<D> a = matrix.view();
    const View<D, const double> inverse_diagonal = std::as_const(inverse_diagonal_).view();
    const View<D, const std::int32_t> second = this->second(), other_end = this->other_end(), length = this->length(),
                                      growing = std::as_const(growing_).view();
    const View<D, Proposal> proposal = proposal_.view();
    const std::int32_t longest = longest_;
    D::for_each(
        ends, GRIDIRON_KERNEL(std::int64_t k) {
          const std::int32_t i = growing[k];
          const auto may_join = [&](std::int32_t j) {
            return second[j] == kNone && other_end[i] != j && length[i] + length[j] <= longest;
          };
          // Inadmissible couplings stay inadmissible, so the best of the last round remains the best while it is
          // admissible.
          if (proposal[i].low >= 0 && may_join(proposal[i].other(i))) return;
          Proposal best;
          for (std::int64_t e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e) {
            const std::int32_t j = a.col[e];
            if (j == i || !(a.value[e] < 0) || !may_join(j)) continue;
            const double strength = a.value[e] * a.value[e] * (inverse_diagonal[i] * inverse_diagonal[j]);
            const Proposal next{strength, i < j ? i : j, i < j ? j : i};
            if (next.beats(best)) best = next;
          }
          proposal[i] = best;
        });
  }

  void join(std::int64_t ends) {
    const View<D, const Proposal> proposal = std::as_const(proposal_).view();
    const View<D, const std::int32_t> growing = std::as_const(growing_).view();
    const View<D, std::int32_t> first = first_.view(), second = second_.view(), other_end = other_end_.view(),
                                length = length_.view(), partner = still_growing_.view();
    // The partner chosen by the path that ends here, if it is a neighbour of this end.
    D::for_each(
        ends, GRIDIRON_KERNEL(std::int64_t k) {
          const std::int32_t i = growing[k];
          const Proposal mine = proposal[i];
          const bool chosen = mine.low >= 0 && !proposal[other_end[i]].beats(mine);
          partner[i] = chosen ? mine.other(i) : kNone;
        });
    D::for_each(
        ends, GRIDIRON_KERNEL(std::int64_t k) {
          const std::int32_t i = growing[k], j = partner[i];
          if (j < i || partner[j] != i) return;  // each pair once, from its lower number; kNone is below all
          (first[i] == kNone ? first : second)[i] = j;
          (first[j] == kNone ? first : second)[j] = i;
          const std::int32_t a = other_end[i], b = other_end[j], both = length[i] + length[j];
          other_end[a] = b;
          other_end[b] = a;
          length[a] = length[b] = both;
        });
  }

  /// Drops ends that now have two neighbours or no candidate left, which is final; returns how many remain.
  std::int64_t keep_growing(std::int64_t ends) {
    const View<D, const std::int32_t> second = this->second(), growing = std::as_const(growing_).view();
    const View<D, const Proposal> proposal = std::as_const(proposal_).view();
    const View<D, std::int32_t> left = still_growing_.view();
    Array<D, std::int32_t> keep_array(ends), place_array(ends + 1);
    const View<D, std::int32_t> keep = keep_array.view(), place = place_array.view();
    D::for_each(
        ends,
        GRIDIRON_KERNEL(std::int64_t k) { keep[k] = second[growing[k]] == kNone && proposal[growing[k]].low >= 0; });
    const std::int64_t count =
        D::template exclusive_scan<std::int32_t, std::int32_t>(View<D, const std::int32_t>(keep), place);
    D::for_each(
        ends, GRIDIRON_KERNEL(std::int64_t k) {
          if (keep[k]) left[place[k]] = growing[k];
        });
    std::swap(growing_, still_growing_);
    return count;
  }

 private:
  /// Paths at most double in length per round.
  static constexpr int kRounds = 20;

  std::int32_t longest_;
  Array<D, double> inverse_diagonal_;
  Array<D, Proposal> proposal_;  ///< of ends
  Array<D, std::int32_t> first_, second_, other_end_, length_;
  Array<D, std::int32_t> growing_, still_growing_;  ///< ends that may still join and have a candidate
};

}  // namespace gridiron
