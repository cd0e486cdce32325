// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/shared_nodes_csv.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/distributed/shared_nodes.hpp"
#include "reports/lookup.hpp"
#include "reports/tables/csv.hpp"
#include "reports/tables/shared_file.hpp"
#include "support/ordered_bits.hpp"

namespace gridiron {
namespace {

/// The order of the file as that of integers: large drops before small ones, then by the order of the deck.
__extension__ using Rank = unsigned __int128;
Rank rank_of(double drop_v, int64_t serial) {
  return Rank{~ordered_bits(drop_v + 0.0)} << 64 | static_cast<uint64_t>(serial);
}

/// The first ranks of processes 1, 2, …, by bisection for all at once, so that each has as many rows.
std::vector<Rank> first_ranks(const Communicator& all, std::vector<Rank> ranks) {
  std::ranges::sort(ranks);
  const auto total = distributed::sum(all, static_cast<double>(ranks.size()));
  const size_t cuts = all.count() - 1;
  std::vector<Rank> low(cuts, 0), high(cuts, ~Rank{0});
  for (int bit = 0; bit < 128; ++bit) {
    std::vector<double> below(cuts);
    const auto middle = [&](size_t k) { return low[k] + (high[k] - low[k]) / 2; };
    for (size_t k = 0; k < cuts; ++k)
      below[k] = static_cast<double>(std::ranges::lower_bound(ranks, middle(k)) - ranks.begin());
    all.sum(below);
    for (size_t k = 0; k < cuts; ++k)
      if (below[k] >= total * static_cast<double>(k + 1) / all.count())
        high[k] = middle(k);
      else if (low[k] < high[k])
        low[k] = middle(k) + 1;
  }
  return high;
}

/// The nodes whose rows this process writes, as a result of its own.
IrReport own_rows(const Communicator& all, const distributed::SharedIr& result) {
  const distributed::LocalCircuit& local = *result.grid.local;
  const NodeTable& nodes = result.nodes;
  std::vector<Rank> ranks;
  for (NodeId n = 1; n <= local.own; ++n)
    if (has_drop(nodes, n)) ranks.push_back(rank_of(nodes.drop_v[n], local.serial[n]));
  const std::vector<Rank> first = first_ranks(all, std::move(ranks));
  std::vector<distributed::Writer> to(all.count());
  for (NodeId n = 1; n <= local.own; ++n) {
    if (!has_drop(nodes, n)) continue;
    const Rank rank = rank_of(nodes.drop_v[n], local.serial[n]);
    const size_t p = std::ranges::upper_bound(first, rank) - first.begin();
    to[p].put(distributed::row_of(local, nodes, n));
    to[p].put(local.circuit.node_name(n));
  }
  const std::vector<Communicator::Bytes> messages = distributed::all_to_all(all, std::move(to));
  IrReport report;
  distributed::set_nodes(messages, report);
  report.nets = result.report.nets;
  report.certificate = result.report.certificate;
  report.layer_names = result.report.layer_names;
  return report;
}

}  // namespace

void write_shared_nodes_csv(const Communicator& all, const distributed::SharedIr& result, const OutputPath& path) {
  const IrReport rows = own_rows(all, result);
  write_shared_file(all, path, [&](const TakeText& take) { pass_nodes_csv(rows, all.rank() == 0, take); });
}

}  // namespace gridiron
