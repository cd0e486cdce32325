// SPDX-License-Identifier: Apache-2.0
// The worst case over budgets: Solver.bound_over_budget().
#include <algorithm>
#include <filesystem>

#include "analysis/insight/budget_bound.hpp"
#include "netlist/budget_table.hpp"
#include "python/bindings.hpp"
#include "python/solver.hpp"
#include "python/tables.hpp"
#include "python/views.hpp"

namespace gridiron::python {
namespace {

py::dict shown(const BudgetNode& node) {
  py::dict d;
  d["node"] = node.node;
  d["net"] = node.net;
  d["drop_v"] = node.drop_v;
  d["bound_v"] = node.bound_v;
  d["deck_drop_v"] = node.deck_drop_v;
  d["full_blocks"] = node.full_blocks;
  return d;
}

py::list shown(const std::vector<BudgetNode>& nodes) {
  py::list list;
  for (const BudgetNode& node : nodes) list.append(shown(node));
  return list;
}

py::dict shown(const BudgetNet& net) {
  NewBlock amperes(static_cast<std::int64_t>(net.load_a.size()), 1, true);
  std::ranges::copy(net.load_a, amperes.block.data);
  py::dict d;
  d["net"] = net.net;
  d["worst"] = shown(net.worst);
  d["ceiling_v"] = net.ceiling_v;
  d["is_certain"] = net.is_certain;
  d["candidates"] = net.candidates;
  d["solved"] = net.solved;
  d["load_a"] = amperes.array;
  d["check_drop_v"] = net.check_drop_v;
  d["check_bound_v"] = net.check_bound_v;
  return d;
}

py::dict shown(const BudgetReport& budget) {
  py::list nets, blocks;
  for (const BudgetNet& net : budget.nets) nets.append(shown(net));
  for (const BudgetBlock& block : budget.blocks) {
    py::dict d;
    d["members"] = Text(block.members);
    d["loads"] = block.loads;
    d[block.is_power ? "most_w" : "most_a"] = block.most;
    blocks.append(d);
  }
  py::dict d;
  d["nets"] = nets;
  d["nodes"] = shown(budget.chosen);
  d["blocks"] = blocks;
  d["adjoint_solves"] = budget.adjoint_solves;
  return d;
}

py::dict bound(InterruptibleSolver& solver, const IrReport& report, const std::filesystem::path& budget,
               const std::vector<Text>& nodes, std::size_t worst, std::int64_t most_solves) {
  BudgetOptions options;
  options.nodes.assign(nodes.begin(), nodes.end());
  options.worst = std::max<std::size_t>(1, worst);
  options.most_solves = std::max<std::int64_t>(1, most_solves);
  const BudgetTable table = read_budget(budget.string());
  note_table(report.design, budget);
  BudgetReport found;
  solver.call([&](Solver& s) { found = bound_over_budget(s, report, table, options); });
  return shown(found);
}

}  // namespace

void bind_budget(py::class_<InterruptibleSolver>& solver) {
  solver.def(
      "bound_over_budget", bound, py::arg("report"), py::arg("budget"), py::arg("nodes") = std::vector<Text>(),
      py::arg("worst") = 10, py::arg("most_solves") = 1000,
      "The worst case without vectors: the largest drops over all loads that a budget file allows, certified.\n\n"
      "report: that of the netlist's loads. budget: a CSV file, see docs/without_vectors.md. nodes: to be bounded, "
      "too. "
      "worst: how many nodes of each net are listed. most_solves: adjoint solves per net in search of its worst "
      "node.\n\n"
      "{'nets': [{'net', 'worst', 'ceiling_v' (no node drops more), 'is_certain', 'candidates', 'solved', 'load_a' (of "
      "Design.current_sources, at the worst), 'check_drop_v', 'check_bound_v'}], 'nodes', 'blocks', 'adjoint_solves'}; "
      "nodes are {'node', 'net', 'drop_v', 'bound_v', 'deck_drop_v', 'full_blocks'}.");
}

}  // namespace gridiron::python
