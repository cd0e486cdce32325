// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regularize/eliminate.hpp"

namespace gridiron {

/// What numbers pass on to others, `weight` times, as rounds of independent ones, for devices that work on many at
/// once. A number gets all in the given order, so that sums have the same bits as if all were passed on one by one.
struct TransferRounds {
  struct Term {
    std::int32_t from;
    double weight;
  };
  struct Transfer {
    std::int32_t from, to;  ///< `to` < 0: to nobody
    double weight;
  };
  TransferRounds() = default;
  /// None passes on before it has got all.
  TransferRounds(std::int64_t numbers, std::span<const Transfer> transfers);
  /// The same where it is known by which round a number has got all: after those that pass on to it; 0: it gets
  /// nothing.
  TransferRounds(std::span<const Transfer> transfers, std::span<const std::int32_t> complete);

  std::vector<std::int64_t> first_of_round;  ///< of every round and the end, into receiver
  std::vector<std::int32_t> receiver;        ///< the numbers that get something
  std::vector<std::int64_t> first_term;      ///< of every receiver and the end
  std::vector<Term> term;
};

/// An elimination as such rounds, listed on all threads.
struct EliminationRounds {
  explicit EliminationRounds(const Elimination& elimination);

  TransferRounds down;                    ///< what arrives, as in Elimination::reduce()
  std::vector<std::int64_t> first_of_up;  ///< of every round of recovery and the end, into steps
  std::vector<Elimination::Step> steps;
};

}  // namespace gridiron
