// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/metal_trees.hpp"

#include <atomic>
#include <utility>

#include "device/disjoint_sets.hpp"
#include "support/parallel_arrays.hpp"
#include "support/union_find.hpp"

namespace gridiron {
namespace {

bool is_wire(MetalKind kind) {
  return kind == MetalKind::metal || kind == MetalKind::no_section || kind == MetalKind::no_place;
}

class TreeFinder {
 public:
  TreeFinder(const IrReport& report, const Topology& topology, const Metal& metal)
      : circuit_(*report.circuit),
        nodes_(report.nodes),
        topology_(topology),
        metal_(metal),
        sets_(static_cast<int32_t>(circuit_.node_count())) {}

  MetalTrees find() {
    join_wires();
    find_fed();
    list_ties();
    find_trees();
    if (!ties_.empty()) join_ties();
    number();
    mark_unknown();
    return std::move(trees_);
  }

 private:
  using Tie = std::pair<NodeId, NodeId>;

  bool is_layered(NodeId n) const { return nodes_.layer[n] >= 0; }
  bool is_package(NodeId n) { return !is_layered(n) && is_fed_[sets_.find(n)]; }

  /// Inductors and voltage sources: f(a, b).
  void for_each_coil_and_source(auto f) const {
    for (const Elements* elements : {&circuit_.inductors, static_cast<const Elements*>(&circuit_.voltage_sources)})
      for (int64_t i = 0; i < elements->size(); ++i) f(elements->a[i], elements->b[i]);
  }
  /// Those between two nodes where direct current may flow.
  void for_each_coil_and_source_between(auto f) const {
    for_each_coil_and_source([&](NodeId a, NodeId b) {
      if (a != b && a != kGround && b != kGround && !metal_.is_dead(a) && !metal_.is_dead(b)) f(a, b);
    });
  }

  void join_wires() {
    const Elements& resistors = circuit_.resistors;
    assign_in_parallel(has_metal_, circuit_.node_count(), uint8_t{0});
    parallel_each(resistors.size(), [&](int64_t i) {
      if (!is_wire(metal_.kind[i])) return;
      sets_.unite(resistors.a[i], resistors.b[i]);
      if (metal_.volume_um3[i] > 0 || metal_.kind[i] != MetalKind::metal) mark(has_metal_, resistors.a[i]);
    });
    for_each_coil_and_source_between([&](NodeId a, NodeId b) {
      if (!is_layered(a) && !is_layered(b)) sets_.unite(a, b);
    });
  }

  /// A source or inductor to node 0, a resistor of 0 Ω to it, or an added pad makes what is on no layer the package.
  void find_fed() {
    assign_in_parallel(is_fed_, circuit_.node_count(), uint8_t{0});
    const auto feed = [&](NodeId n) {
      if (n != kGround && !is_layered(n)) is_fed_[sets_.find(n)] = 1;
    };
    const auto feed_from_ground = [&](NodeId a, NodeId b) {
      if (a == kGround) feed(b);
      if (b == kGround) feed(a);
    };
    for_each_coil_and_source(feed_from_ground);
    const Elements& resistors = circuit_.resistors;
    for (const int64_t i : metal_.grounded) feed_from_ground(resistors.a[i], resistors.b[i]);
    for (const AddedPad& pad : topology_.added_pads) feed(pad.node);
  }

  /// All that joins two nodes and is no via, no wire and no package.
  void list_ties() {
    const auto add = [&](NodeId a, NodeId b) {
      if (!is_package(a) && !is_package(b)) ties_.emplace_back(a, b);
    };
    const Elements& resistors = circuit_.resistors;
    for (const int64_t i : metal_.ties) add(resistors.a[i], resistors.b[i]);
    for_each_coil_and_source_between([&](NodeId a, NodeId b) {
      const bool is_via = is_layered(a) && is_layered(b) && nodes_.layer[a] != nodes_.layer[b];
      if (!is_via && (is_layered(a) || is_layered(b))) add(a, b);
    });
  }

  /// Sets with volume, or of which none is known, are trees.
  void find_trees() {
    assign_in_parallel(is_tree_, circuit_.node_count(), uint8_t{0});
    parallel_each(circuit_.node_count(), [&](int64_t n) {
      const auto node = static_cast<NodeId>(n);
      if (has_metal_[node] && !is_package(node)) mark(is_tree_, sets_.find(node));
    });
  }

  /// By several threads, of which most see that others have.
  static void mark(std::vector<uint8_t>& marks, NodeId n) {
    const std::atomic_ref of_node(marks[n]);
    if (of_node.load(std::memory_order_relaxed) == 0) of_node.store(1, std::memory_order_relaxed);
  }

  /// What ties join: the nodes of trees one by one, other sets as a whole.
  NodeId tied(NodeId n) {
    const int32_t set = sets_.find(n);
    return is_layered(n) && is_tree_[set] ? n : set;
  }

  void join_ties() {
    UnionFind joined(circuit_.node_count());
    for (const auto& [a, b] : ties_) joined.join(tied(a), tied(b));
    std::vector<NodeId> node(circuit_.node_count(), kNone);  // by the least of a set of ties: a node on a layer
    std::vector<uint8_t> is_long(circuit_.node_count(), 0), is_doubtful(circuit_.node_count(), 0);
    for (const Tie& tie : ties_)
      for (const NodeId n : {tie.first, tie.second}) {
        const int32_t set = joined.find(tied(n));
        if (!is_layered(n)) {
          is_doubtful[set] = 1;
        } else if (node[set] == kNone) {
          node[set] = n;
        } else {
          is_long[set] |= is_wire_between(node[set], n);
          is_doubtful[set] |= is_tree_[sets_.find(n)] && is_tree_[sets_.find(node[set])] && n != node[set];
          if (!is_tree_[sets_.find(node[set])]) node[set] = n;
        }
      }
    std::vector<uint8_t> is_listed(circuit_.node_count(), 0);
    for (const Tie& tie : ties_)
      for (const NodeId n : {tie.first, tie.second}) {
        const int32_t set = joined.find(tied(n));
        if (!std::exchange(is_listed[n], 1) && is_layered(n) && (is_doubtful[set] || is_long[set]))
          doubtful_.push_back(n);
      }
    for (const Tie& tie : ties_)
      if (is_long[joined.find(tied(tie.first))]) long_.push_back(tie);
    for (const auto& [a, b] : long_) sets_.unite(a, b);
    find_trees();
    for (const auto& [a, b] : long_) is_tree_[sets_.find(a)] = 1;
  }

  /// Between two places of a layer and net there is metal.
  bool is_wire_between(NodeId a, NodeId b) const {
    const bool is_one_net = nodes_.net[a] == nodes_.net[b] || nodes_.net[a] < 0 || nodes_.net[b] < 0;
    return is_one_net && nodes_.layer[a] == nodes_.layer[b] && length_um(nodes_, a, b) > 0;
  }

  /// The root of a set is the least of it.
  void number() {
    const int64_t nodes = circuit_.node_count();
    make_room_in_parallel(trees_.tree, nodes);
    parallel_choose(
        nodes, [&](int64_t n) { return is_tree_[n] && sets_.is_root(static_cast<NodeId>(n)); },
        [&](int64_t trees) { trees_.first.resize(static_cast<size_t>(trees)); },
        [&](int64_t n, int64_t tree) {
          trees_.tree[n] = static_cast<int32_t>(tree);
          trees_.first[tree] = static_cast<NodeId>(n);
        });
    parallel_each(nodes, [&](int64_t n) {
      const NodeId root = sets_.find(static_cast<NodeId>(n));
      if (!is_tree_[root])
        trees_.tree[n] = -1;
      else if (root != n)
        trees_.tree[n] = trees_.tree[root];
    });
    trees_.is_known.assign(trees_.first.size(), 1);
  }

  void mark_unknown() {
    const Elements& resistors = circuit_.resistors;
    if (metal_.no_section > 0 || metal_.no_place > 0)
      parallel_each(resistors.size(), [&](int64_t i) {
        if (metal_.kind[i] != MetalKind::no_section && metal_.kind[i] != MetalKind::no_place) return;
        if (const int32_t tree = trees_.tree[resistors.a[i]]; tree >= 0)
          std::atomic_ref(trees_.is_known[tree]).store(0, std::memory_order_relaxed);
      });
    for (const NodeId n : doubtful_) {
      if (trees_.tree[n] < 0) continue;
      trees_.is_known[trees_.tree[n]] = 0;
      if (trees_.joints++ == 0) trees_.joint = n;
    }
  }

  static constexpr NodeId kNone = -2;

  const Circuit& circuit_;
  const NodeTable& nodes_;
  const Topology& topology_;
  const Metal& metal_;
  DisjointSets sets_;
  std::vector<uint8_t> has_metal_;  ///< per node, of metal with volume, or of which none is known, where it begins
  std::vector<uint8_t> is_fed_;     ///< by the least of a set on no layer: a source feeds it
  std::vector<uint8_t> is_tree_;    ///< by the least of a set
  std::vector<Tie> ties_, long_;    ///< the latter lead from place to place on a layer
  std::vector<NodeId> doubtful_;    ///< where ties may change the tree of a node
  MetalTrees trees_;
};

}  // namespace

MetalTrees find_metal_trees(const IrReport& report, const Topology& topology, const Metal& metal) {
  return TreeFinder(report, topology, metal).find();
}

}  // namespace gridiron
