// SPDX-License-Identifier: Apache-2.0
#include "reports/json/opens_json.hpp"

#include <algorithm>

#include "analysis/results/open_markers.hpp"

namespace gridiron {
namespace {

const char* word_of(Placement::Open::Kind kind) {
  switch (kind) {
    case Placement::Open::Kind::shape:
      return "shape";
    case Placement::Open::Kind::terminal:
      return "terminal";
    case Placement::Open::Kind::pin:
      return "pin";
  }
  return "";
}

}  // namespace

Json json_opens(const Placement& placement) {
  const auto count = [&](Placement::Open::Kind kind) {
    return std::ranges::count(placement.opens, kind, &Placement::Open::kind);
  };
  Json listed = Json::array();
  for (const Placement::Open& open : placement.opens) {
    if (listed.size() == kMostListedOpens) break;
    listed.push_back({{"kind", word_of(open.kind)},
                      {"net", placement.nets[open.net].name},
                      {"layer", placement.layers[open.layer].name},
                      {"name", name_or_null(name_of(open))},
                      {"left_um", open.box.left_um},
                      {"bottom_um", open.box.bottom_um},
                      {"right_um", open.box.right_um},
                      {"top_um", open.box.top_um}});
  }
  return {{"count", placement.opens.size()},
          {"shapes", count(Placement::Open::Kind::shape)},
          {"terminals", count(Placement::Open::Kind::terminal)},
          {"pins", count(Placement::Open::Kind::pin)},
          {"listed", std::move(listed)}};
}

}  // namespace gridiron
