// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/means.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "netlist/names/name_table.hpp"
#include "support/error_text.hpp"
#include "support/number_in.hpp"

namespace gridiron {
namespace {

constexpr double kMostFactor = 1e4;  ///< beyond which linear programs lose their digits

}  // namespace

std::vector<LimitRequest> parse_plan_limits(std::span<const std::string> texts) {
  for (const std::string& text : texts) {
    const std::string of_net = text.substr(text.rfind(':') + 1),
                      quantity = of_net.substr(0, of_net.find_first_of("=@"));
    if (quantity == "em" || quantity == "stress" || quantity == "lifetime")
      throw field_error("limit", "{}: {}", text, kNoPlanForEm);
  }
  return parse_limits(texts);
}

Widening parse_widening(const std::string& text) {
  const size_t equals = text.rfind('=');
  const std::optional<double> most =
      equals == std::string::npos ? std::nullopt : number_in<double>(text.substr(equals + 1));
  if (!most || equals == 0)
    throw field_error("widen", "{}: expected LAYER=FACTOR, such as M5=3 for at most three times the width", text);
  if (!(*most > 1) || !(*most <= kMostFactor))
    throw field_error("widen", "{}: the largest factor of a width must be above 1, and {} at most", text, kMostFactor);
  return {text.substr(0, equals), *most};
}

StrapOffer parse_strap_offer(const std::string& text) {
  constexpr size_t kNumbers = 3;
  std::string layer = text;
  std::vector<double> numbers;
  for (size_t colon; numbers.size() < kNumbers && (colon = layer.rfind(':')) != std::string::npos;) {
    numbers.insert(numbers.begin(), number_in<double>(layer.substr(colon + 1)).value_or(NAN));
    layer.resize(colon);
  }
  const bool are_numbers =
      numbers.size() == kNumbers && std::ranges::all_of(numbers, [](double n) { return n > 0 && std::isfinite(n); });
  if (!are_numbers || layer.empty())
    throw field_error("add_straps",
                      "{}: expected LAYER:WIDTH:PITCH_MIN:PITCH_MAX in um, such as M4:0.48:5.6:56, all above 0", text);
  const StrapOffer offer{layer, numbers[0], numbers[1], numbers[2]};
  if (offer.least_pitch_um > offer.most_pitch_um)
    throw field_error("add_straps", "{}: the least pitch, {} um, is above the largest one, {} um", text,
                      offer.least_pitch_um, offer.most_pitch_um);
  return offer;
}

PlanCosts parse_costs(const std::string& text) {
  PlanCosts costs;
  std::istringstream words(text);
  std::string seen;
  for (std::string word; std::getline(words, word, ',');) {
    const size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const double number = equals == std::string::npos ? NAN : number_in<double>(word.substr(equals + 1)).value_or(NAN);
    if ((key != "area" && key != "pad") || !(number >= 0) || !(number <= kMostCost))
      throw field_error("cost", "{}: expected area=NUMBER or pad=NUMBER, separated by a comma, from 0 to {}", text,
                        kMostCost);
    if (key == seen) throw field_error("cost", "{}: {} is given twice", text, key);
    (key == "area" ? costs.area : costs.pad) = number;
    seen = key;
  }
  if (seen.empty()) throw field_error("cost", "{}: expected area=NUMBER or pad=NUMBER", text);
  return costs;
}

void require_means(const PlanMeans& means) {
  if (means.widen.empty() && !means.pads && means.straps.empty())
    throw input_error("nothing may be changed: give {} LAYER=FACTOR, {} N or, of a layout, {}", field("widen"),
                      field("add_pads"), field("add_straps"));
  for (size_t i = 0; i < means.widen.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      if (same_name(means.widen[i].layer, means.widen[k].layer))
        throw field_error("widen", "{}={}: contradicts {}={}; give each layer one factor", means.widen[i].layer,
                          means.widen[i].most, means.widen[k].layer, means.widen[k].most);
  for (size_t i = 0; i < means.straps.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      if (same_name(means.straps[i].layer, means.straps[k].layer))
        throw field_error("add_straps", "{}: this layer is given twice; give each layer one width and pitch",
                          means.straps[i].layer);
  if (means.grid_um > 0 && means.widen.empty())
    throw input_error("{} {}: no wires are widened; give {}", field("grid"), means.grid_um, field("widen"));
}

}  // namespace gridiron
