// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/steps/step_nodes.hpp"

#include <utility>

namespace gridiron {

StepNodes::StepNodes(Merge of_steps, const Sources& loads, const Storage& storage)
    : merge(std::move(of_steps)), currents(merge, loads, storage) {
  for (int64_t e = 0; e < storage.size(); ++e) {
    group_a.push_back(merge.group[storage.a[e]]);
    group_b.push_back(merge.group[storage.b[e]]);
  }
}

StepTables StepNodes::tables(const Sources& loads, const Storage& storage, int64_t scenarios) const {
  StepTables tables;
  tables.nodes = merge.unknowns;
  tables.loads = loads.size();
  tables.capacitors = storage.capacitors;
  tables.scenarios = scenarios;
  currents.list(tables);
  const auto place = [&](int32_t group) { return group < merge.unknowns ? group : -1; };
  for (int64_t e = 0; e < storage.size(); ++e) {
    tables.group_a.push_back(place(group_a[e]));
    tables.group_b.push_back(place(group_b[e]));
  }
  return tables;
}

}  // namespace gridiron
