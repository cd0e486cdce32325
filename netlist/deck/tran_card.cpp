// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/tran_card.hpp"

namespace gridiron {

std::string tran_fault(std::span<const double> times) {
  if (times.size() < 2 || times.size() > 4 || !(times[0] > 0) || !(times[1] > 0))
    return "expected '.tran STEP STOP [START [LARGEST STEP]]' with two positive times";
  const double start = times.size() > 2 ? times[2] : 0, largest = times.size() > 3 ? times[3] : 0;
  if (!(start >= 0 && start < times[1]))
    return "the third number of .tran is when results begin: 0 or later, and before the stop";
  if (!(largest >= 0)) return "the fourth number of .tran is the largest step, and above 0";
  return {};
}

}  // namespace gridiron
