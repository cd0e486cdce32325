// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "analysis/model/finding.hpp"
#include "analysis/model/statistics.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/results/segments.hpp"

namespace gridiron {

/// The segments at a place and what rules make of them; ranges of threads have parts of it.
struct EmAtPlace {
  int64_t segments = 0, violated = 0, undecided = 0, unknown = 0;
  int64_t unruled = 0;  ///< no rule is on their layer
  int64_t shorts = 0;   ///< of those not known, without a resistance
  int64_t first_unknown = -1;
  Largest ratio;                      ///< with its resistor
  double at_most = 0, certified = 0;  ///< the largest that ratios may be, with errors in time and without

  void take(const EmAtPlace& other) {
    segments += other.segments, violated += other.violated, undecided += other.undecided, unknown += other.unknown;
    unruled += other.unruled, shorts += other.shorts;
    if (first_unknown < 0) first_unknown = other.first_unknown;
    ratio.take(other.ratio);
    at_most = std::max(at_most, other.at_most), certified = std::max(certified, other.certified);
  }
};
using EmAtPlaces = std::map<SegmentPlace, EmAtPlace>;

/// Tells what is judged by no rule, or not known.
void append_em_findings(const IrReport& report, const EmAtPlaces& places, std::vector<Finding>& findings);

}  // namespace gridiron
