// SPDX-License-Identifier: Apache-2.0
#include "reports/text/openroad_block.hpp"

#include "analysis/model/statistics.hpp"
#include "analysis/results/segments.hpp"
#include "reports/lookup.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/insight_text.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/print.hpp"
#include "reports/text/text_parts.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// Changes the averages of each net to those over its nodes of wires and vias, where there are some.
void leave_out_terminals(const IrReport& result, std::vector<OpenRoadAverages>& averages) {
  struct Sums {
    Statistics voltages, drops;
  };
  using OfNets = std::vector<Sums>;
  const NodeTable& nodes = result.nodes;
  const TerminalNodes terminals(*result.circuit);
  const OfNets sums = joined_ranges<OfNets>(
      std::ssize(nodes.net),
      [&](int64_t begin, int64_t end) {
        OfNets some(result.nets.size());
        for (int64_t n = begin; n < end; ++n) {
          if (!has_drop(nodes, static_cast<size_t>(n)) || terminals.has(static_cast<NodeId>(n))) continue;
          some[nodes.net[n]].voltages.add(nodes.voltage_v[n], n);
          some[nodes.net[n]].drops.add(nodes.drop_v[n], n);
        }
        return some;
      },
      [](OfNets& all, const OfNets& some) {
        all.resize(some.size());
        for (size_t k = 0; k < some.size(); ++k) {
          all[k].voltages.take(some[k].voltages);
          all[k].drops.take(some[k].drops);
        }
      });
  for (size_t k = 0; k < sums.size(); ++k)
    if (sums[k].drops.count > 0) averages[k] = {sums[k].voltages.average(), sums[k].drops.average()};
}

void print_block(std::string& out, const NetResult& net, const OpenRoadAverages& average, const std::string& corner) {
  print(out, "########## IR report #################\n");
  print(out, "Net              : {}\n", printable(net.name));
  print(out, "Corner           : {}\n", printable(corner));
  print(out, "Total power      : {:3.2e} W\n", net.total_power_w);
  print(out, "Supply voltage   : {:3.2e} V\n", net.nominal_v);
  print(out, "Worstcase voltage: {:3.2e} V\n", net.worst_voltage_v);
  print(out, "Average voltage  : {:3.2e} V\n", average.voltage_v);
  print(out, "Average IR drop  : {:3.2e} V\n", average.drop_v);
  print(out, "Worstcase IR drop: {:3.2e} V\n", net.worst_drop_v);
  print(out, "Percentage drop  : {}\n", percent(net, net.worst_drop_v));
  print(out, "######################################\n");
}

}  // namespace

std::vector<OpenRoadAverages> openroad_averages(const IrReport& result) {
  std::vector<OpenRoadAverages> averages;
  for (const NetResult& net : result.nets) averages.push_back({net.average_voltage_v, net.average_drop_v});
  const auto& placement = result.circuit ? result.circuit->placement : nullptr;
  if (placement && !placement->nets.empty()) leave_out_terminals(result, averages);
  return averages;
}

std::string openroad_ir_blocks(const IrReport& result) {
  const std::vector<OpenRoadAverages> averages = openroad_averages(result);
  std::string out;
  for (size_t k = 0; k < result.nets.size(); ++k) print_block(out, result.nets[k], averages[k], corner_of(result));
  return out;
}

}  // namespace gridiron
