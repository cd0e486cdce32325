// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/strap_runs.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace gridiron {
namespace {

constexpr double kSamePlaceUm = 1e-6;

}  // namespace

bool StrapRuns::fits(const std::vector<int32_t>& chosen, int32_t place) const {
  return std::ranges::none_of(chosen, [&](int32_t other) { return other == place || places_.conflict(other, place); });
}

std::vector<int32_t> StrapRuns::filled(std::vector<int32_t> chosen) const {
  for (int32_t place; (place = missing(chosen)) >= 0;) chosen.push_back(place);
  std::ranges::sort(chosen);
  return chosen;
}

int32_t StrapRuns::missing(const std::vector<int32_t>& chosen) const {
  std::map<std::pair<std::string, size_t>, std::vector<int32_t>> runs;
  for (const int32_t c : chosen) runs[{places_.places()[c].net, places_.places()[c].offer}].push_back(c);
  for (const auto& [key, run] : runs)
    if (const int32_t place = missing(chosen, run); place >= 0) return place;
  return -1;
}

int32_t StrapRuns::missing(const std::vector<int32_t>& chosen, const std::vector<int32_t>& run) const {
  const std::vector<StrapPlace>& all = places_.places();
  const StrapPlace& one = all[run.front()];
  const auto [first, last] = std::ranges::minmax(run, {}, [&](int32_t c) { return all[c].at_um; });
  std::vector<double> middles = places_.straps_today(one.net, one.offer);
  std::erase_if(middles,
                [&, low = all[first].at_um, high = all[last].at_um](double at) { return at < low || at > high; });
  for (const int32_t c : run) middles.push_back(all[c].at_um);
  std::ranges::sort(middles);
  const double most = offers_[one.offer].most_pitch_um + kSamePlaceUm;
  for (size_t i = 0; i + 1 < middles.size(); ++i) {
    if (middles[i + 1] - middles[i] <= most) continue;
    int32_t best = -1;  // the farthest within reach, else the nearest
    for (int32_t p = 0; p < std::ssize(all); ++p) {
      const double at = all[p].at_um;
      if (all[p].net != one.net || all[p].offer != one.offer || at <= middles[i] + kSamePlaceUm ||
          at >= middles[i + 1] - kSamePlaceUm || !fits(chosen, p))
        continue;
      const bool is_within = at - middles[i] <= most;
      if (best < 0 || (is_within ? at > all[best].at_um : at < all[best].at_um && all[best].at_um - middles[i] > most))
        best = p;
    }
    if (best >= 0) return best;
  }
  return -1;
}

std::vector<int32_t> StrapRuns::all(std::optional<size_t> offer) const {
  const std::vector<StrapPlace>& places = places_.places();
  std::vector<int32_t> chosen;
  std::map<std::string, int64_t> of_net;
  for (size_t p = 0; p < places.size(); ++p) {
    // Places of several nets follow one another.
    int32_t best = -1;
    size_t end = p;
    for (; end < places.size() && places[end].offer == places[p].offer && places[end].at_um == places[p].at_um; ++end)
      if (fits(chosen, static_cast<int32_t>(end)) && (best < 0 || of_net[places[end].net] < of_net[places[best].net]))
        best = static_cast<int32_t>(end);
    if (offer && places[p].offer != *offer) best = -1;
    if (best >= 0) chosen.push_back(best), ++of_net[places[best].net];
    p = end - 1;
  }
  return chosen;
}

}  // namespace gridiron
