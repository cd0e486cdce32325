// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/branches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "analysis/model/finding.hpp"
#include "analysis/model/nets.hpp"
#include "support/parallel_arrays.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

/// What ends at a node.
enum Ends : uint8_t { kHasCapacitor = 1, kHasInductor = 2, kHasOther = 4 };

/// What find_inside() says of a node. What inductors hold is inside where all of its part is: beyond the inductor of a
/// package are a pad's nodes.
enum Inside : uint8_t { kInside = 1, kHeldByInductors = 2 };

/// Resistors and inductors of the nodes at which a capacitor or an inductor ends.
class Ways {
 public:
  Ways(const std::vector<uint8_t>& ends, int64_t nodes) : ends_(ends) {
    assign_in_parallel(count_, nodes);
    assign_in_parallel(to_, nodes, kNone);
  }

  void add(NodeId a, NodeId b) {
    for (const auto& [n, other] : {std::pair(a, b), std::pair(b, a)}) {
      if ((ends_[n] & (kHasCapacitor | kHasInductor)) == 0) continue;
      std::atomic_ref(count_[n]).fetch_add(1, std::memory_order_relaxed);
      NodeId found = kNone;
      std::atomic_ref to(to_[n]);
      if (!to.compare_exchange_strong(found, other, std::memory_order_relaxed) && found != other)
        to.store(kSeveral, std::memory_order_relaxed);
    }
  }

  int32_t count(NodeId n) const { return count_[n]; }
  bool lead_to_one(NodeId n) const { return to_[n] >= 0; }

 private:
  static constexpr NodeId kNone = -1, kSeveral = -2;
  const std::vector<uint8_t>& ends_;
  std::vector<int32_t> count_;
  std::vector<NodeId> to_;
};

bool is_zero_element(const Elements& elements, int64_t i) { return elements.value[i] == 0; }

}  // namespace

std::vector<uint8_t> find_inside(const Circuit& circuit, const NodePlaces& places, const Merge& merge, int64_t own) {
  const Elements &r = circuit.resistors, &l = circuit.inductors, &c = circuit.capacitors;
  if (l.size() == 0 && c.size() == 0) return {};
  const int64_t nodes = circuit.node_count();
  std::vector<uint8_t> ends;
  assign_in_parallel(ends, nodes);
  const auto mark = [&](const Elements& elements, uint8_t as) {
    for (int64_t i = 0; i < elements.size(); ++i)
      if (elements.a[i] != elements.b[i]) ends[elements.a[i]] |= as, ends[elements.b[i]] |= as;
  };
  mark(circuit.voltage_sources, kHasOther);
  mark(circuit.current_sources, kHasOther);
  Ways ways(ends, nodes);
  for (int64_t i = 0; i < c.size(); ++i)
    if (c.a[i] != c.b[i] && !is_zero_element(c, i)) ends[c.a[i]] |= kHasCapacitor, ends[c.b[i]] |= kHasCapacitor;
  for (int64_t i = 0; i < l.size(); ++i)
    if (l.a[i] != l.b[i])
      for (const NodeId n : {l.a[i], l.b[i]}) ends[n] |= is_zero_element(l, i) ? kHasOther : kHasInductor;
  for (int64_t i = 0; i < l.size(); ++i)
    if (l.a[i] != l.b[i]) ways.add(l.a[i], l.b[i]);
  parallel_each(r.size(), [&](int64_t i) {
    const NodeId a = r.a[i], b = r.b[i];
    if (a == b) return;
    if (is_zero_element(r, i))
      for (const NodeId n : {a, b}) std::atomic_ref(ends[n]).fetch_or(kHasOther, std::memory_order_relaxed);
    else
      ways.add(a, b);
  });
  std::vector<uint8_t> inside;
  assign_in_parallel(inside, nodes);
  const bool is_any = parallel_sum<int64_t>(own + 1, [&](int64_t at) -> int64_t {
                        const auto n = static_cast<NodeId>(at);
                        if (n == kGround || (ends[n] & kHasOther) != 0) return 0;
                        if (places.layer[n] >= 0) return 0;
                        const bool is_in_series = ends[n] == kHasInductor && ways.count(n) == 2;
                        const bool is_dead_end = (ends[n] & kHasCapacitor) != 0 && ways.lead_to_one(n);
                        if (!is_in_series && !is_dead_end) return 0;
                        inside[n] = merge.group[n] < merge.unknowns ? kInside : kHeldByInductors;
                        return 1;
                      }) > 0;
  return is_any ? inside : std::vector<uint8_t>();
}

PartNodes count_part_nodes(const std::vector<uint8_t>& inside, const Parts& parts, const Merge& merge, int64_t own) {
  const auto count = static_cast<size_t>(parts.count());
  PartNodes nodes{std::vector<double>(count, 0.0), std::vector<double>(count, 0.0)};
  for (int64_t n = 1; n <= own; ++n) {
    if (merge.group[n] >= merge.unknowns) {
      if (inside.empty() || inside[n] == 0) ++nodes.held[parts.part[n]];
    } else if (inside.empty() || inside[n] == 0)
      ++nodes.free[parts.part[n]];
  }
  return nodes;
}

void keep_whole_grids(const PartNodes& nodes, const Parts& parts, std::vector<uint8_t>& inside) {
  parallel_each(std::ssize(inside), [&](int64_t n) {
    if (inside[n] == 0) return;
    const int32_t part = parts.part[n];
    const bool is_all_there_is = nodes.free[part] == 0, is_held = nodes.held[part] > 0;
    const bool is_grid = inside[n] == kInside ? is_all_there_is && is_held : !is_all_there_is || is_held;
    inside[n] = is_grid ? 0 : kInside;
  });
}

std::vector<double> find_widest_to_ground(const Network& network, const Parts& parts, const Merge& merge) {
  const auto is_held = [&](NodeId n) { return n == kGround || merge.group[n] >= merge.unknowns; };
  const auto from_held = parallel_list<int64_t>(network.edges(), [&](int64_t e, auto& list) {
    if (is_held(network.a[e]) != is_held(network.b[e])) list.push_back(e);
  });
  std::vector<double> widest(parts.count(), 0.0);
  for (const int64_t e : from_held) {
    double& of_part = widest[parts.part[is_held(network.a[e]) ? network.b[e] : network.a[e]]];
    of_part = std::max(of_part, network.conductance[e]);
  }
  return widest;
}

Branches find_branches(const Circuit& circuit, const NodePlaces& places, const Network& network, const Parts& parts,
                       const Merge& merge) {
  Branches branches;
  const int64_t own = network.nodes - 1;
  branches.inside = find_inside(circuit, places, merge, own);
  if (!branches.inside.empty())
    keep_whole_grids(count_part_nodes(branches.inside, parts, merge, own), parts, branches.inside);
  const bool is_grounded = parallel_sum<int64_t>(network.edges(), [&](int64_t e) -> int64_t {
                             return network.a[e] == kGround || network.b[e] == kGround ? 1 : 0;
                           }) > 0;
  if (is_grounded) branches.widest_to_ground = find_widest_to_ground(network, parts, merge);
  return branches;
}

std::vector<NodeId> leaking_nodes(const Network& network, const Parts& parts, const Nets& nets,
                                  const Branches& branches) {
  if (branches.widest_to_ground.empty()) return {};
  return parallel_list<NodeId>(network.edges(), [&](int64_t e, auto& list) {
    if (network.a[e] != kGround && network.b[e] != kGround) return;
    const NodeId n = network.a[e] == kGround ? network.b[e] : network.a[e];
    const int32_t part = parts.part[n], first = nets.first_of_part[part];
    if (nets.first_of_part[part + 1] != first + 1 || !nets.nets[nets.candidates[first]].is_ground()) return;
    if (branches.is_leak(part, network.conductance[e])) list.push_back(n);
  });
}

std::vector<Finding> branch_findings(int64_t inside, int64_t leaks, const std::string& leaking) {
  std::vector<Finding> findings;
  if (inside > 0)
    findings.push_back(
        {Finding::Severity::info, "branch-nodes",
         fmt::format("{} inside of branches of capacitors and inductors {} of no net: statistics, limits "
                     "and pads leave {} out",
                     counted(inside, "node"), inside == 1 ? "is" : "are", inside == 1 ? "it" : "them"),
         ""});
  if (leaks > 0)
    findings.push_back({Finding::Severity::info, "ground-leaks",
                        fmt::format("{} from a ground net to node 0, the first at {}, {} over a hundred times the "
                                    "resistance of the widest way there: {}, not {}",
                                    counted(leaks, "resistor"), leaking, leaks == 1 ? "has" : "have",
                                    leaks == 1 ? "a leak" : "leaks", leaks == 1 ? "a pad" : "pads"),
                        ""});
  return findings;
}

}  // namespace gridiron
