// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/batch.hpp"

#include <algorithm>
#include <span>

#include "support/freed_memory.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {

Batch Workspace::batch(const System& system, const Loads& loads, std::int64_t first, std::int64_t columns) {
  const std::int64_t nodes = system.network().nodes;
  make_room_in_parallel(injection, nodes * columns);
  resize_untouched(voltage, nodes * columns);
  parallel_tasks(columns, [&](std::int64_t v) {
    system.injection(loads, first + v, std::span(injection).subspan(v * nodes, nodes));
  });
  return {{injection.data(), nodes, columns}, {voltage.data(), nodes, columns}, true, first, loads.vectors()};
}

std::int64_t Workspace::bytes() const {
  std::size_t numbers = 0;
  for (const auto* array : {&injection, &voltage, &scratch.arrived, &scratch.b, &scratch.x})
    numbers += array->capacity();
  return static_cast<std::int64_t>(numbers * sizeof(double));
}

void Workspace::release() { free_memory(injection, voltage, scratch.arrived, scratch.b, scratch.x); }

std::int64_t columns_of_batch(std::int64_t nodes) {
  constexpr std::int64_t kEntries = 1 << 24;
  return std::clamp<std::int64_t>(kEntries / std::max<std::int64_t>(nodes, 1), 1, 32);
}

}  // namespace gridiron
