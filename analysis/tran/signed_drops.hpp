// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/model/topology.hpp"
#include "analysis/results/ir_report.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {

/// Drops of all nodes from their deviations: rest + sign · deviation. On a ground net this is the bounce with its sign;
/// the sign is 0 where there is no drop.
struct SignedDrops {
  SignedDrops(const IrReport& dc, const Topology& topology)
      : rest(dc.nodes.voltage_v.size(), 0.0), sign(rest.size(), 0), is_bounce(rest.size(), 0) {
    parallel_each(std::ssize(rest), [&](int64_t n) {
      if (dc.nodes.net[n] < 0) return;
      const NetResult& net = dc.nets[dc.nodes.net[n]];
      const bool is_inverted = topology.nets.inverted[topology.parts.part[n]] != 0;
      sign[n] = (net.is_ground ? is_inverted : net.nominal_v > 0) ? -1 : 1;
      rest[n] = net.is_ground ? dc.nodes.voltage_v[n] : dc.nodes.drop_v[n];
      is_bounce[n] = net.is_ground;
    });
  }

  double at(size_t n, double deviation) const { return rest[n] + sign[n] * deviation; }

  std::vector<double> rest;
  std::vector<int8_t> sign;
  std::vector<char> is_bounce;
};

}  // namespace gridiron
