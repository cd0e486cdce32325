// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/diff_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/tables/diff_em_tables.hpp"
#include "reports/tables/diff_limit_tables.hpp"
#include "reports/tables/diff_tran_tables.hpp"
#include "reports/text/numbers.hpp"
#include "support/lists.hpp"
#include "support/nearest_names.hpp"

namespace gridiron {
namespace {

constexpr size_t kMostRows = 50;

/// Words for quantities, with the unit prefix of the format.
class Words {
 public:
  explicit Words(std::string_view micro) : micro_(micro) {}

  std::string volts(double v) const { return with_unit(v, "V", micro_); }
  /// "+5.000 mV"; "=" where the bounds do not tell it from none.
  std::string change(const Change& change) const {
    if (!change.is_change()) return "=";
    return (change.change_v() > 0 ? "+" : "") + volts(change.change_v());
  }
  std::vector<std::string> three(const Change& c) const { return {volts(c.before_v), volts(c.after_v), change(c)}; }

 private:
  std::string_view micro_;
};

std::string place(double x, double y) { return std::isnan(x) ? "" : fmt::format("{:.3f}, {:.3f}", x, y); }

std::string word_for(SpotChange::Kind kind) {
  switch (kind) {
    case SpotChange::Kind::appeared:
      return "new";
    case SpotChange::Kind::gone:
      return "gone";
    case SpotChange::Kind::moved:
      return "moved";
    default:
      return "changed";
  }
}

DiffTable limit_table(const RunDiff& diff, const Words& words) {
  DiffTable table{"Limits on the change", {"quantity", "net", "layer", "change>", "limit>", "bound>", ""}, {}, ""};
  const auto with_sign = [&](double v) { return (v >= 0 ? "+" : "") + words.volts(v); };
  for (const ChangeLimitResult& limit : diff.limits)
    table.rows.push_back({limit.quantity, limit.net, limit.layer, with_sign(limit.value_v), with_sign(limit.limit_v),
                          std::isfinite(limit.bound_v) ? words.volts(limit.bound_v) : "none",
                          limit.exceeded        ? "EXCEEDED"
                          : !limit.open.empty() ? "UNDECIDED: " + limit.open
                          : limit.undecided     ? "UNDECIDED"
                                                : "ok"});
  return table;
}

DiffTable net_table(const RunDiff& diff, const Words& words) {
  DiffTable table{"Nets",
                  {"net", "", "worst before>", "after>", "change>", "average before>", "after>", "change>",
                   "nodes risen>", "fallen>"},
                  {},
                  ""};
  for (const NetChange& net : diff.nets) {
    std::vector<std::string> row{net.name, !net.is_in_before         ? "new"
                                           : !net.is_in_after        ? "gone"
                                           : net.name_before.empty() ? ""
                                                                     : "was " + net.name_before};
    append(row, words.three(net.whole.worst));
    append(row, words.three(net.whole.average));
    append(row, {grouped(net.risen), grouped(net.fallen)});
    table.rows.push_back(std::move(row));
  }
  return table;
}

DiffTable budget_table(const RunDiff& diff, const Words& words) {
  DiffTable table{"Worst case over the budget", {"net", "before>", "after>", "change>"}, {}, ""};
  for (const NetChange& net : diff.nets) {
    const BudgetChange& budget = net.over_budget;
    if (!budget.is_in_before && !budget.is_in_after) continue;
    table.rows.push_back({net.name, budget.is_in_before ? words.volts(budget.worst.before_v) : "no budget",
                          budget.is_in_after ? words.volts(budget.worst.after_v) : "no budget",
                          budget.is_in_before && budget.is_in_after ? words.change(budget.worst) : ""});
  }
  return table;
}

DiffTable layer_table(const RunDiff& diff, const Words& words) {
  DiffTable table{"Layers",
                  {"net", "layer", "", "worst before>", "after>", "change>", "average before>", "after>", "change>",
                   "worst node after"},
                  {},
                  ""};
  for (const NetChange& net : diff.nets)
    for (const LayerChange& layer : net.layers) {
      if (layer.layer.empty() && net.layers.size() == 1) continue;
      std::vector<std::string> row{net.name, layer.layer,
                                   layer.nodes_before == 0  ? "new"
                                   : layer.nodes_after == 0 ? "gone"
                                                            : ""};
      append(row, words.three(layer.worst));
      append(row, words.three(layer.average));
      row.push_back(layer.worst_after);
      table.rows.push_back(std::move(row));
    }
  return table;
}

DiffTable spot_table(const RunDiff& diff, const Words& words) {
  DiffTable table{
      "Hot spots",
      {"", "net", "node before", "node after", "x, y before um", "after um", "before>", "after>", "change>"},
      {},
      ""};
  for (const SpotChange& spot : diff.spots) {
    std::vector<std::string> row{word_for(spot.kind),
                                 spot.net,
                                 spot.node_before,
                                 spot.node_after,
                                 place(spot.x_before_um, spot.y_before_um),
                                 place(spot.x_after_um, spot.y_after_um)};
    row.push_back(spot.node_before.empty() ? "" : words.volts(spot.drop.before_v));
    row.push_back(spot.node_after.empty() ? "" : words.volts(spot.drop.after_v));
    row.push_back(spot.node_before.empty() || spot.node_after.empty() ? "" : words.change(spot.drop));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Per net how many nodes only one run has, and which of them drops most.
DiffTable single_table(const RunData& before, const RunData& after, const RunDiff& diff, const Words& words) {
  DiffTable table{"Nodes of one run only",
                  {"net", "gone>", "worst of them", "drop before>", "new>", "worst of them", "drop after>"},
                  {},
                  ""};
  for (const NetChange& net : diff.nets) {
    if (net.only_before == 0 && net.only_after == 0) continue;
    std::vector<std::string> row{net.name};
    const auto add = [&](const RunData& run, int64_t count, int32_t worst) {
      append(row, {grouped(count), worst < 0 ? "" : std::string(run.names[worst]),
                   worst < 0 ? "" : words.volts(run.drop_v[worst])});
    };
    add(before, net.only_before, net.worst_gone);
    add(after, net.only_after, net.worst_new);
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// "The supply of net vdd is 1.2 V, and was 1 V: …"; empty if it is the same.
std::string supply_text(const NetChange& net) {
  if (!net.supply.is_change()) return "";
  const auto& [before, after] = net.supply;
  const auto kind = [](const NetSupply& supply) {
    return supply.is_ground ? std::string("a ground net") : fmt::format("a power net of {:g} V", supply.nominal_v);
  };
  if (before.is_ground != after.is_ground)
    return fmt::format("Attention: net {} was {} and is {}: its drops cannot be compared.", net.name, kind(before),
                       kind(after));
  if (before.is_ground)
    return fmt::format(
        "Attention: net {} refers to a supply of {:g} V, and referred to one of {:g} V: its drops are "
        "other shares of it.",
        net.name, after.supply_v, before.supply_v);
  return fmt::format(
      "Attention: the supply of net {} has changed from {:g} V to {:g} V, from which its drops are "
      "counted.",
      net.name, before.nominal_v, after.nominal_v);
}

bool has_name(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::any_of(names, [&](const std::string& other) { return same_name(name, other); });
}

/// "Not compared: net vss, which both runs leave out."; nets that one run leaves out, too.
std::vector<std::string> left_out_texts(const RunDiff& diff) {
  std::vector<std::string> both, only_before, only_after;
  for (const std::string& name : diff.left_out_before)
    (has_name(diff.left_out_after, name) ? both : only_before).push_back(name);
  for (const std::string& name : diff.left_out_after)
    if (!has_name(diff.left_out_before, name)) only_after.push_back(name);
  std::vector<std::string> texts;
  const auto add = [&](const std::vector<std::string>& names, std::string_view what, std::string_view runs) {
    if (!names.empty())
      texts.push_back(
          fmt::format("{}: net{} {}, which {} out.", what, names.size() == 1 ? "" : "s", first_names(names), runs));
  };
  add(both, "Not compared, nor judged by a limit", "both runs leave");
  add(only_before, "Not compared, and undecided by limits", "the first run leaves");
  add(only_after, "Not compared, and undecided by limits", "the second run leaves");
  return texts;
}

/// "1 net is new: vcc"; empty if there is none.
std::string nets_text(const std::vector<std::string>& names, std::string_view what) {
  if (names.empty()) return "";
  return fmt::format("{} {} {}: {}.", count_of(std::ssize(names), "net"), names.size() == 1 ? "is" : "are", what,
                     first_names(names));
}

/// The nodes that changed most, one up and one down per net.
DiffTable node_table(const RunData& after, const RunDiff& diff, const Words& words) {
  DiffTable table{"Largest changes of a node", {"net", "node", "before>", "after>", "change>"}, {}, ""};
  for (const NetChange& net : diff.nets)
    for (const NodeChange* node : {&net.largest_rise, &net.largest_fall}) {
      if (node->after < 0) continue;
      std::vector<std::string> row{net.name, std::string(after.names[node->after])};
      append(row, words.three(node->drop));
      table.rows.push_back(std::move(row));
    }
  return table;
}

/// Segments that violate rules of electromigration in the second run only.
DiffTable violation_table(const RunDiff& diff) {
  DiffTable table{"New violations of electromigration rules", {"layer", "from", "to", "ratio>", "rule"}, {}, ""};
  if (!diff.violations) return table;
  for (const RunData::Violation& segment : diff.violations->appeared)
    table.rows.push_back(
        {segment.layer, segment.from, segment.to, fmt::format("{:.4g} %", 100 * segment.ratio), segment.rule});
  return table;
}

/// Trees that are mortal in the second run only.
DiffTable mortal_table(const RunDiff& diff) {
  DiffTable table{"Newly mortal metal", {"layer", "node", "stress>", "certified to>"}, {}, ""};
  if (!diff.stress) return table;
  for (const RunData::MetalTree& tree : diff.stress->mortal)
    table.rows.push_back({tree.layer, tree.node, fmt::format("{:.3f} MPa", 1e-6 * tree.stress_pa),
                          fmt::format("{:.2g} MPa", 1e-6 * tree.bound_pa)});
  return table;
}

DiffTable void_table(const RunDiff& diff) {
  DiffTable table{"Voids that nucleate earlier", {"layer", "node", "before>", "after>", "error>"}, {}, ""};
  if (!diff.stress) return table;
  for (const EarlierVoid& earlier : diff.stress->earlier)
    table.rows.push_back({earlier.layer, earlier.node,
                          std::isfinite(earlier.before_s) ? diff_time(earlier.before_s) : "none until the horizon",
                          diff_time(earlier.after_s), diff_time(earlier.after_error_s)});
  return table;
}

/// Empty where a run has no stress of metal.
std::string stress_text(const RunDiff& diff) {
  if (!diff.stress) return "";
  const StressChange& stress = *diff.stress;
  std::string text = fmt::format("{} newly mortal, {} no longer", count_of(std::ssize(stress.mortal), "metal tree"),
                                 grouped(stress.no_longer_mortal));
  if (stress.has_times)
    text += fmt::format("; {} earlier, {} later, by more than the errors of both times",
                        count_of(std::ssize(stress.earlier), "void"), grouped(stress.later));
  return text + ".";
}

}  // namespace

std::vector<std::string> diff_facts(const RunData& before, const RunData& after, const RunDiff& diff) {
  int64_t risen = 0, fallen = 0, only_before = 0, only_after = 0;
  for (const NetChange& net : diff.nets) {
    risen += net.risen;
    fallen += net.fallen;
    only_before += net.only_before;
    only_after += net.only_after;
  }
  std::vector<std::string> facts;
  if (diff.is_empty())
    facts.push_back(fmt::format("Nothing has changed: {}, every difference is within the {}bounds.",
                                count_of(after.nodes(), "node"), diff.errors_in_time_v > 0 ? "" : "certified "));
  else
    facts.push_back(fmt::format(
        "Of {} nodes the drop of {} has risen and of {} fallen by more than the bounds; {} are "
        "gone, {} new.",
        grouped(after.nodes()), grouped(risen), grouped(fallen), grouped(only_before), grouped(only_after)));
  std::vector<std::string> added, gone, renamed;
  for (const NetChange& net : diff.nets) {
    if (!net.is_in_before && !has_name(diff.left_out_before, net.name)) added.push_back(net.name);
    if (!net.is_in_after && !has_name(diff.left_out_after, net.name)) gone.push_back(net.name);
    if (!net.name_before.empty()) renamed.push_back(net.name_before + ", now " + net.name);
  }
  for (std::string line : {nets_text(added, "new"), nets_text(gone, "gone"), nets_text(renamed, "called otherwise")})
    if (!line.empty()) facts.push_back(std::move(line));
  for (const NetChange& net : diff.nets)
    if (std::string line = supply_text(net); !line.empty()) facts.push_back(std::move(line));
  if (std::string line = looser_limits_text(diff); !line.empty()) facts.push_back(std::move(line));
  append(facts, diff_tran_facts(diff));
  if (diff.violations)
    facts.push_back(fmt::format("{} new of electromigration rules, {} gone.",
                                count_of(std::ssize(diff.violations->appeared), "violation"),
                                grouped(diff.violations->gone)));
  if (std::string line = stress_text(diff); !line.empty()) facts.push_back(std::move(line));
  append(facts, diff_em_facts(diff));
  for (std::string& line : left_out_texts(diff)) facts.push_back(std::move(line));
  for (const RunData* run : {&before, &after})
    if (!run->is_certified())
      facts.push_back(
          fmt::format("{} has no certificate: differences may be errors of its solution, and limits remain "
                      "undecided.",
                      run->title));
  const auto is_estimate = [](const RunData& run) { return run.simulation && !run.simulation->is_bound_guaranteed; };
  if (before.is_certified() && after.is_certified())
    facts.push_back(fmt::format(
        "{}: {} before, {} after.",
        is_estimate(before) || is_estimate(after) ? "Errors of the equations, estimated" : "Certified bounds",
        volts(before.bound_v), volts(after.bound_v)));
  return facts;
}

std::vector<DiffTable> diff_tables(const RunData& before, const RunData& after, const RunDiff& diff,
                                   std::string_view micro) {
  const Words words(micro);
  std::vector<DiffTable> tables;
  for (DiffTable table :
       {limit_table(diff, words), diff_run_limits(diff, micro), diff_lifetimes(diff), diff_em_parameters(diff),
        violation_table(diff), mortal_table(diff), void_table(diff), net_table(diff, words), diff_moments(diff),
        budget_table(diff, words), layer_table(diff, words), spot_table(diff, words), node_table(after, diff, words),
        single_table(before, after, diff, words)}) {
    if (table.rows.empty()) continue;
    if (table.rows.size() > kMostRows) {
      table.note = fmt::format("the first {} of {}; diff.json has all", kMostRows, grouped(std::ssize(table.rows)));
      table.rows.resize(kMostRows);
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace gridiron
