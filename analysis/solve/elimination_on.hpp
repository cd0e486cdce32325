// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/solve/rounds_on.hpp"

namespace gridiron {

/// An elimination on device D, for blocks of columns.
template <class D>
struct EliminationOn {
  SumsOn<D> down;
  RoundsOn<D> up;
  Array<D, Elimination::Step> steps;
  Array<D, int32_t> kept;  ///< as in Elimination

  explicit EliminationOn(const Elimination& elimination) : kept(elimination.kept) {
    const EliminationRounds rounds(elimination);
    down = SumsOn<D>(rounds.down);
    up = RoundsOn<D>(rounds.first_of_up);
    steps = Array<D, Elimination::Step>(rounds.steps);
  }

  int64_t unknowns() const { return kept.size(); }

  /// As Elimination::reduce(): to `current`, A, merged nodes × k, is added what eliminated nodes pass on.
  void pass_on(View<D, double> current, int64_t k) const { down.pass_on(current, k); }

  /// As Elimination::recover(): voltages of the merged network, V, nodes × k, from unknowns × k and what arrived.
  void recover(View<D, const double> arrived, View<D, const double> solved, View<D, double> voltage, int64_t k) const {
    const int64_t n = voltage.size() / k, of_unknowns = unknowns();
    const View<D, const int32_t> of = kept.view();
    for_each_in_columns<D>(
        of_unknowns, k,
        GRIDIRON_KERNEL(int64_t u, int64_t j) { voltage[j * n + of[u]] = solved[j * of_unknowns + u]; });
    const View<D, const Elimination::Step> all = steps.view();
    up.run(
        k, GRIDIRON_KERNEL(int64_t s, int64_t j) {
          const Elimination::Step step = all[s];
          double value = step.resistance * arrived[j * n + step.node];
          if (step.j >= 0) value += step.weight_j * voltage[j * n + step.j];
          if (step.k >= 0) value += step.weight_k * voltage[j * n + step.k];
          voltage[j * n + step.node] = value;
        });
  }

  int64_t bytes() const {
    return steps.bytes() + kept.bytes() + up.first_on_device.bytes() + down.rounds.first_on_device.bytes() +
           down.receiver.bytes() + down.first_term.bytes() + down.term.bytes();
  }
};

}  // namespace gridiron
