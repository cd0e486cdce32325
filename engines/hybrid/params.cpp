// SPDX-License-Identifier: Apache-2.0
#include "engines/hybrid/params.hpp"

#include <fmt/format.h>

#include "engines/params.hpp"
#include "support/error.hpp"

namespace gridiron {

void HybridParams::check(std::string_view engine) const {
  require_choice(engine, "plane", plane, {"auto", "single", "layered"});
  require_choice(engine, "cycle", cycle, {"cg", "stationary"});
  if (!(grid_scale >= 0.01 && grid_scale <= 100))
    throw InputError(fmt::format("{}: grid_scale={} must be between 0.01 and 100", engine, grid_scale));
  if (degree < 1) throw InputError(fmt::format("{}: degree={} must be at least 1", engine, degree));
  if (line_length < 1 || line_length > kLongestLine)
    throw InputError(fmt::format("{}: line_length={} must be between 1 and {}", engine, line_length, kLongestLine));
}

}  // namespace gridiron
