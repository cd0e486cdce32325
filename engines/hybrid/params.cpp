// SPDX-License-Identifier: Apache-2.0
#include "engines/hybrid/params.hpp"

#include "engines/params.hpp"

namespace gridiron {

void HybridParams::check(std::string_view engine) const {
  require_choice(engine, "plane", plane, {"auto", "single", "layered"});
  require_choice(engine, "cycle", cycle, {"cg", "stationary"});
  require_choice(engine, "hybrid", hybrid, {"device", "paper"});
  require_choice(engine, "stars", stars, {"contract", "keep"});
  require_range(engine, "grid_scale", grid_scale, 0.01, 100);
  require_range(engine, "degree", degree, 1, 50);
  require_range(engine, "line_length", line_length, 1, kLongestLine);
}

}  // namespace gridiron
