// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/results/em/active_rules.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/results/segments.hpp"

namespace gridiron {

/// What current flows through, as rules see it: a wire of some width, or a via of some cuts. NaN: not known, or of the
/// other kind.
struct EmSection {
  double width_um = NAN;
  double cuts = NAN;      ///< as cut classes count them
  double one_cut = NAN;   ///< the area of one of them, µm²
  double counts_for = 1;  ///< a cut counts for so many ordinary ones
  bool is_via = false;
  int32_t cut = -1;  ///< index into Placement::cut_sizes
};

EmSection em_section(const IrReport& report, std::span<const double> layer_width_um, int64_t resistor,
                     LayerPair layers);

/// By what a current is divided to compare it with limits of this rule, and the size that the limit is looked up by;
/// NaN where that is not known.
struct EmAmount {
  double amount = NAN, size = NAN;
};
EmAmount em_amount(const ActiveEmRule& rule, const EmSection& section);

/// Per layer the width of its wires that a table tells, NaN without.
std::vector<double> table_widths(const std::vector<std::string>& layer_names, std::span<const MetalLayer> table);

/// Per node the length of all metal of its layer that it is connected with: what rules by length are for, as the pieces
/// between two nodes are parts of a wire.
struct MetalLengths {
  std::vector<double> at_least_um;
  /// There may be more of it: places of pieces are not known, or it leads through nodes of no known layer, a voltage
  /// source or an inductor to metal of its layer.
  std::vector<uint8_t> is_open;

  /// Whether the metal of a node is one of these lengths; none where that is not known.
  std::optional<bool> is_in(const EmRange& range, NodeId node) const;
};
MetalLengths metal_lengths(const IrReport& report);

/// Metal without a resistance, of which no current is known: a resistor of 0 Ω, or a source of 0 V between two layers
/// or two places of one.
struct EmShort {
  Kind kind = kResistor;
  int64_t element = -1;
  LayerPair layers = {};
  NodeId end = kGround;
};
/// `x_um`, `y_um` and `layer` are per node; `is_judged(node)`: it has a voltage, and is on a net that is judged.
std::vector<EmShort> shorts_of_metal(const Circuit& circuit, std::span<const int32_t> layer,
                                     std::span<const double> x_um, std::span<const double> y_um,
                                     const std::function<bool(NodeId)>& is_judged);

/// Appends the layers of shorts to a list that has each once.
void add_layers(std::span<const EmShort> shorts, std::vector<LayerPair>& layers);

/// The rules that segments on some layers and of some cuts are judged by. Looking them up costs little for neighbours
/// in a netlist, which are mostly of one kind.
class EmRuleFinder {
 public:
  EmRuleFinder(const IrReport& report, const ActiveEmRules& active) : report_(report), active_(active) {}

  struct Rules {
    std::vector<int32_t> rules;  ///< indices into ActiveEmRules::rules
    bool is_on_layer = false;    ///< there are rules on the layer, if not for its cuts
    bool is_known = true;        ///< no: units or classes of cuts are not told, or no rule is for the class
  };
  const Rules& of(LayerPair layers, int32_t cut) {
    const Key key{layers, cut};
    return last_ < found_.size() && found_[last_].first == key ? found_[last_].second : look_up(key);
  }

 private:
  struct Key {
    LayerPair layers;
    int32_t cut = -2;
    friend bool operator==(const Key&, const Key&) = default;
  };
  const Rules& look_up(const Key& key);
  Rules find(LayerPair layers, int32_t cut) const;

  const IrReport& report_;
  const ActiveEmRules& active_;
  std::vector<std::pair<Key, Rules>> found_;
  size_t last_ = 0;
};

}  // namespace gridiron
