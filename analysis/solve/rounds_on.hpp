// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/solve/elimination_rounds.hpp"
#include "device/device.hpp"

namespace gridiron {

/// f(item, j) for every item in [0, n) and column j < k.
template <class D, class F>
void for_each_in_columns(int64_t n, int64_t k, F f) {
  if (k == 1)
    D::for_each(
        n, GRIDIRON_KERNEL(int64_t i) { f(i, 0); });
  else
    D::for_each(
        n * k, GRIDIRON_KERNEL(int64_t i) { f(i % n, i / n); });
}

/// Rounds of items, each of which needs those before: [first[r], first[r + 1]). Several small ones are one kernel.
template <class D>
struct RoundsOn {
  std::vector<int64_t> first;
  Array<D, int64_t> first_on_device;

  RoundsOn() = default;
  explicit RoundsOn(const std::vector<int64_t>& firsts) : first(firsts), first_on_device(firsts) {}
  int64_t size() const { return first.empty() ? 0 : std::ssize(first) - 1; }

  /// f(item, j), round after round.
  template <class F>
  void run(int64_t k, F f) const {
    constexpr int64_t kSmall = 512;
    const auto is_small = [&](int64_t r) { return (first[r + 1] - first[r]) <= kSmall; };
    for (int64_t r = 0; r < size();) {
      const int64_t begin = first[r];
      if (!is_small(r)) {
        for_each_in_columns<D>(
            first[r + 1] - begin, k, GRIDIRON_KERNEL(int64_t i, int64_t j) { f(begin + i, j); });
        ++r;
        continue;
      }
      const int64_t from = r;
      while (r < size() && is_small(r)) ++r;
      const int64_t to = r;
      const View<D, const int64_t> of_round = first_on_device.view();
      D::for_each_tile(
          k, kSmall, 0, GRIDIRON_KERNEL(typename D::Tile & tile) {
            const int64_t j = tile.index();
            for (int64_t round = from; round < to; ++round)
              tile.each(of_round[round + 1] - of_round[round], [&](int64_t i) { f(of_round[round] + i, j); });
          });
    }
  }
};

/// SumRounds on device D.
template <class D>
struct SumsOn {
  RoundsOn<D> rounds;
  Array<D, int32_t> receiver;
  Array<D, int64_t> first_term;
  Array<D, SumRounds::Term> term;

  SumsOn() = default;
  explicit SumsOn(const SumRounds& from)
      : rounds(from.first_of_round), receiver(from.receiver), first_term(from.first_term), term(from.term) {}

  /// Forms the sums within every one of the k columns of `numbers`.
  void pass_on(View<D, double> numbers, int64_t k) const {
    const int64_t n = numbers.size() / k;
    const View<D, const int32_t> to = receiver.view();
    const View<D, const int64_t> begin = first_term.view();
    const View<D, const SumRounds::Term> terms = term.view();
    rounds.run(
        k, GRIDIRON_KERNEL(int64_t r, int64_t j) {
          double sum = numbers[j * n + to[r]];
          for (int64_t g = begin[r]; g < begin[r + 1]; ++g) sum += terms[g].weight * numbers[j * n + terms[g].from];
          numbers[j * n + to[r]] = sum;
        });
  }
};

}  // namespace gridiron
