// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "netlist/generator/deck_writer.hpp"
#include "netlist/generator/mesh.hpp"
#include "netlist/generator/random.hpp"

namespace gridiron::generator {

/// Distributes `total` items over `slots` slots as evenly as possible.
class EvenSpread {
 public:
  EvenSpread(int64_t total, int64_t slots) : total_(total), slots_(slots) {}

  /// The number of items in the next slot.
  int64_t next() {
    const int64_t dealt = total_ * slot_ / slots_;
    return total_ * ++slot_ / slots_ - dealt;
  }

 private:
  int64_t total_, slots_, slot_ = 0;
};

/// Selects the vias that have 100 times their resistance.
class ViaDefects {
 public:
  ViaDefects(double share, Random random);

  bool next() { return threshold_ > 0 && random_.below(kParts, {via_++}) < threshold_; }

 private:
  static constexpr int64_t kParts = 1'000'000'000;
  int64_t threshold_;
  int64_t via_ = 0;
  Random random_;
};
inline constexpr int64_t kDefectFactor = 100;

/// Writes metal as R cards R<number>, numbered consecutively.
class MetalCards {
 public:
  /// `extra_nodes` are placed on the lowest layer, whose `lowest_wires` wires are written first.
  MetalCards(DeckWriter& deck, int64_t extra_nodes, int64_t lowest_wires)
      : deck_(deck), extra_(extra_nodes, lowest_wires) {}

  /// All wires of a layer; `nano_ohms_per_unit` of length.
  void wires(const Mesh& mesh, int layer, int64_t nano_ohms_per_unit);

  void resistor(Node a, Node b, Decimal ohms) {
    const int64_t number = number_++;
    if (deck_.takes_card()) deck_ << 'R' << number << ' ' << a << ' ' << b << ' ' << ohms << '\n';
  }

 private:
  DeckWriter& deck_;
  EvenSpread extra_;
  int64_t number_ = 0;
};

/// `pulse(v1, v2, td, tr, tf, pw, per)` of a load that draws `mean` femtoamperes, timed as in ibmpg1t: idle at a
/// thousandth, peak at 2.5 times the mean. Loads of one `group` switch at about the same time.
void write_pulse(DeckWriter& deck, int64_t mean, const Random& random, int64_t group, Point load);

/// Selects up to 20 of `candidates` nodes for the .print card.
class Probes {
 public:
  explicit Probes(int64_t candidates) : picks_(kCount, candidates) {}
  void offer(Node node) {
    if (picks_.next() > 0) nodes_.push_back(node);
  }
  /// .tran, .print and .end, as one card.
  void write(DeckWriter& deck) const;

 private:
  static constexpr int64_t kCount = 20;
  EvenSpread picks_;
  std::vector<Node> nodes_;
};

}  // namespace gridiron::generator
