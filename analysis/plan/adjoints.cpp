// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/adjoints.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/insight/sensitivity.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr double kAmperes = 0.1;  ///< the currents solved for: as large as those of loads, so that tolerances fit
constexpr int64_t kAtOnce = 16;

/// Calls f(node, weight) for every node that fᵀv has.
template <class F>
void for_each_weight(const IrReport& report, const Topology& topology, const std::vector<int64_t>& edge_of,
                     const Watched& w, F&& f) {
  switch (w.kind) {
    case Watched::Kind::drop:
      f(w.node, 1.0);
      break;
    case Watched::Kind::current: {
      const Elements& resistors = report.circuit->resistors;
      const double g = topology.grid.network.conductance[edge_of[w.resistor]];
      f(resistors.a[w.resistor], g);
      f(resistors.b[w.resistor], -g);
      break;
    }
    case Watched::Kind::average: {
      const AveragedNodes averaged = averaged_nodes(report, w.net, w.layer);
      for (const NodeId n : averaged.nodes) f(n, averaged.share);
      break;
    }
  }
}

double sign_of(const Trial& trial, const Watched& w) {
  const std::vector<double>& volts = trial.answers[w.vector].voltage_v;
  if (w.kind == Watched::Kind::current) {
    const Elements& resistors = trial.report.circuit->resistors;
    return volts[resistors.a[w.resistor]] >= volts[resistors.b[w.resistor]] ? 1 : -1;
  }
  const NodeId node = w.kind == Watched::Kind::drop ? w.node : trial.report.nets[w.net].worst_node;
  const int32_t net = w.kind == Watched::Kind::drop ? trial.report.nodes.net[w.node] : w.net;
  return drop_sign(trial.report.nets[net], volts[node]);
}

}  // namespace

std::vector<Adjoint> find_adjoints(PlanGrid& grid, const Trial& trial, std::span<const Watched> watched) {
  Solver& solver = grid.solver();
  const System& system = solver.system();
  const Merge& merge = system.topology().merge;
  const int64_t rows = system.network().nodes;
  std::vector<Adjoint> adjoints;
  for (int64_t first = 0; first < std::ssize(watched); first += kAtOnce) {
    const int64_t count = std::min<int64_t>(kAtOnce, std::ssize(watched) - first);
    std::vector<double> injection(rows * count, 0.0), volts(rows * count, 0.0), amperes(count, kAmperes);
    for (int64_t k = 0; k < count; ++k) {
      double largest = 0;
      const Watched& w = watched[first + k];
      for_each_weight(trial.report, system.topology(), grid.edge_of(), w, [&](NodeId n, double weight) {
        if (n == kGround || merge.group[n] >= merge.unknowns) return;
        injection[k * rows + merge.group[n]] += weight;
        largest = std::max(largest, std::abs(weight));
      });
      if (w.kind == Watched::Kind::current && largest > 0) amperes[k] = kAmperes / largest;
      for (double& i : std::span(injection).subspan(k * rows, rows)) i *= amperes[k];
    }
    solver.solve({injection.data(), rows, count}, {volts.data(), rows, count});
    for (int64_t k = 0; k < count; ++k) {
      Adjoint adjoint;
      adjoint.sign = sign_of(trial, watched[first + k]);
      adjoint.of_node.resize(merge.group.size());
      parallel_each(std::ssize(merge.group), [&](int64_t n) {
        const int32_t group = merge.group[n];
        const bool is_free = n != kGround && group < merge.unknowns && system.connected_system()[group] >= 0;
        adjoint.of_node[n] = is_free ? volts[k * rows + group] / amperes[k] : 0.0;
      });
      adjoints.push_back(std::move(adjoint));
    }
  }
  return adjoints;
}

std::vector<double> strap_slopes(const PlanGrid& grid, const Trial& trial, const Watched& watched,
                                 const Adjoint& adjoint) {
  const Elements& resistors = trial.report.circuit->resistors;
  const std::vector<double>& volts = trial.answers[watched.vector].voltage_v;
  const std::vector<double>& conductance = grid.solver().system().topology().grid.network.conductance;
  std::vector<double> slopes(grid.straps().size());
  parallel_each(
      std::ssize(slopes),
      [&](int64_t s) {
        double slope = 0;
        for (const int64_t r : grid.straps()[s].resistors) {
          const NodeId a = resistors.a[r], b = resistors.b[r];
          const double g = conductance[grid.edge_of()[r]];
          slope -= adjoint.sign * g * (adjoint.of_node[a] - adjoint.of_node[b]) * (volts[a] - volts[b]);
          if (r == watched.resistor) slope += watched.value;
        }
        slopes[s] = slope;
      },
      64);
  return slopes;
}

}  // namespace gridiron
