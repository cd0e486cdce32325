// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/em/em_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "analysis/model/findings.hpp"
#include "support/plural.hpp"

namespace gridiron {

void append_em_findings(const IrReport& report, const EmAtPlaces& places, std::vector<Finding>& findings) {
  std::vector<std::string> unruled, unknown, shorts;
  int64_t unruled_segments = 0, unknown_segments = 0, short_segments = 0, first = -1;
  const auto add = [&](LayerPair layers, int64_t count, std::vector<std::string>& names, int64_t& all) {
    if (count == 0) return;
    all += count;
    if (std::string name = layer_text(report.layer_names, layers); std::ranges::find(names, name) == names.end())
      names.push_back(std::move(name));
  };
  for (const auto& [place, at] : places) {
    add(place.layers, at.unruled, unruled, unruled_segments);
    add(place.layers, at.unknown - at.shorts, unknown, unknown_segments);
    add(place.layers, at.shorts, shorts, short_segments);
    if (first < 0) first = at.first_unknown;
  }
  if (unruled_segments > 0)
    findings.push_back({Finding::Severity::info, "em-without-rule",
                        fmt::format("no rule is on {}, where {} {} not judged", first_names(unruled),
                                    counted(unruled_segments, "segment"), unruled_segments == 1 ? "is" : "are"),
                        ""});
  if (unknown_segments > 0)
    findings.push_back(
        {Finding::Severity::warning, "em-not-judged",
         fmt::format("rules are on {}, but {} there, the first of them {}, {} not judged: width, cuts or length are "
                     "not known, or no rule is for them",
                     first_names(unknown), counted(unknown_segments, "segment"),
                     shown(report.circuit->element_name(kResistor, first)), unknown_segments == 1 ? "is" : "are"),
         ""});
  if (short_segments > 0)
    findings.push_back(
        {Finding::Severity::warning, "em-current-unknown",
         fmt::format("rules are on {}, but {} of 0 Ω or 0 V there {} not judged, as no current of them "
                     "is known; give them resistances",
                     first_names(shorts), counted(short_segments, "segment"), short_segments == 1 ? "is" : "are"),
         ""});
  if (std::ranges::all_of(places, [](const auto& entry) { return entry.second.segments == entry.second.unruled; }))
    findings.push_back({Finding::Severity::warning, "em-not-judged",
                        "nothing is judged, as no rule is for metal that has segments", ""});
}

}  // namespace gridiron
