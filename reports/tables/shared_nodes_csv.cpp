// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/shared_nodes_csv.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "reports/lookup.hpp"
#include "reports/tables/csv.hpp"
#include "reports/tables/named_rows.hpp"
#include "reports/tables/shared_file.hpp"

namespace gridiron {
namespace {

/// A node on its way to the process that writes its row.
struct Row {
  std::int64_t serial;
  double voltage_v, drop_v, x_um, y_um;
  std::int32_t net, layer;
  std::uint32_t name_bytes;
};

/// The order of the file as that of integers: large drops before small ones, then by the order of the deck.
__extension__ using Rank = unsigned __int128;
Rank rank_of(double drop_v, std::int64_t serial) {
  const auto bits = std::bit_cast<std::uint64_t>(drop_v + 0.0);
  const std::uint64_t ascending = bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
  return Rank{~ascending} << 64 | static_cast<std::uint64_t>(serial);
}

/// The first ranks of processes 1, 2, …, by bisection for all at once, so that each has as many rows.
std::vector<Rank> first_ranks(const Communicator& all, std::vector<Rank> ranks) {
  std::ranges::sort(ranks);
  const auto total = distributed::sum(all, static_cast<double>(ranks.size()));
  const auto cuts = static_cast<std::size_t>(all.count() - 1);
  std::vector<Rank> low(cuts, 0), high(cuts, ~Rank{0});
  for (int bit = 0; bit < 128; ++bit) {
    std::vector<double> below(cuts);
    const auto middle = [&](std::size_t k) { return low[k] + (high[k] - low[k]) / 2; };
    for (std::size_t k = 0; k < cuts; ++k)
      below[k] = static_cast<double>(std::ranges::lower_bound(ranks, middle(k)) - ranks.begin());
    all.sum(below);
    for (std::size_t k = 0; k < cuts; ++k)
      if (below[k] >= total * static_cast<double>(k + 1) / all.count())
        high[k] = middle(k);
      else if (low[k] < high[k])
        low[k] = middle(k) + 1;
  }
  return high;
}

/// The nodes whose rows this process writes, as a result of its own in the order of the deck.
struct OwnRows {
  Circuit circuit;
  std::vector<double> x_um, y_um;
  std::vector<std::int32_t> layer;
  IrReport report;
};

std::unique_ptr<OwnRows> own_rows(const Communicator& all, const distributed::SharedIr& result) {
  const distributed::LocalCircuit& local = *result.grid.local;
  const NodeTable& nodes = result.nodes;
  std::vector<Rank> ranks;
  for (NodeId n = 1; n <= local.own; ++n)
    if (has_drop(nodes, n)) ranks.push_back(rank_of(nodes.drop_v[n], local.serial[n]));
  const std::vector<Rank> first = first_ranks(all, std::move(ranks));
  NamedRows<Row> sent(all);
  for (NodeId n = 1; n <= local.own; ++n) {
    if (!has_drop(nodes, n)) continue;
    const Rank rank = rank_of(nodes.drop_v[n], local.serial[n]);
    sent.send(std::ranges::upper_bound(first, rank) - first.begin(),
              {local.serial[n], nodes.voltage_v[n], nodes.drop_v[n], nodes.x_um[n], nodes.y_um[n], nodes.net[n],
               nodes.layer[n], 0},
              local.circuit.node_name(n));
  }
  const auto rows = sent.received();

  auto own = std::make_unique<OwnRows>();
  NodeTable& table = own->report.nodes;
  own->circuit.nodes.intern("0");
  table.voltage_v = table.drop_v = {0};
  own->x_um = own->y_um = {NAN};
  table.net = own->layer = {-1};
  table.state = {NodeState::ground};
  for (const auto& [row, name] : rows) {
    own->circuit.nodes.intern(name);
    table.voltage_v.push_back(row.voltage_v);
    table.drop_v.push_back(row.drop_v);
    own->x_um.push_back(row.x_um);
    own->y_um.push_back(row.y_um);
    own->layer.push_back(row.layer);
    table.net.push_back(row.net);
    table.state.push_back(NodeState::solved);
  }
  table.x_um = own->x_um;
  table.y_um = own->y_um;
  table.layer = own->layer;
  own->report.circuit = &own->circuit;
  own->report.nets = result.report.nets;
  own->report.certificate = result.report.certificate;
  own->report.layer_names = result.report.layer_names;
  return own;
}

}  // namespace

void write_shared_nodes_csv(const Communicator& all, const distributed::SharedIr& result, const OutputPath& path) {
  const std::unique_ptr<OwnRows> own = own_rows(all, result);
  write_shared_file(all, path, [&](const TakeText& take) { pass_nodes_csv(own->report, all.rank() == 0, take); });
}

}  // namespace gridiron
