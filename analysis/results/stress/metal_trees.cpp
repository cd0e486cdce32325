// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/metal_trees.hpp"

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
        layer_(report.nodes.layer),
        topology_(topology),
        metal_(metal),
        sets_(circuit_.node_count()) {}

  MetalTrees find() {
    join();
    number();
    mark_unknown();
    return std::move(trees_);
  }

 private:
  bool is_held(NodeId n) const { return topology_.merge.group[n] >= topology_.merge.unknowns; }
  bool is_layered(NodeId n) const { return layer_[n] >= 0; }

  /// Inductors, and sources between two nodes: f(a, b).
  void for_each_tie(auto f) const {
    for (const Elements* elements : {&circuit_.inductors, static_cast<const Elements*>(&circuit_.voltage_sources)})
      for (int64_t i = 0; i < elements->size(); ++i)
        if (elements->a[i] != kGround && elements->b[i] != kGround) f(elements->a[i], elements->b[i]);
  }

  void join() {
    const Elements& resistors = circuit_.resistors;
    for (int64_t i = 0; i < resistors.size(); ++i)
      if (is_wire(metal_.kind[i])) sets_.join(resistors.a[i], resistors.b[i]);
    for_each_tie([&](NodeId a, NodeId b) {
      if (!is_layered(a) && !is_layered(b)) sets_.join(a, b);
    });
    is_fed_.assign(circuit_.node_count(), 0);
    for (NodeId n = 0; n < std::ssize(layer_); ++n)
      if (!is_layered(n) && is_held(n)) is_fed_[sets_.find(n)] = 1;
  }

  /// Sets with volume, or of which none is known, are trees.
  void number() {
    const Elements& resistors = circuit_.resistors;
    std::vector<uint8_t> is_tree(circuit_.node_count(), 0);
    for (int64_t i = 0; i < resistors.size(); ++i) {
      const bool counts = metal_.volume_um3[i] > 0 || (is_wire(metal_.kind[i]) && metal_.kind[i] != MetalKind::metal);
      if (counts && !(is_fed_[sets_.find(resistors.a[i])] && !is_layered(resistors.a[i])))
        is_tree[sets_.find(resistors.a[i])] = 1;
    }
    assign_in_parallel(trees_.tree, circuit_.node_count(), int32_t{-1});
    for (NodeId n = 0; n < circuit_.node_count(); ++n) {
      const int32_t root = sets_.find(n);  // the least of its set
      if (!is_tree[root]) continue;
      if (root == n) {
        trees_.tree[n] = static_cast<int32_t>(trees_.first.size());
        trees_.first.push_back(n);
      } else {
        trees_.tree[n] = trees_.tree[root];
      }
    }
    trees_.is_known.assign(trees_.first.size(), 1);
  }

  void mark_unknown() {
    const Elements& resistors = circuit_.resistors;
    for (int64_t i = 0; i < resistors.size(); ++i) {
      const NodeId a = resistors.a[i], b = resistors.b[i];
      switch (metal_.kind[i]) {
        case MetalKind::none:
        case MetalKind::metal:
          break;
        case MetalKind::no_section:
        case MetalKind::no_place:
          if (trees_.tree[a] >= 0) trees_.is_known[trees_.tree[a]] = 0;
          break;
        case MetalKind::joint:
          mark_joint(a, b);
          break;
        case MetalKind::loose:
          mark_loose(a, b);
          break;
      }
    }
    for_each_tie([&](NodeId a, NodeId b) {
      if (is_layered(a) && is_layered(b) && layer_[a] == layer_[b]) mark_joint(a, b);
      if (is_layered(a) != is_layered(b) && !topology_.branches.has(a) && !topology_.branches.has(b)) mark_loose(a, b);
    });
  }

  /// A pin, which has no other metal of this layer, may be joined so.
  void mark_joint(NodeId a, NodeId b) {
    if (trees_.tree[a] < 0 || trees_.tree[b] < 0) return;
    mark(a);
    mark(b);
  }

  void mark_loose(NodeId a, NodeId b) {
    const NodeId metal = is_layered(a) ? a : b, other = is_layered(a) ? b : a;
    if (trees_.tree[metal] < 0 || is_held(other) || is_fed_[sets_.find(other)]) return;
    mark(metal);
  }

  void mark(NodeId n) {
    trees_.is_known[trees_.tree[n]] = 0;
    if (trees_.joints++ == 0) trees_.joint = n;
  }

  const Circuit& circuit_;
  const std::span<const int32_t> layer_;
  const Topology& topology_;
  const Metal& metal_;
  UnionFind sets_;
  std::vector<uint8_t> is_fed_;  ///< by the least of a set on no layer: a source feeds it
  MetalTrees trees_;
};

}  // namespace

MetalTrees find_metal_trees(const IrReport& report, const Topology& topology, const Metal& metal) {
  return TreeFinder(report, topology, metal).find();
}

}  // namespace gridiron
