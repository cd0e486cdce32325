// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <span>

#include "regularize/eliminate.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {

void Elimination::reduce(std::span<const double> injection, std::span<double> arrived,
                         std::span<double> reduced) const {
  parallel_each(std::ssize(kept), [&](int64_t i) { reduced[i] = injection[kept[i]]; });
  parallel_each(std::ssize(steps), [&](int64_t s) { arrived[s] = injection[steps[s].node]; });
  const auto at = [&](int32_t node) -> double& {
    const int32_t i = unknown[node];
    return i >= 0 ? reduced[i] : arrived[-1 - i];
  };
  const auto pass_on = [&](std::span<const Step> some) {
    for (const Step& step : some) {
      const double amperes = at(step.node);
      if (step.j >= 0) at(step.j) += step.weight_j * amperes;
      if (step.k >= 0) at(step.k) += step.weight_k * amperes;
    }
  };
  parallel_tasks(blocks(), [&](int64_t b) { pass_on(block(b)); });
  for (size_t r = 0; r < rounds(); ++r) {
    if (!has_several_threads()) {
      pass_on(round(r));
      continue;
    }
    for_each_neighbour(round(r), std::ssize(unknown), [&](const Step& step, int64_t end, int32_t node) {
      at(node) += step.weight(end) * at(step.node);
    });
  }
}

void Elimination::recover(std::span<const double> arrived, std::span<const double> reduced,
                          std::span<double> voltage) const {
  parallel_each(std::ssize(kept), [&](int64_t i) { voltage[kept[i]] = reduced[i]; });
  const auto recover_one = [&](const Step& step) {
    double volts = step.resistance * arrived[&step - steps.data()];
    if (step.j >= 0) volts += step.weight_j * voltage[step.j];
    if (step.k >= 0) volts += step.weight_k * voltage[step.k];
    voltage[step.node] = volts;
  };
  for (size_t r = rounds(); r-- > 0;) {
    const std::span<const Step> some = round(r);
    parallel_each(std::ssize(some), [&](int64_t s) { recover_one(some[s]); });
  }
  parallel_tasks(blocks(), [&](int64_t b) {
    const std::span<const Step> some = block(b);
    std::for_each(some.rbegin(), some.rend(), recover_one);
  });
}

}  // namespace gridiron
