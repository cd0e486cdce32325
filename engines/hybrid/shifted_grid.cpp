// SPDX-License-Identifier: Apache-2.0
#include "engines/hybrid/shifted_grid.hpp"

#include <memory>
#include <utility>

namespace gridiron {

PowerGrid with_shifts(const PowerGrid& grid, const WeakParts& parts) {
  auto shifted = std::make_shared<MergedNetwork>(*grid.network);
  for (int32_t i = 0; i < shifted->nodes; ++i)
    if (parts.of_unknown[i] >= 0) shifted->pad[i] += parts.shift[parts.of_unknown[i]];
  return {std::move(shifted), grid.geometry};
}

}  // namespace gridiron
