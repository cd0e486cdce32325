// SPDX-License-Identifier: Apache-2.0
#include "reports/text/text_parts.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/results/instances.hpp"
#include "reports/lookup.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/text_table.hpp"
#include "support/nearest_names.hpp"

namespace gridiron {
namespace {

/// Per quantity the layers that no limit on it names.
std::vector<std::string> unlimited(const IrReport& result) {
  std::vector<std::string> texts;
  const std::vector<UnlimitedLayer>& layers = result.unlimited_layers;
  for (auto first = layers.begin(); first != layers.end();) {
    std::vector<std::string> names;
    const std::string& quantity = first->quantity;
    for (; first != layers.end() && first->quantity == quantity; ++first)
      names.push_back(first->layer.empty() ? "no known layer" : first->layer);
    texts.push_back(
        fmt::format("segments on {} without a limit of the {}", first_names(names), current_name(quantity)));
  }
  return texts;
}

/// What the limits do not judge, in brackets; empty if that is nothing.
std::string unjudged(const IrReport& result) {
  std::vector<std::string> what = unlimited(result);
  if (!result.unjudged_nets.empty()) what.push_back(first_names(result.unjudged_nets) + ", left out of this report");
  if (const std::vector<std::string> nets = result.unlimited_nets(); !nets.empty())
    what.push_back(first_names(nets) + " without a limit");
  if (const int64_t nodes = result.reduced.floating_nodes; nodes > 0)
    what.push_back(count_of(nodes, "node") + " without a path to a source");
  return what.empty() ? "" : fmt::format(" (not judged: {})", printable(fmt::format("{}", fmt::join(what, "; "))));
}

/// "3 of 120 nodes, 2 instances".
std::string failed_text(const LimitResult& limit) {
  if (limit.failed < 0) return "-";
  return fmt::format("{} of {}{}", grouped(limit.failed), count_of(limit.nodes, "node"),
                     limit.failed_instances > 0 ? ", " + count_of(limit.failed_instances, "instance") : "");
}

}  // namespace

std::string percent(const NetResult& net, double v) { return percent(percent_of_supply(net, v)); }

std::string limits_text(const IrReport& result) {
  std::string out;
  const std::vector<BudgetNet> none, &of_budget = result.budget ? result.budget->nets : none;
  if (result.limits.empty() && result.em_limits.empty()) return out;
  const auto is_undecided = [](const auto& l) { return l.undecided; };
  const bool undecided = std::ranges::any_of(result.limits, is_undecided) ||
                         std::ranges::any_of(result.em_limits, is_undecided) ||
                         std::ranges::any_of(of_budget, is_undecided);
  const auto verdict = [](const auto& limit) {
    return limit.exceeded ? "EXCEEDED" : limit.undecided ? "UNDECIDED" : "ok";
  };
  TextTable table({"quantity", "net", "value>", "limit>", "above>", ""});
  for (const LimitResult& limit : result.limits)
    table.add({limit.quantity, printable(limit.net + (limit.layer.empty() ? "" : " ") + limit.layer),
               volts(limit.value_v), volts(limit.limit_v), failed_text(limit), verdict(limit)});
  for (const EmLimitResult& limit : result.em_limits)
    table.add({current_name(limit.quantity), printable(limit.net + " " + limit.layer), amperes(limit.value_a),
               amperes(limit.limit_a),
               fmt::format("{} of {}", grouped(limit.failed), count_of(limit.segments, "segment")), verdict(limit)});
  for (const BudgetNet& net : of_budget)
    if (net.limit_v)
      table.add({"worst over budget", printable(result.nets[net.net].name),
                 volts(net.worst.empty() ? 0 : net.worst.front().drop_v), volts(*net.limit_v), "-", verdict(net)});
  print(out, "\nLimits: {}{}\n{}",
        result.limit_exceeded() ? "EXCEEDED"
        : undecided             ? "UNDECIDED"
                                : "all kept",
        unjudged(result), table.str());
  return out;
}

std::string instances_text(const IrReport& result, std::span<const double> time_s) {
  const std::vector<InstanceResult>& instances = result.instances;
  if (instances.empty()) return "";
  const bool has_cells = result.circuit->made_names != nullptr;
  std::vector<std::string> titles = {"instance", "drop>", "bounce>", "combined>", time_s.empty() ? "current>" : "at>"};
  if (has_cells) titles.insert(titles.begin() + 1, "cell");
  TextTable table(std::move(titles));
  for (size_t k = 0; k < std::min(kRowsOfText, instances.size()); ++k) {
    std::vector<std::string> row = {printable(instance_name(*result.circuit, instances[k]).text()),
                                    volts(instances[k].vdd_drop_v), volts(instances[k].gnd_bounce_v),
                                    volts(instances[k].combined_v),
                                    time_s.empty() ? amperes(instances[k].current_a) : seconds(time_s[k])};
    if (has_cells) row.insert(row.begin() + 1, printable(instance_cell(*result.circuit, instances[k])));
    table.add(std::move(row));
  }
  return fmt::format("\nWorst instances of {}{}\n{}", grouped(std::ssize(instances)),
                     time_s.empty() ? "" : ", at one moment", table.str());
}

std::string findings_text(const IrReport& result) {
  std::string out;
  if (result.findings.empty()) return out;
  print(out, "\nFindings\n");
  for (const Finding& finding : result.findings) {
    const std::string place = finding.place.empty() ? "" : printable(finding.place) + ": ";
    print(out, "  {}{}: {} [{}]\n", place, Finding::name_of(finding.severity), printable(finding.message),
          finding.code);
  }
  return out;
}

std::string cost_text(const IrReport& result) {
  std::string out;
  const Timings& t = result.timings_s;
  print(
      out,
      "\nTime         {:.3f} s: read {:.3f}, check {:.3f}, reduce {:.3f}, assemble {:.3f}, setup {:.3f}, solve {:.3f}, "
      "certify {:.3f}, recover {:.3f}, {}report {:.3f}\n",
      t.total, t.read, t.check, t.reduce, t.assemble, t.setup, t.solve, t.certify, t.recover,
      t.cascade > 0 ? fmt::format("cascade {:.3f}, ", t.cascade) : "", t.report);
  print(out, "Peak memory  {}, {} bytes per node\n", byte_count(result.peak_memory_bytes),
        grouped(result.peak_memory_bytes / std::max<int64_t>(1, result.input.nodes)));
  return out;
}

}  // namespace gridiron
