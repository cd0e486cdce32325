// SPDX-License-Identifier: Apache-2.0
// paper_check PAPER agrees|misses [NAME...]: whether tables of a paper that take a few seconds do, and figures are
// missed in each column or row of these names.
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/papers/cheap_tables.hpp"
#include "analysis/papers/paper.hpp"
#include "analysis/papers/sgml_tables.hpp"
#include "analysis/papers/stokes_iterations.hpp"
#include "analysis/papers/stokes_kernel_tables.hpp"
#include "support/context.hpp"

namespace gridiron {
namespace {

using Tables = std::vector<PaperTable>;

Tables sgml() { return {sgml_discretisation_errors({257}), sgml_against_plain(3)}; }

Tables stokes() {
  StokesRuns runs({16, 32});
  for (const StokesPreconditioner* p : {&kVanka, &kSimpleVanka, &kBraessSarazin, &kThreeSweeps}) runs.add(*p);
  Tables tables = stokes_kernel_tables();
  tables.push_back(stokes_iterations(runs));
  tables.push_back(stokes_iteration_statements(runs));
  return tables;
}

Tables psc() {
  Tables tables = psc_errors_by_precision();
  tables.push_back(psc_unit_square(8, 4));
  tables.push_back(psc_storage());
  tables.push_back(psc_operations());
  return tables;
}

Tables aggamg() { return {aggamg_hierarchy()}; }

Tables gpuhmd() {
  constexpr int64_t kNodes[] = {50'000, 100'000};
  return {gpuhmd_growth(kNodes, {})};
}

struct Check {
  std::string_view paper;
  Tables (*tables)();
};
constexpr Check kChecks[] = {{"sgml", sgml}, {"stokes", stokes}, {"psc", psc}, {"aggamg", aggamg}, {"gpuhmd", gpuhmd}};

void print(const Tables& tables) {
  for (const PaperTable& table : tables)
    for (const PaperRow& row : table.rows)
      for (size_t k = 0; k < row.cells.size(); ++k)
        std::printf("%s | %s: %g, %s %s%s\n", row.name.c_str(), table.columns[k].name.c_str(), row.cells[k].ours,
                    table.columns[k].source.c_str(), row.cells[k].paper.c_str(),
                    agrees(table.columns[k], row.cells[k]) ? "" : " misses");
}

/// What is judged without saying why.
int judged_without_reason(const Tables& tables) {
  int count = 0;
  for (const PaperTable& table : tables)
    for (const PaperColumn& column : table.columns) count += column.rule != Rule::shown && column.reason.empty();
  return count;
}

/// Without an explanation, in columns or rows of this name.
int missed_in(const Tables& tables, std::string_view name) {
  int count = 0;
  for (const PaperTable& table : tables)
    for (const PaperRow& row : table.rows)
      for (size_t k = 0; k < row.cells.size(); ++k)
        if (table.columns[k].name == name || row.name == name)
          count += verdict(table.columns[k], row, row.cells[k]) == "missed";
  return count;
}

int check(std::string_view paper, std::string_view expected, std::span<char* const> names) {
  const ThreadCount one(1);
  for (const Check& check : kChecks) {
    if (check.paper != paper) continue;
    const PaperResult result{&find_paper(paper), check.tables()};
    print(result.tables);
    const PaperResult::Tally tally = result.tally();
    std::printf("%d judged, %d miss without an explanation\n", tally.judged, tally.unexplained());
    if (judged_without_reason(result.tables) > 0) return 1;
    for (const std::string_view name : names)
      if (missed_in(result.tables, name) == 0) {
        std::printf("nothing is missed in %s\n", std::string(name).c_str());
        return 1;
      }
    return tally.judged > 0 && (tally.unexplained() > 0) == (expected == "misses") ? 0 : 1;
  }
  std::printf("no such paper\n");
  return 2;
}

}  // namespace
}  // namespace gridiron

int main(int count, char** arguments) {
  if (count < 3) return 2;
  return gridiron::check(arguments[1], arguments[2], std::span(arguments + 3, arguments + count));
}
