// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/tran_card.hpp"

#include <algorithm>

#include "netlist/grammar/card.hpp"
#include "netlist/grammar/primitives.hpp"
#include "netlist/values/settings.hpp"

namespace gridiron {

void require_no_sweep(const char* at, const char* end) {
  const char* behind = at;
  grammar::skip_card(behind, end);
  grammar::x3::unused_type unused;
  for (ast::Text word; at != behind;) {
    grammar::between_tokens().parse(at, behind, unused, unused, unused);
    if (!grammar::word::read(at, behind, word)) {
      at += at != behind;
    } else if (same_name(word, "sweep")) {
      throw CardError{word.data(),
                      ".tran with a sweep is not supported: it asks for several runs; write a deck for each"};
    }
  }
}

std::string tran_fault(std::span<const double> times) {
  if (times.size() == 1 && times[0] > 0) return {};
  if (times.size() < 2 || times.size() > 4 || !(times[0] >= 0) || !(times[1] > 0))
    return "expected '.tran STEP STOP [START [LARGEST STEP]]' or '.tran STOP' with positive times; a STEP of 0 is none";
  const double start = times.size() > 2 ? times[2] : 0, largest = times.size() > 3 ? times[3] : 0;
  if (!(start >= 0 && start < times[1]))
    return "the third number of .tran is when results begin: 0 or later, and before the stop";
  if (!(largest >= 0)) return "the fourth number of .tran is the largest step, and above 0";
  return {};
}

std::array<double, 4> tran_times(std::span<const double> times) {
  std::array<double, 4> all{};
  std::ranges::copy(times, times.size() == 1 ? all.begin() + 1 : all.begin());
  if (all[0] == 0) all[0] = all[3];
  return all;
}

}  // namespace gridiron
