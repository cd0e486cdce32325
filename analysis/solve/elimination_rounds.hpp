// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regularize/eliminate.hpp"

namespace gridiron {

/// Weighted sums of numbers, each of which may depend on others, in rounds of independent ones (level scheduling, as of
/// a sparse triangular matrix), for devices that form many sums at once. A sum has its terms in the given order, so
/// that it has the same bits as if they were added one by one.
struct SumRounds {
  struct Term {
    int32_t from;
    double weight;
  };
  struct Contribution {
    int32_t from, to;  ///< number `from` is added to number `to`, `weight` times; `to` < 0: to none
    double weight;
  };
  SumRounds() = default;
  /// Contributions of a number come after those to it.
  SumRounds(int64_t numbers, std::span<const Contribution> contributions);
  /// The same where it is known after which round each number is complete: a later one than those that it depends on;
  /// 0 if it depends on none.
  SumRounds(std::span<const Contribution> contributions, std::span<const int32_t> complete);

  std::vector<int64_t> first_of_round;  ///< of every round and the end, into receiver
  std::vector<int32_t> receiver;        ///< the numbers that are sums
  std::vector<int64_t> first_term;      ///< of every receiver and the end
  std::vector<Term> term;
};

/// The two passes of an elimination, down to the unknowns and back up, in rounds of independent steps.
struct EliminationRounds {
  explicit EliminationRounds(const Elimination& elimination);

  SumRounds down;                    ///< the currents that arrive, as in Elimination::reduce()
  std::vector<int64_t> first_of_up;  ///< of every round of recovery and the end, into steps
  std::vector<Elimination::Step> steps;
};

}  // namespace gridiron
