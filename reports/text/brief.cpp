// SPDX-License-Identifier: Apache-2.0
#include "reports/text/brief.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "reports/lookup.hpp"
#include "reports/tables/budget_tables.hpp"
#include "reports/text/em_text.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/insight_text.hpp"
#include "reports/text/ledger_lines.hpp"
#include "reports/text/length_unit.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/stress_text.hpp"
#include "reports/text/text_parts.hpp"
#include "reports/text/text_table.hpp"

namespace gridiron {
namespace {

/// Rows of the tables. Hot spots are three per net, of many nets the worst of each.
constexpr size_t kShownNets = 5, kShownLimits = 3, kShownSpots = 6, kSpotsOfNet = 3, kNetsWithSpots = 4,
                 kShownFindings = 5;

/// ", 126 905 nodes above"; empty if the limits that are exceeded are of other things.
std::string above_text(const IrReport& result) {
  std::vector<int64_t> of_net(result.nets.size(), 0);
  for (const LimitResult& limit : result.limits)
    for (size_t k = 0; k < of_net.size(); ++k)
      if (limit.exceeded && result.nets[k].name == limit.net) of_net[k] = std::max(of_net[k], limit.failed);
  const int64_t nodes = std::accumulate(of_net.begin(), of_net.end(), int64_t{0});
  return nodes > 0 ? fmt::format(", {} above", count_of(nodes, "node")) : "";
}

std::string verdict_line(const IrReport& result) {
  const LimitTally limits = tally_limits(result);
  const auto of_all = [&](int64_t some) {
    return fmt::format("{} of {}", grouped(some), count_of(limits.all(), "limit"));
  };
  if (result.nets.empty()) return "Verdict      none: no net has a source\n";
  if (limits.all() == 0) return "Verdict      none, as no limit is given\n";
  if (limits.exceeded > 0)
    return fmt::format("Verdict      EXCEEDED: {}{}\n", of_all(limits.exceeded), above_text(result));
  if (limits.undecided > 0)
    return fmt::format("Verdict      UNDECIDED: {} by less than the error that is certified\n",
                       of_all(limits.undecided));
  return fmt::format("Verdict      kept: {}\n",
                     limits.all() == 1 ? "the limit" : "all " + grouped(limits.all()) + " limits");
}

std::string input_lines(const IrReport& result) {
  const char* const card = result.circuit && result.circuit->made_names ? "statement" : "card";
  const bool is_all_used = result.ledger.count(Fate::skipped) == 0;
  return fmt::format("Input        {}: {}, {}{}\n", printable(result.input_path), count_of(result.input.nodes, "node"),
                     count_of(result.input.resistors, "resistor"),
                     is_all_used && !result.ledger.files.empty()
                         ? fmt::format("; {}, all used or harmless", count_of(result.ledger.cards(), card))
                         : "") +
         (is_all_used ? "" : ledger_lines(result.ledger, card));
}

/// Those that exceed a limit first, and then by their worst drops.
std::vector<size_t> nets_by_need(const IrReport& result) {
  const auto fails = [&](size_t k) {
    return std::ranges::any_of(
        result.limits, [&](const LimitResult& limit) { return limit.exceeded && limit.net == result.nets[k].name; });
  };
  std::vector<size_t> order(result.nets.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::greater(),
                           [&](size_t k) { return std::pair(fails(k), result.nets[k].worst_drop_v); });
  return order;
}

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
  const size_t per_net = std::clamp<size_t>(kShownSpots / nets.size(), 1, kSpotsOfNet);
  const LengthUnit unit = length_unit(result);
  TextTable table({"net", "hot spot", "layer", fmt::format("x {}>", unit.ascii), fmt::format("y {}>", unit.ascii),
                   "drop>", "of supply>"});
  for (size_t k = 0; k < std::min(nets.size(), kNetsWithSpots); ++k) {
    const NetResult& net = result.nets[nets[k]];
    size_t left = per_net;
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

/// The most severe ones.
std::string first_findings(const IrReport& result) {
  if (result.findings.empty()) return "";
  std::vector<const Finding*> worst;
  for (const Finding& finding : result.findings) worst.push_back(&finding);
  std::ranges::stable_sort(worst, std::greater(), &Finding::severity);
  std::string out = "\nFindings\n";
  for (size_t k = 0; k < std::min(kShownFindings, worst.size()); ++k) out += finding_line(*worst[k]);
  if (worst.size() > kShownFindings)
    out += fmt::format("  and {} more, which --full prints\n", grouped(std::ssize(worst) - kShownFindings));
  return out;
}

std::string run_line(const IrReport& result) {
  return fmt::format("Run          {} on {}, {:.3f} s, {}\n", result.engine.name, result.engine.device,
                     result.timings_s.total, byte_count(result.peak_memory_bytes));
}

std::string reports_line(const WrittenReports& written) {
  if (written.folder.empty())
    return "Reports      --full prints all of it, --out FOLDER writes tables, maps and a page\n";
  std::string first;
  for (const auto& [format, file] :
       {std::pair("html", "report.html"), {"text", "summary.txt"}, {"json", "report.json"}})
    if (written.formats.contains(format)) first += fmt::format("{}{}", first.empty() ? ": " : ", ", file);
  return fmt::format("Reports      {}{}\n", printable(written.folder), first);
}

std::string next_line(const IrReport& result) {
  const LimitTally limits = tally_limits(result);
  const char* next = nullptr;
  if (result.nets.empty())
    next = "gridiron check tells what it lacks";
  else if (limits.exceeded > 0)
    next = "gridiron fix proposes a plan that keeps the limits, --why NODE tells causes";
  else if (limits.undecided > 0)
    next = "a smaller --tolerance may decide it";
  else if (limits.all() == 0)
    next = "--limit worst=5% judges the drops";
  else
    next = "gridiron diff RUN_A RUN_B compares it with another run";
  return fmt::format("Next         {}\n", next);
}

}  // namespace

std::string brief_summary(const IrReport& result, const WrittenReports& written) {
  const std::vector<size_t> nets = nets_by_need(result);
  std::string out = verdict_line(result) + input_lines(result) + net_lines(result, nets);
  out += limits_text(result, kShownLimits);
  out += hot_spots_by_net(result, nets) + drop_share_sentences(result);
  out += vectors_text(result) + em_lines(result) + stress_lines(result) + pad_gain_lines(result) +
         explanation_lines(result) + budget_lines(result) + golden_text(result);
  out += first_findings(result) + "\n";
  return out + certificate_line(result.certificate) + run_line(result) + reports_line(written) + next_line(result);
}

}  // namespace gridiron
