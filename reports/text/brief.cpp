// SPDX-License-Identifier: Apache-2.0
#include "reports/text/brief.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analysis/run/verdict.hpp"
#include "reports/lookup.hpp"
#include "reports/tables/budget_tables.hpp"
#include "reports/text/brief_parts.hpp"
#include "reports/text/em_text.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/insight_text.hpp"
#include "reports/text/length_unit.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/stress_text.hpp"
#include "reports/text/text_parts.hpp"
#include "reports/text/text_table.hpp"

namespace gridiron {
namespace {

/// The nets that there is room for, in the order of the netlist.
std::string net_lines(const IrReport& result, std::vector<size_t> nets) {
  if (nets.empty()) return "";
  const size_t all = nets.size();
  nets.resize(std::min(nets.size(), kShownNets));
  std::ranges::sort(nets);
  TextTable table({"net", "", "worst>", "of supply>", "average>", "p99>", "nodes>", "pads>", "load current>"});
  for (const size_t k : nets) {
    const NetResult& net = result.nets[k];
    table.add({printable(net.name), word_for(net), volts(net.worst_drop_v), percent(net, net.worst_drop_v),
               volts(net.average_drop_v), volts(net.percentiles_v.p99), grouped(net.nodes), grouped(net.pads),
               amperes(net.load_current_a)});
  }
  return fmt::format("\nNets{}\n{}", all > kShownNets ? fmt::format(", {} of {}", kShownNets, grouped(all)) : "",
                     table.str());
}

/// The worst places of each net.
std::string hot_spots_by_net(const IrReport& result, const std::vector<size_t>& nets) {
  if (result.hot_spots.empty()) return "";
  const LengthUnit unit = length_unit(result);
  TextTable table({"net", "hot spot", "layer", fmt::format("x {}>", unit.ascii), fmt::format("y {}>", unit.ascii),
                   "drop>", "of supply>"});
  for (size_t k = 0; k < std::min(nets.size(), kNetsWithPlaces); ++k) {
    const NetResult& net = result.nets[nets[k]];
    size_t left = places_per_net(nets.size());
    for (const HotSpot& spot : result.hot_spots) {
      if (spot.net != static_cast<int32_t>(nets[k]) || left == 0) continue;
      --left;
      table.add({printable(net.name), printable(node_name(result, spot.node)),
                 name_or_dash(layer_name(result, result.nodes.layer[spot.node])),
                 coordinate(unit, result.nodes.x_um[spot.node]), coordinate(unit, result.nodes.y_um[spot.node]),
                 volts(spot.drop_v), percent(net, spot.drop_v)});
    }
  }
  return "\n" + table.str();
}

std::string next_line(const IrReport& result, const WrittenReports& written) {
  const Verdict verdict = verdict_of(result);
  const auto is_exceeded = [](const auto& limit) { return limit.exceeded; };
  const bool can_be_planned =
      std::ranges::any_of(result.limits, is_exceeded) || std::ranges::any_of(result.em_limits, is_exceeded);
  std::string next;
  if (result.nets.empty())
    next = "gridiron check tells what it lacks";
  else if (verdict.exceeded() > 0 && !can_be_planned)
    next = written.folder.empty() ? "tables of --out FOLDER tell where"
                                  : "its tables tell where, --formats lyrdb,drc marks it";
  else if (verdict.exceeded() > 0)
    next = std::string("gridiron fix --widen LAYER=3 proposes a plan that keeps the limits") +
           (result.explanations.empty() ? ", --why worst tells causes" : "");
  else if (verdict.needs_tolerance())
    next = "a smaller --tolerance may decide it";
  else if (verdict.outcome() == Verdict::Outcome::undecided)
    next = "what leaves limits undecided is told with them, and by the findings";
  else if (verdict.all() == 0)
    next = "--limit worst=5% judges the drops";
  else
    next = "gridiron diff RUN_A RUN_B compares it with another run";
  return fmt::format("Next         {}\n", next);
}

}  // namespace

std::string brief_summary(const IrReport& result, const WrittenReports& written) {
  const std::vector<size_t> nets = nets_by_need(result);
  std::string out = verdict_line(result) + next_line(result, written) +
                    input_lines(result, fmt::format("{}, {}", count_of(result.input.nodes, "node"),
                                                    count_of(result.input.resistors, "resistor"))) +
                    net_lines(result, nets);
  out += limits_text(result, kShownLimits);
  out += hot_spots_by_net(result, nets) + drop_share_sentences(result);
  out += vectors_text(result) + em_lines(result) + stress_lines(result) + pad_gain_lines(result) +
         explanation_lines(result) + budget_lines(result) + golden_text(result);
  out += first_findings(result) + "\n";
  return out + certificate_line(result.certificate) + closing_lines(result, written);
}

}  // namespace gridiron
