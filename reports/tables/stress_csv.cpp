// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/stress_csv.hpp"

#include <vector>

#include "reports/lookup.hpp"
#include "reports/tables/csv_line.hpp"

namespace gridiron {
namespace {

/// The nodes of all trees, those of a tree one after the other, in their order.
std::vector<NodeId> nodes_by_tree(const StressReport& stress) {
  std::vector<int64_t> next(stress.trees.size() + 1, 0);
  for (const int32_t tree : stress.tree)
    if (tree >= 0) ++next[tree + 1];
  for (size_t k = 1; k < next.size(); ++k) next[k] += next[k - 1];
  std::vector<NodeId> nodes(static_cast<size_t>(next.back()));
  for (NodeId n = 0; n < std::ssize(stress.tree); ++n)
    if (stress.tree[n] >= 0) nodes[next[stress.tree[n]]++] = n;
  return nodes;
}

}  // namespace

void write_stress_csv(const IrReport& result, const OutputPath& path) {
  constexpr int kDigits = 17;
  const StressReport& stress = *result.stress;
  const std::vector<NodeId> nodes = nodes_by_tree(stress);
  write_table(
      path, "tree,node,layer,x_um,y_um,stress_pa,bound_pa,verdict", nodes.size(),
      [&](size_t row, CsvLine&& line) {
        const NodeId node = nodes[row];
        const StressTree& tree = stress.trees[stress.tree[node]];
        line.count(tree.number).text(node_name(result, node)).text(layer_name(result, result.nodes.layer[node]));
        line.place(result.nodes, node).volts(stress.stress_at(tree, result.nodes.voltage_v[node]));
        line.number(tree.bound_pa).text(verdict_name(tree.verdict));
      },
      kDigits);
}

void write_nucleation_csv(const IrReport& result, const OutputPath& path) {
  constexpr int kDigits = 9;
  const std::vector<TreeLifetime>& trees = result.stress->lifetime->trees;
  write_table(
      path, "tree,net,layer,node,x_um,y_um,time_s,error_s,verdict", trees.size(),
      [&](size_t row, CsvLine&& line) {
        const TreeLifetime& tree = trees[row];
        line.count(tree.tree).text(net_name(result, tree.net)).text(layer_name(result, tree.layer));
        if (tree.node != kGround)
          line.text(node_name(result, tree.node)).place(result.nodes, tree.node);
        else
          line.text("").text("").text("");
        line.volts(tree.time_s).scientific(tree.error_s, 2);
        line.text(verdict_name(result.stress->trees[tree.tree].verdict));
      },
      kDigits);
}

void write_cascade_csv(const IrReport& result, const OutputPath& path) {
  constexpr int kDigits = 17;
  const std::vector<CascadeStage>& stages = result.stress->cascade->stages;
  write_table(
      path,
      "stage,tree,net,layer,node,x_um,y_um,segment,before_ohm,after_ohm,time_s,error_s,worst_node,worst_drop_v,bound_v,"
      "verdict",
      stages.size(),
      [&](size_t row, CsvLine&& line) {
        const CascadeStage& stage = stages[row];
        line.count(stage.stage).count(stage.tree).text(net_name(result, stage.net));
        line.text(layer_name(result, stage.layer)).text(node_name(result, stage.node));
        line.place(result.nodes, stage.node).text(result.circuit->element_name(kResistor, stage.resistor));
        line.number(stage.before_ohm).number(stage.after_ohm).number(stage.time_s).scientific(stage.error_s, 2);
        if (stage.cuts_off)
          line.text("").text("").text("");
        else
          line.text(node_name(result, stage.worst_node)).volts(stage.worst_drop_v).scientific(stage.bound_v, 2);
        line.text(stage.verdict());
      },
      kDigits);
}

}  // namespace gridiron
