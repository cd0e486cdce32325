// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/batch.hpp"

#include <algorithm>
#include <span>

#include "analysis/solve/injection_rest.hpp"
#include "support/freed_memory.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {

Batch Workspace::batch(const System& system, const Loads& loads, int64_t first, int64_t columns, bool has_rest) {
  const int64_t nodes = system.network().nodes;
  make_room_in_parallel(injection, nodes * columns);
  resize_untouched(voltage, nodes * columns);
  parallel_tasks(
      columns, [&](int64_t v) { system.injection(loads, first + v, std::span(injection).subspan(v * nodes, nodes)); });
  Batch batch{{injection.data(), nodes, columns}, {voltage.data(), nodes, columns}, true, first, loads.vectors()};
  if (!has_rest) return batch;
  injection_rest.resize(nodes * columns);
  injection_undecided.resize(nodes * columns);
  parallel_tasks(columns, [&](int64_t v) {
    const auto column = [&](std::vector<double>& block) { return std::span(block).subspan(v * nodes, nodes); };
    find_injection_rest(system, loads, first + v, batch.injection.column(v), column(injection_rest),
                        column(injection_undecided));
  });
  batch.injection_rest = {injection_rest.data(), nodes, columns};
  batch.injection_undecided = {injection_undecided.data(), nodes, columns};
  return batch;
}

int64_t Workspace::bytes() const {
  size_t numbers = 0;
  for (const auto* array :
       {&injection, &voltage, &injection_rest, &injection_undecided, &scratch.arrived, &scratch.b, &scratch.x})
    numbers += array->capacity();
  return static_cast<int64_t>(numbers * sizeof(double));
}

void Workspace::release() {
  free_memory(injection, voltage, injection_rest, injection_undecided, scratch.arrived, scratch.b, scratch.x);
}

int64_t columns_of_batch(int64_t nodes) {
  constexpr int64_t kEntries = 1 << 24;
  return std::clamp<int64_t>(kEntries / std::max<int64_t>(nodes, 1), 1, 32);
}

}  // namespace gridiron
