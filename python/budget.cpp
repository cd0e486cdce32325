// SPDX-License-Identifier: Apache-2.0
// The worst case over budgets: Solver.bound_over_budget().
#include <algorithm>
#include <filesystem>

#include "analysis/insight/budget_bound.hpp"
#include "netlist/tables/budget_table.hpp"
#include "python/bindings.hpp"
#include "python/fields.hpp"
#include "python/solver.hpp"
#include "python/tables.hpp"
#include "python/views.hpp"

namespace gridiron::python {
namespace {

py::object shown(const BudgetReport& budget) {
  const py::object d = shown_fields(budget);
  for (size_t k = 0; k < budget.nets.size(); ++k) {
    const std::vector<double>& load_a = budget.nets[k].load_a;
    NewBlock amperes(std::ssize(load_a), 1, true);
    std::ranges::copy(load_a, amperes.block.data);
    d["nets"][py::int_(k)]["load_a"] = amperes.array;
  }
  return d;
}

py::object bound(InterruptibleSolver& solver, const IrReport& report, const std::filesystem::path& budget,
                 const std::vector<Text>& nodes, size_t worst, int64_t most_solves) {
  BudgetOptions options;
  options.nodes.assign(nodes.begin(), nodes.end());
  options.worst = std::max<size_t>(1, worst);
  options.most_solves = std::max<int64_t>(1, most_solves);
  const BudgetTable table = read_budget(budget.string());
  note_table(report.design, budget);
  BudgetReport found;
  solver.call([&](Solver& s) { found = bound_over_budget(s, report, table, options); });
  return shown(found);
}

}  // namespace

void bind_budget(py::class_<InterruptibleSolver>& solver) {
  solver.def(
      "bound_over_budget", bound, "report"_a, "budget"_a, "nodes"_a = std::vector<Text>(), "worst"_a = 10,
      "most_solves"_a = 1000,
      ("The worst case without vectors: the largest drops over all loads that a budget file allows, certified.\n\n"
       "report: that of the netlist's loads. budget: a CSV file, see docs/without_vectors.md. nodes: to be bounded, "
       "too. worst: how many nodes of each net are listed. most_solves: adjoint solves per net in search of its worst "
       "node.\n\n" +
       keys_of<BudgetReport>() + "; nets are " + keys_of<BudgetNet>() + " and 'load_a' of Design.current_sources at " +
       "the worst; nodes are " + keys_of<BudgetNode>() + "; blocks are " + keys_of<BudgetBlock>() + ".")
          .c_str());
}

}  // namespace gridiron::python
