// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/steps/node_currents.hpp"

#include <algorithm>
#include <utility>

#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {

NodeCurrents::NodeCurrents(const Merge& merge, const Sources& loads, const Storage& storage)
    : loads_(loads.size()), nodes_(merge.unknowns) {
  constexpr int64_t kGrain = 1 << 13;
  struct Into {
    Entry entry;
    bool is_load, is_turned;
  };
  const auto for_each = [&](auto&& take) {
    const auto add = [&](const std::vector<NodeId>& nodes, bool is_load, bool is_turned) {
      for (size_t row = 0; row < nodes.size(); ++row)
        if (const int32_t node = merge.group[nodes[row]]; node < nodes_)
          take(Into{{node, static_cast<int32_t>(row)}, is_load, is_turned});
    };
    add(loads.b, true, false), add(loads.a, true, true);
    add(storage.a, false, false), add(storage.b, false, true);
  };
  std::vector<int64_t> at(nodes_ + 1, 0);
  for_each([&](const Into& into) { ++at[into.entry.node + 1]; });
  for (int32_t node = 0; node < nodes_; ++node) at[node + 1] += at[node];
  const std::vector<int64_t> first = at;
  std::vector<Into> by_node(at.back());
  for_each([&](const Into& into) { by_node[at[into.entry.node]++] = into; });

  entries_.reserve(by_node.size());
  std::vector<Entry> of_kind[kKinds];
  for (int32_t node = 0; node < nodes_;) {
    Chunk& chunk = chunks_.emplace_back(Chunk{node, {}});
    const int64_t begin = first[node] + node;
    for (; node < nodes_ && first[node] + node - begin < kGrain; ++node)
      for (int64_t k = first[node]; k < first[node + 1]; ++k)
        of_kind[kind(k == first[node], by_node[k].is_load, by_node[k].is_turned)].push_back(by_node[k].entry);
    for (int kind = 0; kind < kKinds; ++kind) {
      chunk.start[kind] = std::ssize(entries_);
      append(entries_, of_kind[kind]);
      of_kind[kind].clear();
    }
    chunk.start[kKinds] = std::ssize(entries_);
  }
}

template <int kKind>
void NodeCurrents::sum_kind(const Entry* begin, const Entry* end, const double* from, double* into) const {
  for (const Entry* entry = begin; entry != end; ++entry) {
    const double amperes = is_turned(kKind) ? -from[entry->row] : from[entry->row];
    if constexpr (is_first(kKind))
      into[entry->node] = amperes;
    else
      into[entry->node] += amperes;
  }
}

void NodeCurrents::sum(Block<const double> load, Block<const double> history, Block<double> injection,
                       bool fills) const {
  const int64_t chunks = std::ssize(chunks_);
  if (chunks == 0) return;
  parallel_tasks(chunks * injection.columns, [&](int64_t task) {
    const int64_t j = task / chunks, c = task % chunks;
    const Chunk& chunk = chunks_[c];
    double* const into = injection.data + j * injection.rows;
    if (fills) std::fill(into + chunk.first_node, into + (c + 1 < chunks ? chunks_[c + 1].first_node : nodes_), 0.0);
    const double *const loads = load.data + j * load.rows, *const histories = history.data + j * history.rows;
    const auto sum_all = [&]<int... kKind>(std::integer_sequence<int, kKind...>) {
      (sum_kind<kKind>(entries_.data() + chunk.start[kKind], entries_.data() + chunk.start[kKind + 1],
                       is_load(kKind) ? loads : histories, into),
       ...);
    };
    sum_all(std::make_integer_sequence<int, kKinds>());
  });
}

void NodeCurrents::list(StepTables& tables) const {
  tables.first_entry.assign(nodes_ + 1, 0);
  for (const Entry& entry : entries_) ++tables.first_entry[entry.node + 1];
  for (int32_t n = 0; n < nodes_; ++n) tables.first_entry[n + 1] += tables.first_entry[n];
  std::vector<int64_t> at(tables.first_entry.begin(), tables.first_entry.end() - 1);
  tables.current.resize(entries_.size());
  tables.sign.resize(entries_.size());
  for (const Chunk& chunk : chunks_)
    for (int kind = 0; kind < kKinds; ++kind)
      for (int64_t k = chunk.start[kind]; k < chunk.start[kind + 1]; ++k) {
        const auto [node, row] = entries_[k];
        tables.current[at[node]] = static_cast<int32_t>(row + (is_load(kind) ? 0 : loads_));
        tables.sign[at[node]++] = is_turned(kind) ? -1 : 1;
      }
}

}  // namespace gridiron
