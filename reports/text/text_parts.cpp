// SPDX-License-Identifier: Apache-2.0
#include "reports/text/text_parts.hpp"
#include "analysis/run/verdict.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "analysis/results/instances.hpp"
#include "reports/lookup.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/text_table.hpp"
#include "support/nearest_names.hpp"

namespace gridiron {
namespace {

constexpr size_t kWorstVectorsPerNet = 5;
constexpr int64_t kLeastNodes = 10'000;  ///< for which bytes per node say something of the grid, not of the program

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

/// How many times the limit a value is.
double times_of(double value, double limit) { return limit > 0 ? value / limit : value > 0 ? INFINITY : 0; }

/// Limits with their verdicts; of many those that are exceeded come first, then those that are undecided, each by how
/// many times the limit their value is.
class LimitRows {
 public:
  void add(const auto& limit, double share, std::vector<std::string> cells) {
    const int rank = limit.exceeded ? 0 : limit.undecided ? 1 : 2;
    cells.emplace_back(std::array{"EXCEEDED", "UNDECIDED", "ok"}[rank]);
    rows_.push_back({rank, -share, std::move(cells)});
  }
  int64_t count() const { return std::ssize(rows_); }
  /// EXCEEDED if a limit is, else UNDECIDED if one is, else all kept.
  const char* outcome() const {
    int first = 2;
    for (const Row& row : rows_) first = std::min(first, row.rank);
    return std::array{"EXCEEDED", "UNDECIDED", "all kept"}[first];
  }
  std::string str(size_t most) {
    if (rows_.size() > most)
      std::ranges::stable_sort(rows_, {}, [](const Row& row) { return std::pair(row.rank, row.minus_share); });
    TextTable table({"quantity", "net", "value>", "limit>", "above>", ""});
    for (size_t k = 0; k < std::min(most, rows_.size()); ++k) table.add(std::move(rows_[k].cells));
    return table.str() + (rows_.size() > most ? fmt::format("  and {} more\n", grouped(rows_.size() - most)) : "");
  }

 private:
  struct Row {
    int rank = 0;
    double minus_share = 0;
    std::vector<std::string> cells;
  };
  std::vector<Row> rows_;
};

}  // namespace

std::string percent(const NetResult& net, double v) { return percent(percent_of_supply(net, v)); }

std::string limits_text(const IrReport& result, size_t most) {
  std::string out;
  const std::vector<BudgetNet> none, &of_budget = result.budget ? result.budget->nets : none;
  if (result.limits.empty() && result.em_limits.empty()) return out;
  LimitRows rows;
  for (const LimitResult& limit : result.limits)
    rows.add(limit, times_of(limit.value_v, limit.limit_v),
             {limit.quantity, printable(limit.net + (limit.layer.empty() ? "" : " ") + limit.layer),
              volts(limit.value_v), volts(limit.limit_v), failed_text(limit)});
  for (const EmLimitResult& limit : result.em_limits)
    rows.add(
        limit, times_of(limit.value_a, limit.limit_a),
        {current_name(limit.quantity), printable(limit.net + " " + limit.layer), amperes(limit.value_a),
         amperes(limit.limit_a), fmt::format("{} of {}", grouped(limit.failed), count_of(limit.segments, "segment"))});
  for (const BudgetNet& net : of_budget)
    if (net.limit_v) {
      const double worst_v = net.worst.empty() ? 0 : net.worst.front().drop_v;
      rows.add(net, times_of(worst_v, *net.limit_v),
               {"worst over budget", printable(result.nets[net.net].name), volts(worst_v), volts(*net.limit_v), "-"});
    }
  const bool are_all = verdict_of(result).all() <= rows.count();
  print(out, "\n{}: {}{}\n{}", are_all ? "Limits" : "Limits on drops and currents", rows.outcome(), unjudged(result),
        rows.str(most));
  return out;
}

std::string certificate_line(const Certificate& certificate) {
  std::string out;
  if (certificate.valid)
    print(out, "Certificate  every voltage is within {} of the exact solution{}\n", volts(certificate.max_error_v),
          certificate.tolerance_v > 0 ? fmt::format(" (asked for: {})", volts(certificate.tolerance_v)) : "");
  else if (certificate.is_estimated)
    print(out, "Estimate     voltages are within about {} of the exact solution, which nothing proves{}\n",
          volts(certificate.max_error_v),
          certificate.tolerance_v > 0 ? fmt::format(" (asked for: {})", volts(certificate.tolerance_v)) : "");
  else
    print(out, "Certificate  NONE: no error bound could be proved; largest residual {}\n",
          amperes(certificate.max_residual_a));
  return out;
}

std::string certificate_text(const Certificate& certificate) {
  return fmt::format("{}             pad currents minus loads: {}\n", certificate_line(certificate),
                     amperes(certificate.current_imbalance_a));
}

std::string vectors_text(const IrReport& result) {
  if (result.vectors.empty()) return "";
  TextTable table({"net", "vector>", "worst>", "average>", "node"});
  for (size_t k = 0; k < result.nets.size(); ++k) {
    std::vector<size_t> order(result.vectors.size());
    std::iota(order.begin(), order.end(), size_t{0});
    const auto drop = [&](size_t vector) { return result.vectors[vector].nets[k].worst_drop_v; };
    std::ranges::stable_sort(order, [&](size_t a, size_t b) { return drop(a) > drop(b); });
    order.resize(std::min(order.size(), kWorstVectorsPerNet));
    for (const size_t vector : order) {
      const DropSummary& net = result.vectors[vector].nets[k];
      table.add({printable(result.nets[k].name), std::to_string(vector), volts(net.worst_drop_v),
                 volts(net.average_drop_v), printable(node_name(result, net.worst_node))});
    }
  }
  return fmt::format("\nWorst of {}\n{}", count_of(std::ssize(result.vectors), "load vector"), table.str());
}

std::string golden_text(const IrReport& result) {
  if (!result.golden) return "";
  const MapScore& g = *result.golden;
  return fmt::format(
      "\nGolden map   {}: {} x {} pixels, net {}{}\n             mean absolute error {}, largest {}; F1 of pixels "
      "above "
      "90 % of the maximum {:.3f}\n",
      printable(g.path), g.nx, g.ny, printable(g.net), g.layer.empty() ? "" : " on layer " + printable(g.layer),
      volts(g.mean_error_v), volts(g.largest_error_v), g.f1);
}

std::string instances_text(const IrReport& result, std::span<const double> time_s) {
  const std::vector<InstanceResult>& instances = result.instances;
  if (instances.empty()) return "";
  const bool has_cells = result.circuit->made_names != nullptr;
  const bool has_ground = std::ranges::any_of(result.nets, &NetResult::is_ground);
  std::vector<std::string> titles = {"instance"};
  if (has_cells) titles.emplace_back("cell");
  titles.emplace_back("drop>");
  if (has_ground) titles.insert(titles.end(), {"bounce>", "combined>"});
  titles.emplace_back(time_s.empty() ? "current>" : "at>");
  TextTable table(std::move(titles));
  for (size_t k = 0; k < std::min(kRowsOfText, instances.size()); ++k) {
    const InstanceResult& instance = instances[k];
    std::vector<std::string> row = {printable(instance_name(*result.circuit, instance).text())};
    if (has_cells) row.push_back(printable(instance_cell(*result.circuit, instance)));
    row.push_back(volts(instance.vdd_drop_v));
    if (has_ground) row.insert(row.end(), {volts(instance.gnd_bounce_v), volts(instance.combined_v)});
    row.push_back(time_s.empty() ? amperes(instance.current_a) : seconds(time_s[k]));
    table.add(std::move(row));
  }
  return fmt::format("\nWorst instances of {}{}\n{}", grouped(std::ssize(instances)),
                     time_s.empty() ? "" : ", at one moment", table.str());
}

std::string finding_line(const Finding& finding) {
  const std::string place = finding.place.empty() ? "" : printable(finding.place) + ": ";
  return fmt::format("  {}{}: {} [{}]\n", place, Finding::name_of(finding.severity), printable(finding.message),
                     finding.code);
}

std::string findings_text(const IrReport& result) {
  if (result.findings.empty()) return "";
  std::string out = "\nFindings\n";
  for (const Finding& finding : result.findings) out += finding_line(finding);
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
  const std::string per_node =
      result.input.nodes < kLeastNodes
          ? ""
          : fmt::format(", {} bytes per node", grouped(result.peak_memory_bytes / result.input.nodes));
  print(out, "Peak memory  {}{}\n", byte_count(result.peak_memory_bytes), per_node);
  return out;
}

}  // namespace gridiron
