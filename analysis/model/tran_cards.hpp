// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/model/design.hpp"

namespace gridiron {

/// What is odd about a deck as a simulation in time, which can be told before one: .tran and .print cards that are not
/// carried out, initial conditions without `uic`, and supplies that start at another voltage than they have later or
/// by their DC value.
std::vector<Finding> check_tran_cards(const Design& design);

}  // namespace gridiron
