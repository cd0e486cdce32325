// SPDX-License-Identifier: Apache-2.0
#include "reports/text/brief_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "analysis/run/verdict.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/ledger_lines.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/text_parts.hpp"

namespace gridiron {
namespace {

constexpr size_t kShownPlaces = 6, kPlacesOfNet = 3, kShownFindings = 5;
constexpr size_t kTextWidth = 99;  ///< of a line, without what joins its parts

/// ", 126 905 nodes above"; empty if the limits that are exceeded are of other things.
std::string above_text(const IrReport& result) {
  std::vector<int64_t> of_net(result.nets.size(), 0);
  for (const LimitResult& limit : result.limits)
    for (size_t k = 0; k < of_net.size(); ++k)
      if (limit.exceeded && result.nets[k].name == limit.net) of_net[k] = std::max(of_net[k], limit.failed);
  const int64_t nodes = std::accumulate(of_net.begin(), of_net.end(), int64_t{0});
  return nodes > 0 ? fmt::format(", {} above", count_of(nodes, "node")) : "";
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

}  // namespace

std::string verdict_line(const IrReport& result) {
  const Verdict verdict = verdict_of(result);
  const auto of_all = [&](int64_t some) {
    return fmt::format("{} of {}", grouped(some), count_of(verdict.all(), "limit"));
  };
  if (result.nets.empty()) return "Verdict      none: no net has a source\n";
  switch (verdict.outcome()) {
    case Verdict::Outcome::none:
      return "Verdict      none, as no limit is given\n";
    case Verdict::Outcome::exceeded:
      return fmt::format("Verdict      EXCEEDED: {}{}{}\n", of_all(verdict.exceeded()),
                         verdict.undecided() > 0 ? fmt::format(", {} undecided", grouped(verdict.undecided())) : "",
                         above_text(result));
    case Verdict::Outcome::undecided:
      if (verdict.undecided() == 0)
        return "Verdict      UNDECIDED: limits are also on what is left out, see the findings\n";
      return fmt::format("Verdict      UNDECIDED: {}, left open by the certified error or by what is unknown\n",
                         of_all(verdict.undecided()));
    case Verdict::Outcome::kept:
      break;
  }
  return fmt::format("Verdict      kept: {}\n",
                     verdict.all() == 1 ? "the limit" : "all " + grouped(verdict.all()) + " limits");
}

std::string input_lines(const IrReport& result, const std::string& counts) {
  const char* const card = result.circuit && result.circuit->made_names ? "statement" : "card";
  const bool is_all_used = result.ledger.count(Fate::skipped) == 0;
  std::string line = fmt::format("Input        {}: {}", printable(result.input_path), counts);
  if (is_all_used && !result.ledger.files.empty()) {
    const std::string cards = fmt::format("{}, all used or harmless", count_of(result.ledger.cards(), card));
    line += (line.size() + cards.size() < kTextWidth ? "; " : ";\n             ") + cards;
  }
  return line + "\n" + (is_all_used ? "" : ledger_lines(result.ledger, card));
}

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

size_t places_per_net(size_t nets) { return nets == 0 ? 0 : std::clamp<size_t>(kShownPlaces / nets, 1, kPlacesOfNet); }

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

std::string closing_lines(const IrReport& result, const WrittenReports& written) {
  return fmt::format("Run          {} on {}, {:.3f} s, {}\n", result.engine.name, result.engine.device,
                     result.timings_s.total, byte_count(result.peak_memory_bytes)) +
         reports_line(written);
}

}  // namespace gridiron
