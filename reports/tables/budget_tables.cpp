// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/budget_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/json/fields_json.hpp"
#include "reports/json/json.hpp"
#include "reports/lookup.hpp"
#include "reports/tables/csv_line.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/text_table.hpp"

namespace gridiron {
namespace {

constexpr size_t kNodesPerNet = 5, kBlocks = 2;

/// The members of blocks, `most` of them.
std::string names_of(const BudgetReport& budget, const std::vector<int32_t>& blocks, size_t most) {
  std::string names;
  for (size_t k = 0; k < std::min(most, blocks.size()); ++k)
    names += (k > 0 ? "; " : "") + budget.blocks[blocks[k]].members;
  if (blocks.size() > most) names += fmt::format("; and {} more", blocks.size() - most);
  return names;
}

void for_each_node(const BudgetReport& budget, auto&& f) {
  for (const BudgetNet& net : budget.nets)
    for (const BudgetNode& node : net.worst) f(node);
  for (const BudgetNode& node : budget.chosen) f(node);
}

void add_to(TextTable& table, const IrReport& result, const BudgetNode& node) {
  const double share = percent_of_supply(result.nets[node.net], node.drop_v);
  table.add({printable(net_name(result, node.net)), printable(node_name(result, node.node)), volts(node.drop_v),
             percent(share), volts(node.bound_v), volts(node.deck_drop_v),
             printable(names_of(*result.budget, node.full_blocks, kBlocks))});
}

TextTable table_of_nodes() {
  return TextTable({"net", "node", "worst case>", "of supply>", "certified to>", "deck's loads>", "full sums"});
}

std::string net_line(const IrReport& result, const BudgetNet& net) {
  const std::string name = printable(result.nets[net.net].name);
  const std::string of_all =
      fmt::format("{} of {} bounded", grouped(net.solved), count_of(net.candidates, "candidate"));
  if (net.is_certain && !(net.ceiling_v > 0)) return fmt::format("  {}: no load that is allowed makes it drop\n", name);
  const std::string checked = fmt::format("another solve of its loads gives {}", volts(net.check_drop_v));
  if (net.is_certain)
    return fmt::format("  {}: no node drops more than {} ({}; {})\n", name, volts(net.ceiling_v), of_all, checked);
  return fmt::format("  {}: no node drops more than {}; the worst may be another node ({}; {})\n", name,
                     volts(net.ceiling_v), of_all, checked);
}

}  // namespace

std::string budget_lines(const IrReport& result) {
  if (!result.budget) return "";
  const BudgetReport& budget = *result.budget;
  std::string out = fmt::format(
      "\nWorst case over the budget {}\n  {}, {} of which may change: {} at least, {} by the deck, {} at most; {}\n",
      printable(budget.path), count_of(budget.loads, "load"), grouped(budget.ranged), amperes(budget.least_a),
      amperes(budget.deck_a), amperes(budget.most_a), count_of(std::ssize(budget.blocks), "sum"));
  TextTable table = table_of_nodes();
  bool has_rows = false;
  for (const BudgetNet& net : budget.nets)
    for (size_t k = 0; k < std::min(kNodesPerNet, net.worst.size()); ++k, has_rows = true)
      add_to(table, result, net.worst[k]);
  if (has_rows) out += table.str();
  for (const BudgetNet& net : budget.nets) out += net_line(result, net);
  if (!budget.chosen.empty()) {
    TextTable chosen = table_of_nodes();
    for (const BudgetNode& node : budget.chosen) add_to(chosen, result, node);
    out += "Nodes asked for\n" + chosen.str();
  }
  return out + fmt::format("  {} in {:.3f} s\n", count_of(budget.adjoint_solves, "adjoint solve"), budget.seconds);
}

void write_budget_csv(const IrReport& result, const OutputPath& path) {
  const BudgetReport& budget = *result.budget;
  std::vector<const BudgetNode*> rows;
  for_each_node(budget, [&](const BudgetNode& node) { rows.push_back(&node); });
  write_table(path, "net,node,layer,x_um,y_um,drop_v,bound_v,deck_drop_v,full_blocks", rows.size(),
              [&](size_t row, CsvLine&& line) {
                const BudgetNode& node = *rows[row];
                line.text(net_name(result, node.net)).text(node_name(result, node.node));
                line.text(layer_name(result, result.nodes.layer[node.node])).place(result.nodes, node.node);
                line.volts(node.drop_v)
                    .volts(node.bound_v)
                    .volts(node.deck_drop_v)
                    .text(names_of(budget, node.full_blocks, node.full_blocks.size()));
              });
}

void write_budget_loads_csv(const IrReport& result, const OutputPath& path) {
  const std::vector<BudgetNet>& nets = result.budget->nets;
  std::string header = "source";
  for (const BudgetNet& net : nets) {
    header += ',';
    append_csv_field(header, net_name(result, net.net));
  }
  write_table(path, header, result.circuit->current_sources.size(), [&](size_t row, CsvLine&& line) {
    line.text(result.circuit->element_name(kCurrentSource, row));
    for (const BudgetNet& net : nets) line.number(net.load_a[row]);
  });
}

Json json_value(const IrReport& result, const BudgetNode& node) {
  Json row = json_node(result, node.node);
  row.erase("voltage_v");  // of the deck's loads
  return with_fields(result, std::move(row), node);
}

}  // namespace gridiron
