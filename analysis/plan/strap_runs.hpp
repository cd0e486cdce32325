// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/plan/means.hpp"
#include "analysis/plan/new_straps.hpp"

namespace gridiron {

/// Sets of new straps that may be there together: none conflict, and those of a net on a layer are a run, whose
/// neighbours are no farther apart than StrapOffer::most_pitch_um unless no place is between them.
class StrapRuns {
 public:
  StrapRuns(const StrapPlaces& places, const std::vector<StrapOffer>& offers) : places_(places), offers_(offers) {}

  bool fits(const std::vector<int32_t>& chosen, int32_t place) const;
  /// With what it takes to make runs of them, ascending.
  std::vector<int32_t> filled(std::vector<int32_t> chosen) const;
  /// As many as fit, along the die, of all offers or of one; where several nets want a place, each in turn.
  std::vector<int32_t> all(std::optional<size_t> offer = {}) const;

 private:
  /// The place that the first gap which is too wide needs; −1: no gap is, or nothing fits there.
  int32_t missing(const std::vector<int32_t>& chosen) const;
  int32_t missing(const std::vector<int32_t>& chosen, const std::vector<int32_t>& run) const;

  const StrapPlaces& places_;
  const std::vector<StrapOffer>& offers_;
};

}  // namespace gridiron
