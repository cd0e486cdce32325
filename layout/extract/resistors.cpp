// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/resistors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "support/error.hpp"
#include "support/field.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

/// Between a terminal, or a pin of the block, and a node of the grid.
constexpr double kLinkOhm = 1e-3;

/// Everything that joins two nodes, as one list: wires, then vias, then links of terminals and of pins of the block.
class Joints {
 public:
  struct Ends {
    int32_t from, to;
  };

  Joints(const NetParts& parts, const MetalGrid& grid) : grid_(grid), vias_(std::ssize(parts.vias)) {
    const Terminals& terminals = parts.terminals;
    const int64_t pins = std::ssize(terminals.pin);
    resize_untouched(others_, static_cast<size_t>(vias_ + pins) + parts.block_pins.size());
    parallel_each(vias_,
                  [&](int64_t i) { others_[i] = ordered(place(parts.vias[i].bottom), place(parts.vias[i].top)); });
    parallel_each(std::ssize(terminals.base), [&](int64_t t) {
      for (int64_t p = terminals.first_pin[t]; p < terminals.first_pin[t + 1]; ++p)
        others_[vias_ + p] = ordered(other(terminals.base[t]), place(terminals.pin[p]));
    });
    for (size_t p = 0; p < parts.block_pins.size(); ++p)
      others_[vias_ + pins + static_cast<int64_t>(p)] =
          ordered(other(parts.block_pins[p].other), place(parts.block_pins[p].node));
  }

  int64_t size() const { return wires() + std::ssize(others_); }
  int64_t wires() const { return std::ssize(grid_.wires); }
  bool is_wire(int64_t k) const { return k < wires(); }
  const Wire& wire(int64_t k) const { return grid_.wires[k]; }
  /// Index of a via, −1 of other joints.
  int64_t via(int64_t k) const { return k >= wires() && k - wires() < vias_ ? k - wires() : -1; }

  /// Fetches what ends(k) reads.
  void expect(int64_t k) const {
    const void* const at = is_wire(k) ? static_cast<const void*>(&grid_.wires[k]) : &others_[k - wires()];
    __builtin_prefetch(at);
  }
  Ends ends(int64_t k) const { return is_wire(k) ? Ends{grid_.wires[k].a, grid_.wires[k].b} : others_[k - wires()]; }

 private:
  static Ends ordered(int32_t a, int32_t b) { return {std::min(a, b), std::max(a, b)}; }
  int32_t place(PlaceRef p) const { return grid_.node_of_place[p.layer][p.index]; }
  int32_t other(PlaceRef p) const { return grid_.node_of_other[p.layer][p.index]; }

  const MetalGrid& grid_;
  int64_t vias_;
  std::vector<Ends> others_;
};

class Resistors {
 public:
  Resistors(const Library& library, const LayerResistances& resistances, const NetParts& parts, const MetalGrid& grid,
            Network& network)
      : library_(library),
        resistances_(resistances),
        parts_(parts),
        network_(network),
        joints_(parts, grid),
        by_node_(joints_.size(), network.nodes(), [&](int64_t k) { return int64_t{joints_.ends(k).from}; }) {
    check_resistances();
    sort();
    fill();
  }

 private:
  std::span<int32_t> joints_of(int64_t node) {
    return {by_node_.item.data() + by_node_.start[node],
            static_cast<size_t>(by_node_.start[node + 1] - by_node_.start[node])};
  }

  /// f(node) for all nodes. The joints of nodes a little behind, which lie anywhere in memory, are fetched meanwhile.
  void for_each_node(auto&& f) {
    constexpr int32_t kAhead = 24;
    parallel_ranges(network_.nodes(), [&](int64_t begin, int64_t end) {
      const int32_t last = by_node_.start[end];
      int32_t ahead = by_node_.start[begin];
      for (int64_t node = begin; node < end; ++node) {
        const int32_t up_to = last - by_node_.start[node + 1] > kAhead ? by_node_.start[node + 1] + kAhead : last;
        for (; ahead < up_to; ++ahead) joints_.expect(by_node_.item[ahead]);
        f(node);
      }
    });
  }

  /// Joints of each node by their other end, and how many different ones there are.
  void sort() {
    resize_untouched(first_, static_cast<size_t>(network_.nodes()));
    for_each_node([&](int64_t node) {
      const std::span<int32_t> joints = joints_of(node);
      if (joints.size() < 2) {
        first_[node] = std::ssize(joints);
        return;
      }
      // Few have more than three: sorted by insertion, with each end looked up once.
      int32_t ends[kFew] = {};
      if (joints.size() <= kFew) {
        for (size_t i = 0; i < joints.size(); ++i) {
          const int32_t joint = joints[i], end = joints_.ends(joint).to;
          size_t at = i;
          for (; at > 0 && ends[at - 1] > end; --at) ends[at] = ends[at - 1], joints[at] = joints[at - 1];
          ends[at] = end, joints[at] = joint;
        }
        first_[node] = std::unique(ends, ends + joints.size()) - ends;
        return;
      }
      std::vector<std::pair<int32_t, int32_t>> sorted;
      for (const int32_t joint : joints) sorted.emplace_back(joints_.ends(joint).to, joint);
      std::sort(sorted.begin(), sorted.end());
      int64_t count = 0;
      for (size_t i = 0; i < sorted.size(); ++i) {
        joints[i] = sorted[i].second;
        count += i == 0 || sorted[i].first != sorted[i - 1].first ? 1 : 0;
      }
      first_[node] = count;
    });
  }

  void fill() {
    const auto n = static_cast<size_t>(parallel_scan(first_.data(), network_.nodes()));
    resize_untouched(network_.from, n);
    resize_untouched(network_.to, n);
    resize_untouched(network_.ohm, n);
    resize_untouched(network_.width, n);
    resize_untouched(network_.cuts, n);
    resize_untouched(network_.cut, n);
    for_each_node([&](int64_t node) {
      int64_t r = first_[node];
      const std::span<int32_t> joints = joints_of(node);
      for (size_t i = 0; i < joints.size();) {
        const Joints::Ends ends = joints_.ends(joints[i]);
        size_t last = i + 1;
        while (last < joints.size() && joints_.ends(joints[last]).to == ends.to) ++last;
        network_.from[r] = ends.from;
        network_.to[r] = ends.to;
        put(joints.subspan(i, last - i), r++);
        i = last;
      }
    });
  }

  /// Joints between the same two nodes, which are of one kind.
  void put(std::span<const int32_t> joints, int64_t r) {
    network_.width[r] = 0;
    network_.cuts[r] = 0;
    network_.cut[r] = 0;
    if (joints_.is_wire(joints[0])) return put_wires(joints, r);
    if (joints_.via(joints[0]) < 0) {
      network_.ohm[r] = kLinkOhm;  // links of a terminal are no more than one
      return;
    }
    double siemens = 0;
    float cuts = 0;
    int32_t cut = parts_.vias[joints_.via(joints[0])].cut;
    const int32_t layer = parts_.cut_sizes[cut].layer;
    for (const int32_t joint : joints) {
      const ViaLink& via = parts_.vias[joints_.via(joint)];
      cuts += via.cuts;
      if (via.cut != cut) cut = layer;  // of several sizes
      if (has_own_resistance(via)) siemens += 1 / via.via_ohm;
    }
    network_.cuts[r] = cuts;
    network_.cut[r] = static_cast<uint16_t>(cut);
    network_.ohm[r] = siemens > 0 ? 1 / siemens : resistances_.ohm_per_cut[layer] / cuts;
  }

  void put_wires(std::span<const int32_t> joints, int64_t r) {
    Dbu width = 0;
    for (const int32_t joint : joints) width += joints_.wire(joint).width;
    network_.width[r] = width;
    network_.ohm[r] = static_cast<double>(joints_.wire(joints[0]).length) / width *
                      resistances_.ohm_per_square[network_.node_layer[network_.from[r]]];
  }

  bool has_own_resistance(const ViaLink& via) const {
    return via.via_ohm > 0 && !(resistances_.ohm_per_cut[parts_.cut_sizes[via.cut].layer] > 0);
  }

  void check_resistances() const {
    std::vector<uint8_t> cuts(library_.layers.size(), 0), squares = layers_with_wires();
    for (const ViaLink& via : parts_.vias)
      if (!has_own_resistance(via)) cuts[parts_.cut_sizes[via.cut].layer] = 1;
    for (size_t layer = 0; layer < library_.layers.size(); ++layer) {
      if (squares[layer] && !(resistances_.ohm_per_square[layer] > 0))
        fail(library_.layers[layer], "RPERSQ, ohm per square");
      if (cuts[layer] && !(resistances_.ohm_per_cut[layer] > 0)) fail(library_.layers[layer], "ohm per cut");
    }
  }
  /// Wires are listed layer by layer.
  std::vector<uint8_t> layers_with_wires() const {
    std::vector<uint8_t> has_wires(library_.layers.size(), 0);
    const auto layer_of = [&](int64_t k) { return network_.node_layer[joints_.wire(k).a]; };
    for (int64_t k = 0; k < joints_.wires();) {
      const int32_t layer = layer_of(k);
      has_wires[layer] = 1;
      int64_t low = k, high = joints_.wires();  // the last of this layer, and the end
      while (high - low > 1) (layer_of((low + high) / 2) == layer ? low : high) = (low + high) / 2;
      k = high;
    }
    return has_wires;
  }
  [[noreturn]] void fail(const Layer& layer, const char* what) const {
    if (layer.has_table)
      throw InputError(
          fmt::format("{}: the RESISTANCE of layer {} is a table by width, RPERSQ PWL, which is not read; "
                      "give one resistance ({}) by {}",
                      library_.describe(layer.place), layer.name, what, field("layer_rc")));
    throw InputError(fmt::format("{}: layer {} has no resistance ({}); give it there or by {}",
                                 library_.describe(layer.place), layer.name, what, field("layer_rc")));
  }

  static constexpr size_t kFew = 16;
  const Library& library_;
  const LayerResistances& resistances_;
  const NetParts& parts_;
  Network& network_;
  Joints joints_;
  ItemsByNode<int32_t> by_node_;
  std::vector<int64_t> first_;  ///< resistor of each node; at first, how many it has
};

}  // namespace

void add_resistors(const Library& library, const LayerResistances& resistances, const NetParts& parts,
                   const MetalGrid& grid, Network& network) {
  Resistors(library, resistances, parts, grid, network);
}

}  // namespace gridiron::layout
